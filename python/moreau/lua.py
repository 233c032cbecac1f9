"""Values of Python as text of scenes, for what the library builds through them."""
from __future__ import annotations

import math
import numbers
from typing import Any, Mapping

import numpy as np

from .shapes import Compound, Shape


_FLAT = ("disc", "rectangle", "polygon", "segment")


class Raw(str):
    """Text that stands as it is."""


def _text(x: str) -> str:
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:03d}"
                         for b in x.encode("utf-8", "surrogateescape")) + '"'


def _number(x: Any, key: str) -> str:
    value = int(x) if isinstance(x, numbers.Integral) else float(x)
    if not math.isfinite(value):
        raise ValueError(f"{key}: found {x!r}, expected a finite number")
    return repr(value)


def _shape(shape: Shape, key: str) -> str:
    d = shape._definition()
    kind = d["kind"]
    if isinstance(shape, Compound):
        parts = []
        for c in d["children"]:
            inner = Shape.__new__(Shape)
            inner._fields = c["shape"]
            dim = 2 if c["shape"]["kind"] in _FLAT else 3
            rest = {k: (v[:dim] if k == "position" else v) for k, v in c.items() if k != "shape"}
            parts.append({"shape": inner, **rest})
        return f"compound {value(parts, key)}"
    if kind in ("rectangle", "box"):
        return f"{kind} {value(d['size'][:2 if kind == 'rectangle' else 3], key)}"
    if kind in ("polygon", "segment", "chain", "convex"):
        return f"{kind} {value(d['points'], key)}"
    if kind == "mesh":
        return f"mesh {value({'points': d['points'], 'triangles': np.asarray(d['triangles'], dtype=int) + 1}, key)}"
    if kind in ("halfplane", "plane"):
        return f"{kind} {value({'normal': d['normal'][:2 if kind == 'halfplane' else 3], 'offset': d['offset']}, key)}"
    return f"{kind} {value({k: v for k, v in d.items() if k in ('radius', 'height')}, key)}"


def value(x: Any, key: str = "value") -> str:
    """The text of a number, text, truth value, shape, table or list."""
    if isinstance(x, Raw):
        return str(x)
    if isinstance(x, (bool, np.bool_)):
        return "true" if x else "false"
    if isinstance(x, str):
        return _text(x)
    if isinstance(x, numbers.Real):
        return _number(x, key)
    if isinstance(x, Shape):
        return _shape(x, key)
    if hasattr(x, "_lua"):
        return str(x._lua())
    if isinstance(x, Mapping):
        return "{ " + ", ".join(f"[{_text(str(k))}] = {value(v, f'{key}.{k}')}" for k, v in x.items() if v is not None) + " }"
    if isinstance(x, np.ndarray):
        x = x.tolist()
    if isinstance(x, (list, tuple, set, frozenset, range)):
        return "{ " + ", ".join(value(v, key) for v in x) + " }"
    raise TypeError(f"{key}: expected a number, text, shape, list or dict, found {x!r}")

"""Wrong types and values at every entry of the extension module: exceptions, never a crash.

Good calls are changed in one or two places by values that make no sense, or of the wrong kind, also ones that run code
while they are read.  SEED and CALLS in the environment give another or a longer run.
"""
import gc
import math
import os
import random
import tempfile
import unittest

import numpy as np
from moreau import _core

SEED = int(os.environ.get("SEED", "1"))
CALLS = int(os.environ.get("CALLS", "2000"))


class Evil:
    """Fails, or says something else, wherever it is asked."""

    def __init__(self, rng):
        self.rng = rng

    def __float__(self):
        return self.rng.choice([1.0, math.nan, "no"])

    def __index__(self):
        return self.rng.choice([1, -1, 2**70])

    def __len__(self):
        return self.rng.choice([0, 1, 3, 10**6])

    def __getitem__(self, i):
        if self.rng.random() < 0.3:
            raise RuntimeError("no")
        return self.rng.choice([1.0, self, None])

    def __bool__(self):
        raise RuntimeError("no")

    def __call__(self, *a):
        return self.rng.choice([None, 1.0, (1.0, 2.0, 3.0), b"12345678", np.zeros(3), self, "x"])

    def __fspath__(self):
        return self.rng.choice(["nothing", b"\xff\x00", 1])


def values(rng):
    return rng.choice([
        None, True, False, 0, 1, 2, 3, -1, 2**31, 2**32, 2**63, 2**64, -2**63, 10**30, 0.0, -1.0, 1.5, math.nan, math.inf,
        -math.inf, 1e308, 1e-320, "", "x", "disc", "ball", "a\0b", "\ud800", "é" * 300, b"", b"12345678", bytearray(24), (),
        [], (1, 2), (1.0, 2.0, 3.0), [math.nan] * 3, ("a", "b"), ("a", 1), {}, {"kind": "disc"}, {1: 2}, {"x": {}}, set(), object(), int,
        len, lambda *a: 1 / 0, lambda *a: (1.0,) * 3, lambda *a: None, np.zeros(3), np.zeros((2, 2)), np.zeros(0), np.zeros(3, np.float32),
        np.arange(3, dtype=np.uint32), np.arange(3, dtype=np.uint64), np.zeros((4, 4)).T[::2], np.full(3, 2**63, dtype=np.uint64),
        np.zeros(3, dtype=object), memoryview(b"12345678"), Evil(rng), range(3), 1j, slice(1)])


def change(x, rng, depth=0):
    """A copy with one value somewhere in it changed."""
    if isinstance(x, dict) and x and rng.random() < 0.9:
        d = dict(x)
        k = rng.choice(list(d))
        if rng.random() < 0.1:
            d[rng.choice(["nosuch", 3, "kind", "dim", "rows"])] = values(rng)
        elif rng.random() < 0.1:
            del d[k]
        else:
            d[k] = change(d[k], rng, depth + 1)
        return d
    if isinstance(x, (tuple, list)) and x and rng.random() < 0.7:
        y = list(x)
        i = rng.randrange(len(y))
        y[i] = change(y[i], rng, depth + 1)
        return tuple(y) if isinstance(x, tuple) else y
    return values(rng)


f = np.array
DISC = {"kind": "disc", "radius": 0.1}
MESH = {"kind": "mesh", "points": f([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]]), "triangles": f([[0, 1, 2]], dtype=np.uint32)}
COMPOUND = {"kind": "compound", "children": ({"shape": DISC, "position": (1.0, 0, 0), "angle": 0.1}, {"shape": DISC})}
POLYGON = {"kind": "polygon", "points": f([[0, 0], [1, 0], [0, 1.0]])}
CONVEX = {"kind": "convex", "points": f([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])}
PROBLEM = {"dim": 2, "contacts": 1, "start": f([0, 1], dtype=np.uint64), "column": f([0], dtype=np.uint32), "W": np.eye(2),
           "q": f([-1.0, 0]), "mu": f([0.5])}
BALL = {"kind": "ball", "dim": 2, "vector": f([0, 0.0]), "radius": 1.0}
SETS = [BALL, {"kind": "box", "dim": 2, "lower": f([0, 0.0]), "upper": f([1, 1.0])},
        {"kind": "polyhedron", "dim": 2, "rows": np.eye(2), "rhs": f([0, 0.0])},
        {"kind": "coulomb", "dim": 3, "friction": 0.5, "side": "dual"}, {"kind": "elliptic", "dim": 3, "axes": (1.0, 2.0)},
        {"kind": "translate", "dim": 2, "vector": f([1, 1.0]), "children": (BALL,)},
        {"kind": "product", "dim": 4, "children": (BALL, BALL)}, {"kind": "intersection", "dim": 2, "children": (BALL, BALL)},
        {"kind": "polar", "dim": 3, "children": ({"kind": "coulomb", "dim": 3, "friction": 1.0},)}]
MOVING = [{"kind": "ball", "dim": 2, "a": lambda t: f([t, 0, 1, 0.0]), "b": f([1.0])},
          {"kind": "box", "dim": 2, "a": f([0, 0.0]), "b": f([1, 1.0])},
          {"kind": "polyhedron", "dim": 2, "rows": 1, "a": f([1, 0.0]), "b": lambda t: f([t, 1.0])},
          {"kind": "gaps", "dim": 2, "rows": 1, "gaps": lambda t, x, w: f([1, 1, 0, 0.0]) if w else f([1.0])},
          {"kind": "discs", "dim": 2, "radius": f([0.5]), "walls": f([[1, 0, 1, 1.0]])},
          {"kind": "convex", "dim": 2, "convex": BALL},
          {"kind": "translate", "dim": 2, "a": f([0, 0.0]), "children": ({"kind": "convex", "dim": 2, "convex": BALL},)}]
WORLD = {"dim": 2, "h": 1e-3, "gravity": (0, -9.81), "scheme": "moreau", "theta": 0.5, "contact_tolerance": 1e-9,
         "position_projection": False, "overlaps": "report", "threads": 1, "periodic": (None, None),
         "solver": {"name": "auto", "tol": 1e-8, "max_iter": 100, "max_seconds": 1.0}}
SYSTEM = {"q": f([1.0]), "u": f([-1.0]), "h": 0.1, "scheme": "moreau", "gaps": 1, "linear": False,
          "mass": {"kind": "dense", "entries": f([[1.0]])}, "stiffness": {"kind": "diagonal", "entries": f([1.0])},
          "damping": {"kind": "sparse", "entries": f([1.0]), "start": f([0, 1], dtype=np.uint64), "column": f([0], dtype=np.uint32)},
          "gap": lambda t, q, w: f([1, 1, 0.0]) if w else f([1.0]), "force": lambda t, q, u, w: f([0.0]), "restitution": f([0.5]),
          "friction": f([0.1]), "tangent": lambda t, q: f([1.0]), "max_iter": 20, "tol": 1e-10}
SWEEP = {"x": f([0.0, 0.5]), "h": 0.1, "method": "catching-up", "set": MOVING[0], "field": lambda t, x: f([0.0, 0]), "max_iter": 20}
SCENE = {"text": "world { dim = 2, h = 0.1, t_end = 1 }", "path": "s.lua", "name": "s", "seed": 1, "threads": 1, "until": 0.5,
         "steps": 3, "sets": (), "output": "fuzz.h5", "message": lambda t: None}


def body(shape, dim):
    b = {"shape": shape, "kind": "dynamic", "density": 1.0, "position": (0.0,) * dim, "velocity": (0.0,) * dim, "group": "g",
         "name": "n", "free": 127, "keep_origin": False, "collides_with": ("g",), "applied_force": (0.0,) * dim}
    if shape is MESH:
        del b["density"]
        b["kind"] = "fixed"
    return b


class World:
    """A world with something in it, and the calls that can be made on it."""

    def __init__(self, dim):
        self.dim = dim
        self.w = _core.World({**WORLD, "dim": dim, "gravity": (0.0,) * dim, "periodic": (None,) * dim})
        shapes = [DISC, POLYGON, COMPOUND] if dim == 2 else [{"kind": "sphere", "radius": 0.1}, CONVEX, MESH]
        for s in shapes:
            self.w.body_add(body(s, dim))
        self.w.step()
        self.shapes = shapes

    def calls(self, rng):
        w, zero = self.w, (0.0,) * self.dim
        moved = {"shape": self.shapes[0], "kind": "moved", "motion": lambda t: (0.0,) * (6 if self.dim == 2 else 13)}
        moved_radius = {**body(self.shapes[0], self.dim), "radius_function": lambda t: (0.1, 0.0),
                        "load": lambda t: (0.0,) * (3 if self.dim == 2 else 6)}
        return [(w.body_add, (body(rng.choice(self.shapes), self.dim),)), (w.body_add, (moved,)), (w.body_add, (moved_radius,)),
                (w.body_remove, (99,)), (w.body_get, (1,)), (w.body_exists, (1,)), (w.body_name, (0,)),
                (w.body_set, (1, {"position": zero, "velocity": zero, "applied_force": zero})),
                (w.joint_add, ({"kind": "distance", "body1": 1, "body2": 2, "at": zero, "at2": zero, "length": 1.0, "limited": True,
                                "limits": (0.0, 1.0), "axis": zero},)),
                (w.joint_get, (1,)), (w.joint_remove, (99,)), (w.joint_exists, (1,)), (w.joint_drive, (1, 1.0, 1.0)),
                (w.set_law, ({"friction": 0.5, "restitution": 0.1, "gluey": False, "rolling": 0.0}, None)),
                (w.set_law, ({"friction": 0.5, "name": None}, ("g", "g"))), (w.keep_problem, (True,)), (w.step, (1,)),
                (w.bodies, ("q",)), (w.contacts_array, ("gap",)), (w.law_dict, (0,)), (w.measure_value, ("coordination",)),
                (w.measure_region, ("stress", zero, (1.0,) * self.dim)), (w.measure_resultant, (zero, (1.0,) * self.dim)),
                (w.record_create, ("run.h5", {"every": 0.1, "series": ("a",), "scene_name": "s"})), (w.record_series, ((1.0,),)),
                (w.record_finish, ("ok", "{}")), (w.snapshot, ("snap.h5",)), (w.info_dict, ()), (w.brief, ()), (w.problem_dict, ()),
                (w.equilibrium_dict, ()), (w.record_frame, ("{}",)),
                (w.body_set_load, (1, (0.0,) * (3 if self.dim == 2 else 6))), (w.body_set_free, (1, 127, zero)), (w.body_facts, (1,)),
                (w.cell_get, ()), (w.cell_control, ()), (w.cell_set, ({"by_stress": (0.0,) * 9, "rate": (0.0,) * 9, "damping": 1.0},)), (w.record_step, ()), (w.__init__, (WORLD,))]


def module_calls(rng):
    run = os.path.exists("good.h5") and _core.Run("good.h5")
    calls = [(_core.World, (WORLD,)), (_core.Set, (rng.choice(SETS),)), (_core.System, (SYSTEM,)),
             (_core.Sweep, ({**SWEEP, "set": rng.choice(MOVING)},)), (_core.Scene, (SCENE,)), (_core.scene_params, (SCENE,)),
             (_core.solve, (PROBLEM, "auto", {"tol": 1e-8, "max_iter": 100, "max_seconds": 1.0}, None)),
             (_core.certify, (PROBLEM, f([1.0, 0]), None)), (_core.witness, (PROBLEM,)), (_core.problem_read, ("p.hdf5",)),
             (_core.problem_write, ("p.hdf5", PROBLEM, "t", "d", None, None)), (_core.Run, ("good.h5",)),
             (_core.project, (np.eye(2), f([1.0, 1]), 0, f([0.0, 0]), {"kind": "diagonal", "entries": f([1.0, 1])}))]
    if run:
        calls += [(run.array, ("times",)), (run.frame, (0,)), (run.draw, ({"what": "frame", "width": 50, "color": "speed"}, "p.png")),
                  (run.compare, (run,)), (run.export, ("bodies", "b.csv", 0, 1)), (run.frame(0).array, ("q",)), (run.__init__, ("good.h5",))]
    s = _core.Set(rng.choice(SETS))
    n = s.facts()[0]
    calls += [(s.prox, (np.ones(n),)), (s.value, ("normal_distance", np.ones(n), np.ones(n), 1e-9)), (s.__init__, (BALL,))]
    return calls


def use(x):
    """A little of what one does with what was made."""
    if isinstance(x, _core.World):
        x.step(2)
    elif isinstance(x, (_core.System, _core.Sweep)):
        x.run(3)
    elif isinstance(x, _core.Scene):
        x.step(2)
        x.attach(_core.World.__new__(_core.World))
        x.finish()
    elif isinstance(x, _core.View):
        np.asarray(x).sum()


class Fuzz(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.old = os.getcwd()
        os.chdir(self.folder.name)

    def tearDown(self):
        gc.collect()
        os.chdir(self.old)
        self.folder.cleanup()

    def attempt(self, function, args):
        try:
            use(function(*args))
            return True
        except (Exception, SystemError) as e:
            self.assertNotIsInstance(e, SystemError, f"{function} {args!r}")
            return False

    def test_good_calls_are_good(self):
        # else the fuzzer would only ever see the first check
        rng = random.Random(0)
        w = World(2)
        w.w.snapshot("good.h5")
        bad = [f"{g.__name__} {a!r}" for g, a in module_calls(rng) if g.__name__ not in ("problem_read", "__init__") and not self.attempt(g, a)]
        self.assertEqual(bad, [])
        for dim in (2, 3):
            w = World(dim)
            misuse = ("body_remove", "joint_remove", "joint_drive", "record_series", "record_frame", "record_step", "cell_set", "__init__", "joint_get", "equilibrium_dict")
            bad = [f"{g.__name__} {a!r}" for g, a in w.calls(rng) if g.__name__ not in misuse and not self.attempt(g, a)]
            self.assertEqual(bad, [])

    def test_wrong_calls_only_raise(self):
        rng = random.Random(SEED)
        worlds = [World(2), World(3)]
        worlds[0].w.snapshot("good.h5")
        for k in range(CALLS):
            calls = module_calls(rng) if rng.random() < 0.4 else rng.choice(worlds).calls(rng)
            function, args = rng.choice(calls)
            args = change(args, rng)
            if rng.random() < 0.3:
                args = change(args, rng)
            if not isinstance(args, (tuple, list)):
                args = (args,)
            # endless work is not wrong
            if function.__name__ == "step" and args and isinstance(args[0], int) and args[0] > 10:
                continue
            self.attempt(function, tuple(args))
            if k % 500 == 499:
                worlds = [World(2), World(3)]

    def test_methods_on_what_was_never_made(self):
        rng = random.Random(SEED)
        for kind in (_core.World, _core.Scene, _core.Run, _core.Set, _core.System, _core.Sweep):
            x = kind.__new__(kind)
            for name in dir(x):
                if name.startswith("__") and name != "__init__":
                    continue
                for args in ((), (1,), ("q",), ({},), ("a", "b"), (values(rng), values(rng))):
                    try:
                        getattr(x, name)(*args)
                    except Exception as e:
                        self.assertNotIsInstance(e, SystemError, name)
        for kind in (_core.View, _core.Frame):
            with self.assertRaises(TypeError):
                kind()


if __name__ == "__main__":
    unittest.main()

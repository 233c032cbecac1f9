"""The guide's code and the tutorials run; what the package says of its types holds."""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

import moreau
import numpy as np
from folder import InFolder

EXAMPLES = os.environ["PYTHON_EXAMPLES"]
SANITIZED = bool(os.environ.get("MOREAU_SANITIZED"))
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(EXAMPLES, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Guide(InFolder):
    def test_code(self):
        with open(os.environ["GUIDE"]) as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertGreater(len(blocks), 7)
        self.assertLessEqual(sum(bool(line.strip()) for line in blocks[0].splitlines()), 10)
        for block in blocks:
            exec(compile(block, "guide", "exec"), {"print": lambda *a: None})
        self.assertGreater(os.path.getsize("pile.png"), 1000)


@unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
@unittest.skipIf(SANITIZED, "long in a sanitized build, and nothing in them is new to it")
class Tutorials(InFolder):
    def test_biaxial(self):
        strain, ratio = load("first_drop_to_figure").main("a.png", seeds=(1,))
        # friction 0.5 between grains: well above 1 on the way, and no wall without force
        self.assertTrue(1.2 < ratio.mean() < 6)
        self.assertGreater(strain[-1], 0.05)
        self.assertTrue(os.path.exists("a.png") and os.path.exists("a-sample.png"))

    def test_schemes(self):
        errors = load("compare_schemes").main("b.png", steps=(0.02, 0.005))
        for name, e in errors.items():
            # a quarter of the step: half the error at least
            self.assertLess(e[1], 0.5 * e[0], name)

    def test_problems(self):
        costs = load("solve_fclib").main("c.png", solvers=("nlgs", "auto"))
        self.assertTrue(np.isfinite(costs["auto"]).all())
        self.assertGreaterEqual(len(costs["auto"]), 6)


class Package(unittest.TestCase):
    def test_everything_public_has_a_word_of_help(self):
        missing = [n for n in moreau.__all__ if callable(getattr(moreau, n)) and not (getattr(moreau, n).__doc__ or "").strip()]
        self.assertEqual(missing, [])
        for n in moreau.__all__:
            self.assertTrue(hasattr(moreau, n), n)
        self.assertRegex(moreau.__version__, r"^\d+\.\d+")
        self.assertEqual(sorted(moreau.examples()), moreau.examples())
        self.assertIn("sandpile", moreau.examples())

    @unittest.skipIf(SANITIZED or importlib.util.find_spec("mypy") is None, "mypy is not installed, or a sanitized build")
    def test_types(self):
        with tempfile.TemporaryDirectory() as cache:
            folder = os.path.join(EXAMPLES, "..")
            done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", cache], cwd=folder,
                                  capture_output=True, text=True, env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_stub_knows_every_name(self):
        # what the extension module has is what its types say
        from moreau import _core
        import ast
        with open(os.path.join(EXAMPLES, "..", "moreau", "_core.pyi")) as file:
            tree = ast.parse(file.read())
        classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
        known = set(classes) | {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
        self.assertEqual({n for n in dir(_core) if not n.startswith("_")} - known, set())
        for name in ("World", "Scene", "Run", "Frame", "Set"):
            methods = {n.name for n in classes[name].body if isinstance(n, ast.FunctionDef)}
            self.assertEqual({m for m in dir(getattr(_core, name)) if not m.startswith("_")} - methods, set(), name)


if __name__ == "__main__":
    unittest.main()

"""Reference counts under a debug build of Python: no call keeps or loses references, whether it succeeds or fails.

Run by a plain Python the file runs itself again by the debug build DEBUG_PYTHON, with the module DEBUG_CORE that was
compiled for it.  Other modules count nothing there, so that only what Python itself has is used.
"""
import gc
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from array import array

DEBUG = hasattr(sys, "gettotalrefcount")


def quiet(f):
    """Wrong calls only raise."""
    def call(k):
        try:
            f(k)
        except Exception:
            pass
    return call


def numbers(*x):
    return array("d", x)


def load_core():
    """The extension module built for this interpreter: only its own code counts references."""
    spec = importlib.util.spec_from_file_location("moreau._core", os.environ["DEBUG_CORE"])
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    return core


DISC = {"kind": "disc", "radius": 0.1}
WORLD = {"dim": 2, "h": 1e-3, "gravity": (0.0, -9.81), "solver": {"name": "auto"}}
BODY = {"shape": DISC, "kind": "dynamic", "density": 1.0, "position": (0.0, 0.1), "group": "g", "name": "n", "collides_with": ("g", "default")}
FLOOR = {"shape": {"kind": "halfplane", "normal": (0.0, 1.0, 0.0)}, "kind": "fixed"}
BALL = {"kind": "ball", "dim": 2, "vector": numbers(0, 0), "radius": 1.0}
SYSTEM = {"q": numbers(1), "u": numbers(-1), "h": 0.1, "scheme": "moreau", "gaps": 1,
          "gap": lambda t, q, w: numbers(1, 1, 0) if w else numbers(1), "force": lambda t, q, u, w: numbers(0), "restitution": numbers(0.5)}
SWEEP = {"x": numbers(0, 0.5), "h": 0.1, "set": {"kind": "ball", "dim": 2, "a": lambda t: numbers(t, 0, 1, 0), "b": numbers(1)}}
PROBLEM = {"dim": 2, "contacts": 1, "start": array("L", (0, 1)), "column": array("I", (0,)), "W": numbers(1, 0, 0, 1), "q": numbers(-1, 0), "mu": numbers(0.5)}
SCENE = {"text": "world { dim = 2, h = 0.1, t_end = 0.3 } body { shape = disc { radius = 1 }, mass = 1 } report('a', 1)", "path": "s.lua", "name": "s"}


def calls(core, path):
    def pile():
        w = core.World(WORLD)
        w.body_add(FLOOR)
        w.body_add(BODY)
        return w

    kept = pile()
    kept.body_add({**BODY, "position": (3.0, 1.0), "load": lambda t: (0.0, 0.0, 0.0)})
    kept.step(3)
    cell = core.World({**WORLD, "gravity": None, "periodic": ((0.0, 1.0), (0.0, 1.0))})
    cell.body_add({**BODY, "position": (0.5, 0.5)})
    system, sweep, ball = core.System(SYSTEM), core.Sweep(SWEEP), core.Set(BALL)
    pile().snapshot(path)
    mesh = path + ".obj"
    with open(mesh, "w") as file:
        file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")

    def recorded(k):
        w = pile()
        for go_on in (False, True):
            w.record_create(path + "r", {"every": 1.0, "series": ("a",), "resume": go_on})
            w.step()
            w.record_step()
            w.record_series((1.0,))
            w.record_frame("{}")
            w.record_finish("ok", "{}")

    def process(k):
        s = core.Sweep(SWEEP)
        s.record_create(path + "s", {"every": 1.0, "solver": "catching-up"})
        s.run(3)
        s.record_series(0.3, ())
        s.record_row(0.3, 3)
        s.record_checkpoint(0.3, 3, "{}", True)
        s.record_finish("ok", "{}")
        core.Run(path + "s").checkpoint()

    def removed(k):
        b = kept.body_add({"shape": DISC, "kind": "moved", "motion": lambda t: (5.0, 5.0, 0.0, 0.0, 0.0, 0.0)})
        j = kept.joint_add({"kind": "hinge", "body1": 2, "body2": b, "at": (5.0, 5.0), "driven": True, "speed": 1.0, "max_load": 1.0})
        kept.joint_drive(j, 2.0, 1.0)
        kept.joint_get(j), kept.joint_exists(j), kept.body_get(b), kept.body_name(0)
        kept.joint_remove(j)
        kept.body_remove(b)

    def raises(*a):
        raise RuntimeError("no")

    def failing(k):
        w = pile()
        w.body_add({**BODY, "load": raises})
        w.step()

    def attached(k):
        s, w = core.Scene({**SCENE, "message": print}), core.World.__new__(core.World)
        s.attach(w), w.info_dict(), s.copy_to(pile())
        s.step(5), s.progress(), s.finish()

    good = [lambda k: pile().step(2), lambda k: bytes(kept.bodies("q")), lambda k: memoryview(kept.contacts_array("gap")).tolist(),
            lambda k: kept.info_dict(), lambda k: kept.hash_text(), lambda k: kept.brief(), lambda k: kept.group_names(),
            lambda k: kept.measure_value("coordination"), lambda k: kept.measure_region("stress", None, None), removed, recorded, process, attached,
            lambda k: kept.set_law({"friction": 0.5}, None), lambda k: kept.set_law({"friction": 0.5}, ("a", "b")), lambda k: kept.law_dict(0),
            lambda k: kept.body_facts(2), lambda k: kept.body_set(2, {"velocity": (0.0, 0.0)}), lambda k: kept.body_set_load(2, (0.0, 0.0, 0.0)),
            lambda k: kept.body_set_free(2, 127, (0.0, 0.0)), lambda k: cell.cell_set({"rate": (0.0, 0.1) + (0.0,) * 7, "by_stress": (0.0,) * 9}),
            lambda k: cell.cell_get(), lambda k: cell.cell_control(), lambda k: core.mesh_read(mesh), lambda k: core.Run(path).frame(0).info(),
            lambda k: bytes(core.Run(path).frame(0).array("q")), lambda k: core.Run(path).body_table(), lambda k: core.Run(path).info(),
            lambda k: core.Run(path).restore(pile(), 0, 0), lambda k: core.scene_params(SCENE),
            lambda k: core.project(numbers(1, 0, 0, 1), numbers(1, 1), 0, numbers(0, 0), None), lambda k: ball.prox(numbers(3, 4)),
            lambda k: core.solve(PROBLEM, "auto", {"tol": 1e-8}, None), lambda k: core.certify(PROBLEM, numbers(1, 0), None), lambda k: system.run(2),
            lambda k: system.restore(system.save()), lambda k: sweep.run(2), lambda k: system.info(), lambda k: system.events(),
            lambda k: kept.keep_problem(True), lambda k: kept.problem_dict(), lambda k: kept.snapshot(path), lambda k: core.solver_names()]
    wrong = [failing, lambda k: kept.body_get(99), lambda k: kept.body_get("x"), lambda k: kept.body_set(2, {"position": (1,)}),
             lambda k: kept.body_set(2, {"nosuch": 1}), lambda k: kept.body_add({**BODY, "radius_function": 3}), lambda k: kept.body_add({}),
             lambda k: kept.body_add({**BODY, "shape": {"kind": "disc", "radius": "x"}}), lambda k: kept.joint_get(7), lambda k: kept.step(-1),
             lambda k: kept.body_add({"shape": DISC, "kind": "moved", "motion": raises}), lambda k: kept.joint_add({"kind": "x"}),
             lambda k: kept.set_law({"friction": -1.0}, None), lambda k: kept.set_law({"friction": 1.0}, ("a",)), lambda k: kept.bodies("no"),
             lambda k: kept.body_set_load(2, (1.0,)), lambda k: kept.body_set_free(2, 1, "x"), lambda k: kept.cell_set({"rate": (1.0,)}),
             lambda k: cell.cell_set({"by_stress": "x"}), lambda k: core.World({**WORLD, "periodic": (1, 2)}), lambda k: core.World({"dim": 7}),
             lambda k: core.World({**WORLD, "solver": {"name": "x"}}), lambda k: core.System({**SYSTEM, "force": raises}).run(2),
             lambda k: core.Sweep({**SWEEP, "set": {"kind": "ball"}}), lambda k: core.Set({**BALL, "radius": -1.0}), lambda k: core.Set({}),
             lambda k: core.Run("nothing"), lambda k: core.mesh_read("nothing"), lambda k: core.mesh_read(3),
             lambda k: kept.record_create("/nothing/x.h5", {"every": 1.0, "series": ("a",)}), lambda k: kept.record_create("x", {"every": -1.0}),
             lambda k: kept.record_frame(3), lambda k: core.Scene({"text": "error('x')", "path": "x"}), lambda k: kept.measure_region("x", (0,), (1,)),
             lambda k: core.solve({}, "auto", {}, None), lambda k: system.restore(b"x"), lambda k: system.record_row(1.0, 2),
             lambda k: core.Run(path).restore(kept, 99, 0), lambda k: core.Run(path).restore(cell, 0, 0), lambda k: kept.__init__(WORLD)]
    return good + [quiet(f) for f in wrong]


@unittest.skipUnless(DEBUG, "runs under a debug build")
class References(unittest.TestCase):
    def test_every_call(self):
        count = 12
        core = load_core()
        with tempfile.TemporaryDirectory() as folder:
            for i, call in enumerate(calls(core, os.path.join(folder, "a.h5"))):
                for k in range(5):
                    call(k)
                more = []
                for _ in range(3):
                    gc.collect()
                    before = sys.gettotalrefcount()
                    for k in range(count):
                        call(k)
                    gc.collect()
                    more.append(sys.gettotalrefcount() - before)
                # caches of other modules settle; one reference per call, every time, is a leak, one less a loss
                self.assertLess(min(more), count // 2, (i, more))
                self.assertGreater(max(more), -count // 2, (i, more))


class Again(unittest.TestCase):
    @unittest.skipIf(DEBUG, "this is the debug build")
    def test_in_a_debug_build(self):
        python = os.environ.get("DEBUG_PYTHON")
        if not python:
            self.skipTest("there was no python3-dbg (Debian: python3-dbg) when the tests were built")
        run = subprocess.run([python, "-B", os.path.abspath(__file__)], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("Ran 2 tests", run.stderr)


if __name__ == "__main__":
    unittest.main()

"""Threads, Ctrl-C, memory."""
import gc
import os
import resource
import signal
import threading
import time
import unittest

import moreau
import numpy as np

SANITIZED = bool(os.environ.get("MOREAU_SANITIZED"))
#: sanitized builds are slow: the same with less of it
SLOW = 20 if SANITIZED else 1


def pile(n=60, **keys):
    w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81), **keys)
    w.law(friction=0.5)
    w.body(shape=moreau.Halfplane(), fixed=True)
    for i in range(n):
        w.body(shape=moreau.Disc(0.05), density=2600, position=(0.11 * (i % 8) + 0.001 * i, 0.06 + 0.11 * (i // 8)))
    return w


class Threads(unittest.TestCase):
    def test_worlds_in_threads_are_apart(self):
        alone = pile()
        alone.step(300 // SLOW)
        worlds = [pile() for _ in range(3)]
        threads = [threading.Thread(target=w.step, args=(300 // SLOW,)) for w in worlds]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual({w.hash for w in worlds}, {alone.hash})

    def test_callbacks_in_threads(self):
        def world():
            w = moreau.World(dim=2, h=1e-3)
            w.body(shape=moreau.Disc(0.1), mass=1, applied_force=lambda t: (t, 0))
            return w

        worlds = [world() for _ in range(4)]
        threads = [threading.Thread(target=w.step, args=(500,)) for w in worlds]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for w in worlds:
            self.assertAlmostEqual(w.u[0, 0], 0.125, delta=1e-9)

    def test_others_run_during_a_step_and_the_world_is_busy(self):
        inside, go_on = threading.Event(), threading.Event()

        def load(t):
            inside.set()
            go_on.wait(10)
            return (0, 0)

        w = moreau.World(dim=2, h=1e-3)
        w.body(shape=moreau.Disc(0.1), mass=1, applied_force=load)
        t = threading.Thread(target=w.step)
        t.start()
        self.assertTrue(inside.wait(10))
        for use in (w.step, lambda: w.q, lambda: w.contacts, lambda: w.info, lambda: w.hash, lambda: w.law(friction=1),
                    lambda: w.body(shape=moreau.Disc(1), mass=1), lambda: w.draw(), lambda: w.body_get(1),
                    lambda: w.measure.stress()):
            with self.assertRaisesRegex(moreau.UsageError, "in a step"):
                use()
        go_on.set()
        t.join()
        w.step()

    def test_the_lock_is_released(self):
        # while a long call of the library runs in one thread, this one keeps counting
        w = pile(400)  # some tenths of a second
        ticks, done = 0, threading.Event()

        def work():
            w.step(1500 // SLOW)
            done.set()

        t = threading.Thread(target=work)
        t.start()
        while not done.is_set():
            ticks += 1
            time.sleep(1e-4)
        t.join()
        self.assertGreater(ticks, 0)

    def test_files_in_threads(self):
        import tempfile
        errors = []

        def work(folder, k):
            try:
                for i in range(3):
                    path = os.path.join(folder, f"{k}-{i}.h5")
                    w = pile(5)
                    with w.record(path, every=0.005):
                        w.step(20)
                    np.testing.assert_array_equal(moreau.read(path)[-1].q, w.q)
            except Exception as e:
                errors.append(e)

        with tempfile.TemporaryDirectory() as folder:
            threads = [threading.Thread(target=work, args=(folder, k)) for k in range(3)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
        self.assertEqual(errors, [])


class Interrupts(unittest.TestCase):
    def interrupt(self, call, after=0.3):
        threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            call()
        # asked every 50 ms; the rest is a machine that does other things
        self.assertLess(time.monotonic() - start, after + 5)

    def test_steps(self):
        w = pile(300)
        self.interrupt(lambda: w.step(10**9))
        n = w.steps
        self.assertGreater(n, 0)
        w.step()
        self.assertEqual(w.steps, n + 1)

    def test_inside_a_long_solve(self):
        # sweeps alone on a high stack: the first impact takes many seconds
        w = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81), solver={"name": "nlgs", "tol": 1e-12, "max_iter": 2**31 - 1})
        w.law(friction=0.3)
        w.body(shape=moreau.Halfplane(), fixed=True)
        for i in range(600 if not SANITIZED else 100):
            w.body(shape=moreau.Rectangle(0.2, 0.1), density=1000, position=(0.001 * (i % 7), 0.05 + 0.1 * i))
        before = w.hash
        self.interrupt(w.step)
        # the step that was interrupted has not happened
        self.assertEqual((w.hash, w.steps), (before, 0))

    def test_scenes_and_processes(self):
        s = moreau.load("wall", until=1e4, message=None)
        self.interrupt(s.run)
        self.assertTrue(s.over)
        self.assertTrue(s.finish().interrupted)
        x = moreau.System(q=[1.0], u=[0.0], h=1e-3, scheme="moreau", force=lambda t, q: [-q[0]])
        self.interrupt(lambda: x.run(1e4))


class Memory(unittest.TestCase):
    def cycle(self, k):
        w = pile(8)
        # a callback that refers to its own world: a cycle for the collector
        w.body(shape=moreau.Disc(0.1), mass=1, position=(5, 5), applied_force=lambda t: (w.h * 0.0, k))
        w.step(3)
        w.q, w.contacts, w.info
        x = moreau.System(q=[1.0], u=[-1.0], h=0.1, scheme="moreau", gaps=[lambda t, q: q[0]])
        x.run(0.3)
        moreau.solve(np.eye(2), [-1.0, 0.0], [0.5])
        moreau.sets.Ball((0, 0), 1).prox((3, 4))
        try:
            w.body(shape=moreau.Disc(-1), density=1)
        except moreau.InputError:
            pass

    def test_a_thousand_worlds(self):
        if SANITIZED:
            self.skipTest("the sanitizer keeps freed memory")

        def resident():
            gc.collect()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * resource.getpagesize()

        for k in range(200):
            self.cycle(k)
        before = resident()
        for k in range(1000):
            self.cycle(k)
        grown = resident() - before
        # a world of nine bodies is some 100 kB: one in a thousand kept would not be seen, one in ten would
        self.assertLess(grown, 4 << 20, f"{grown} bytes more after 1000 cycles")

    def test_nothing_is_left_behind(self):
        # blocks of Python's own allocator: what a call keeps for good would count with every call
        import sys
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.h5")
            pile(3).save(path)
            kept = pile(5)
            calls = [self.cycle, lambda k: kept.q, lambda k: kept.contacts, lambda k: kept.info, lambda k: kept.body_get(2),
                     lambda k: moreau.read(path)[0].q, lambda k: moreau.read(path).bodies, lambda k: moreau.read(path).series,
                     lambda k: moreau.load("slope", steps=2, message=None).step(2), lambda k: moreau.params("slope"),
                     lambda k: moreau.Sweep(x=(0, 1), h=0.1, set=moreau.moving.Ball(lambda t: (t, 0), 1)).run(0.3),
                     lambda k: moreau.project(np.eye(2), [1, 1], (0, 0)), lambda k: kept.snapshot(path)]
            count = 200 // (SLOW // 2 or 1)
            for i, call in enumerate(calls):
                for k in range(10):
                    call(k)
                more = []
                for _ in range(3):
                    gc.collect()
                    before = sys.getallocatedblocks()
                    for k in range(count):
                        call(k)
                    gc.collect()
                    more.append(sys.getallocatedblocks() - before)
                # caches of other modules settle; a block in two calls, every time, is a leak
                self.assertLess(min(more), 20 + count // 2, (i, more))


if __name__ == "__main__":
    unittest.main()

"""`moreau run --live`: watching a run while it is computed, pausing, stepping and changing it."""
import json
import os
import time

from serving import Served
from support import call, main


class Watching(Served):
    def frames_of_copy(self):
        """Frames of the run file as a client gets it at this moment; one that is torn by what is being written is
        asked for again, as the page does."""
        for left in reversed(range(5)):
            with open(self.path("copy.h5"), "wb") as file:
                file.write(self.get("/run.h5")[2])
            done = call("info", self.path("copy.h5"), "--json")
            if done.returncode == 0 or left == 0:
                break
        return self.json("info", "copy.h5")["frames"]

    def hold(self, viewer):
        """Pauses; the state once all that was recorded is in the file."""
        viewer.send(type="pause")
        viewer.state(lambda s: s["paused"])
        return self.settled()

    def test_frames_grow_and_can_be_read(self):
        self.start("run", "live.lua", "--live")
        session = json.loads(self.get("/session.json")[2])
        self.assertEqual((session["name"], session["live"]), ("live.h5", True))
        self.assertEqual(session["parameters"][0], {"name": "push", "value": 0.0, "doc": "N", "live": True})
        viewer = self.live()
        last = 0
        for _ in range(5):
            state = viewer.state(lambda s, n=last: s["frames"] > n)
            last = state["frames"]
            self.assertGreaterEqual(self.frames_of_copy(), last)
            self.assertFalse(state["paused"] or state["done"])
        self.assertGreaterEqual(state["steps"], 20 * (state["frames"] - 1))
        self.assertEqual(set(state), {"type", "frames", "time", "t_end", "steps", "residual", "iterations", "contacts",
                                      "paused", "done", "pace", "values"})

    def test_pause_step_resume(self):
        self.start("run", "live.lua", "--live")
        viewer = self.live()
        viewer.state(lambda s: s["frames"] > 3)
        state = self.hold(viewer)
        frames = state["frames"]
        # all that was recorded is in the file, and nothing is added
        self.assertEqual((self.frames_of_copy(), state["paused"]), (frames, True))
        time.sleep(0.5)
        self.assertEqual(self.frames_of_copy(), frames)
        self.assertEqual(self.live().state()["frames"], frames)
        for k in (1, 2):
            viewer.send(type="step")
            stepped = viewer.state(lambda s, n=frames + k: s["frames"] >= n)
            self.assertEqual((stepped["frames"], stepped["paused"]), (frames + k, True))
            self.assertEqual(stepped["steps"] % 20, 0)
        self.assertEqual(self.frames_of_copy(), frames + 2)
        viewer.send(type="resume")
        viewer.state(lambda s: not s["paused"] and s["frames"] > frames + 5)

    def test_pace(self):
        """Half a second of the run takes a second of the clock; the page lets it go, and holds it back again."""
        self.start("run", "live.lua", "--live", "--pace", "0.5")
        viewer = self.live()
        first = viewer.state()
        self.assertEqual(first["pace"], 0.5)
        begun, at = time.monotonic(), first["time"]
        last = viewer.state(lambda s: s["time"] >= at + 0.6)
        rate = (last["time"] - at) / (time.monotonic() - begun)
        # never faster but by what it may be ahead; slower where the machine has no time for it
        self.assertLess(rate, 0.55)
        viewer.send(type="pace", value=0)
        viewer.state(lambda s: s["pace"] == 0 and s["time"] > last["time"] + 20)
        viewer.send(type="pace", value=1e-3)
        held = viewer.state(lambda s: s["pace"] == 1e-3)
        # a run that waits has all it recorded in its file, and hears what is asked of it
        time.sleep(0.5)
        self.assertGreaterEqual(self.frames_of_copy(), held["frames"])
        viewer.send(type="step")
        viewer.state(lambda s: s["paused"] and s["frames"] > held["frames"])
        for wrong in (-1, "fast", None):
            viewer.send(type="pace", value=wrong)
            while (answer := viewer.receive())["type"] == "frame":
                pass
            self.assertIn("pace", answer["message"])

    def test_the_example(self):
        """The shipped scene: below the friction the block stays, beyond it slides with F/m - mu g."""
        self.start("run", "pulled-block", "--live", "--set", "t_end=1e5", "--json", "-o", "run.h5")
        viewer = self.live()
        self.assertEqual(self.hold(viewer)["values"], {"pull": 3.0})
        viewer.send(type="set", name="pull", value=8)
        start = viewer.state(lambda s: s["values"]["pull"] == 8)
        for k in range(5):
            viewer.send(type="step")
            viewer.state(lambda s, n=start["frames"] + k: s["frames"] > n)
        result = json.loads(self.finish(expect=1).splitlines()[-1])
        on = result["live"][0][0]
        series = self.moreau("export", "run.h5", "--to", "csv", "--what", "series", "-o", "-").stdout.splitlines()
        names, last = series[0].split(","), series[-1].split(",")
        self.assertAlmostEqual(float(last[names.index("velocity")]), (8 - 0.5 * 9.81) * (float(last[0]) - on * 1e-3),
                               delta=1e-9)
        self.assertAlmostEqual(float(last[names.index("friction")]), -0.5 * 9.81, delta=1e-6)
        rows = self.moreau("export", "run.h5", "--to", "csv", "--frame", "last", "-o", "-").stdout.splitlines()
        self.assertTrue(rows[0].endswith(",distance"))
        self.assertEqual(rows[-1].split(",")[-1], rows[-1].split(",")[2])

    def test_set(self):
        """F = m a: a push of 3 N for 100 steps from rest, then none."""
        self.start("run", "live.lua", "--live", "--json", "-o", "run.h5")
        viewer, other = self.live(), self.live()
        start = self.hold(viewer)
        viewer.send(type="set", name="push", value=3)
        for k in range(5):
            viewer.send(type="step")
            viewer.state(lambda s, n=start["frames"] + k: s["frames"] > n)
        viewer.send(type="set", name="push", value=0)
        # everybody is told
        self.assertEqual(other.state(lambda s: s["values"]["push"] == 3.0)["values"], {"push": 3.0})
        viewer.send(type="step")
        end = viewer.state(lambda s: s["frames"] >= start["frames"] + 6)
        result = json.loads(self.finish(expect=1).splitlines()[-1])
        (on, name1, three), (off, name2, none) = result["live"]
        self.assertEqual((name1, three, name2, none), ("push", 3.0, "push", 0.0))
        self.assertEqual(end["steps"] - off, 20)
        rows = self.moreau("export", "run.h5", "--to", "csv", "--frame", "last", "-o", "-").stdout.splitlines()
        vx = float(rows[-1].split(",")[5])
        self.assertAlmostEqual(vx, 3 * (off - on) * 1e-3, delta=1e-12)

    def test_messages_that_make_no_sense(self):
        self.start("run", "live.lua", "--live")
        viewer = self.live()
        viewer.send(type="pause")
        viewer.state(lambda s: s["paused"])
        for data in (b"", b"[]", b"{", b"{}", b'{"type": 1}', b'{"type": "fly"}', b'{"type": "set"}', b"\xff\xfe",
                     b'{"type": "set", "name": "push"}', b'{"type": "set", "name": "push", "value": "much"}',
                     b'{"type": "set", "name": "push", "value": 1e999}', b'{"type": "set", "name": "t_end", "value": 1}',
                     b'{"type": "set", "name": "no", "value": 1}', b'{"type": "set", "name": "push", "value": [1]}'):
            viewer.send_frame(1, data)
            while (answer := viewer.receive())["type"] == "frame":
                pass
            self.assertEqual(answer["type"], "error", data)
        self.assertEqual(self.live().state()["values"], {"push": 0.0})

    def test_frames_of_the_protocol(self):
        self.start("run", "live.lua", "--live")
        viewer = self.live()
        viewer.send(type="pause")
        viewer.state(lambda s: s["paused"])
        # a message in parts, with a ping between
        text = b'{"type": "set", "name": "push", "value": 2}'
        viewer.send_frame(1, text[:9], last=False)
        viewer.send_frame(9, b"ping")
        viewer.send_frame(0, text[9:])
        while (answer := viewer.receive_frame())[0] == 1:
            pass
        self.assertEqual(answer, (10, b"ping"))
        viewer.state(lambda s: s["values"]["push"] == 2)
        viewer.send_frame(8, b"\x03\xe8")
        self.assertIsNone(viewer.closed())
        for expected, frame in ((1002, dict(kind=1, data=b"x", mask=b"")), (1003, dict(kind=2, data=b"x")),
                                (1009, dict(kind=1, data=b"x" * 5000)), (1002, dict(kind=0, data=b"x")),
                                (1002, dict(kind=9, data=b"x", last=False)), (1002, dict(kind=5, data=b""))):
            bad = self.live()
            bad.send_frame(**frame)
            self.assertEqual(bad.closed(), expected, frame["kind"])
        long = self.live()
        long.send_frame(1, b"x" * 4000, last=False)
        long.send_frame(0, b"x" * 4000, last=False)
        self.assertEqual(long.closed(), 1009)

    def test_who_may_listen(self):
        self.start("run", "live.lua", "--live")
        self.assertEqual(self.live(Cookie="").status, 403)
        self.assertEqual(self.live(Origin="http://evil.example").status, 403)
        self.assertEqual(self.live(Origin=f"http://127.0.0.1:{self.port}").status, 101)
        self.assertEqual(self.live(Sec_WebSocket_Version="8").status, 426)
        self.assertEqual(self.live(Sec_WebSocket_Key="short").status, 400)
        self.assertEqual(self.get("/live")[0], 426)

    def test_one_that_does_not_listen(self):
        """Clients that never read do not hold up the run."""
        self.start("run", "live.lua", "--live")
        deaf = [self.live() for _ in range(5)]
        viewer = self.live()
        first = viewer.state()
        self.assertGreater(viewer.state(lambda s: s["frames"] > first["frames"] + 300)["steps"], first["steps"])
        self.assertEqual({s.status for s in deaf}, {101})


class Endings(Served):
    def test_same_bits_as_unwatched(self):
        alone = self.hash("live.lua", "--set", "t_end=2")
        self.start("run", "live.lua", "--live", "--no-wait", "--set", "t_end=2", "--hash", "--quiet")
        viewer = self.live()
        for message in ("pause", "step", "resume", "pause", "resume"):
            viewer.send(type=message)
        self.assertEqual(self.ended().strip(), alone)

    def test_stays_after_the_end(self):
        self.start("run", "live.lua", "--live", "--set", "t_end=0.1", "--json", "-o", "run.h5")
        result = json.loads(self.process.stdout.readline())
        self.assertEqual((result["status"], result["output"]), ("ok", "run.h5"))
        self.assertNotIn("live", result)
        state = self.live().state(lambda s: s["done"])
        self.assertEqual((state["frames"], state["steps"], state["status"]), (6, 100, "ok"))
        with open(self.path("run.h5"), "rb") as file:
            self.assertEqual(self.get("/run.h5")[2], file.read())
        viewer = self.live()
        viewer.state()
        viewer.send(type="pause")
        self.assertEqual(viewer.receive()["type"], "error")
        self.assertEqual(self.finish(), "")

    def test_temporary_file(self):
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = self.folder
        self.addCleanup(lambda: os.environ.pop("TMPDIR") if before is None else os.environ.update(TMPDIR=before))
        for arguments, code in ((["--set", "t_end=0.1"], 0), ([], 1)):
            self.start("run", "live.lua", "--live", *arguments)
            self.live().state(lambda s, ends=code == 0: s["done"] or (not ends and s["frames"] > 2))
            self.assertEqual(len([n for n in os.listdir(self.folder) if n.startswith("moreau-")]), 1)
            self.finish(expect=code)
            self.assertEqual([n for n in os.listdir(self.folder) if n.startswith("moreau-")], [])

    def test_a_paused_run_can_be_ended_and_resumed(self):
        """The value that was set is the one that the resumed run goes on with."""
        self.start("run", "live.lua", "--live", "-o", "run.h5")
        viewer = self.live()
        viewer.send(type="pause")
        viewer.state(lambda s: s["paused"])
        viewer.send(type="set", name="push", value=2.5)
        viewer.send(type="step")
        state = viewer.state(lambda s: s["values"]["push"] == 2.5 and s["paused"])
        self.finish(expect=1)
        until = state["time"] + 1
        resumed = self.json("run", "live.lua", "--resume", "run.h5", "-o", "end.h5", "--until", until)
        self.assertEqual(resumed["report"]["push"], 2.5)
        self.assertGreater(resumed["report"]["x"], 0.9)
        given = self.json("run", "live.lua", "--resume", "run.h5", "-o", "other.h5", "--until", until,
                          "--set", "push=0.0")
        self.assertEqual(given["report"]["push"], 0)

    def test_scene_that_fails(self):
        self.path("bad.lua", "world {")
        self.moreau("run", "bad.lua", "--live", "--no-open", "--page", "page.html", expect=3)
        self.path("late.lua", "world { dim = 2, h = 1e-2, t_end = 1 }\nat(0.1, function() error('late') end)")
        self.start("run", "late.lua", "--live")
        state = self.live().state(lambda s: s["done"])
        self.assertIn("late", state["status"])
        self.finish(expect=3)

    def test_usage(self):
        for arguments in (["--port", "1"], ["--no-open"], ["--no-wait"], ["--page", "page.html"]):
            self.assertIn("--live", self.moreau("run", "live.lua", *arguments, expect=2).stderr)

    def test_sweep(self):
        self.path("sweep.lua", "local r = live('r', 1.0)\nsweep { x = {0, 1}, h = 1e-3, t_end = 1e4, method = 'catching-up',"
                  " set = ball { center = function(t) return {t, 0} end, radius = 2 } }")
        self.start("run", "sweep.lua", "--live")
        viewer = self.live()
        viewer.state(lambda s: s["frames"] > 0)
        viewer.send(type="pause")
        viewer.state(lambda s: s["paused"])
        frames = self.settled()["frames"]
        viewer.send(type="step")
        viewer.state(lambda s: s["frames"] == frames + 1)
        self.finish(expect=1)


if __name__ == "__main__":
    main()

"""Where output goes and what happens when it cannot: full and closed devices, folders, terminals."""
import fcntl
import json
import os
import pty
import re
import resource
import select
import struct
import subprocess
import termios
import unittest

from support import MOREAU, Case, main


class Failures(Case):
    def test_full_standard_output(self):
        self.moreau("run", "scene.lua", "-o", "run.h5", "--quiet")
        for arguments in (["--help"], ["examples"], ["run", "scene.lua", "--json"], ["info", "run.h5"],
                          ["export", "run.h5", "--to", "csv", "-o", "-"],
                          ["export", "run.h5", "--to", "png", "-o", "-"],
                          ["compare", "run.h5", "run.h5"]):
            if arguments == ["examples"] and self.moreau("examples").stdout == "":
                continue
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.assertRegex(self.moreau(*arguments, expect=4, stdout=full).stderr, r"(?m)^moreau: ")

    def test_messages_name_a_file_once(self):
        """They said "-: cannot write -" and "x.h5: x.h5 is not an HDF5 file"."""
        self.moreau("run", "scene.lua", "-o", "run.h5", "--quiet")
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.moreau("export", "run.h5", "--to", "csv", "-o", "-", expect=4, stdout=full)
        self.assertRegex(done.stderr, r"\Amoreau: standard output: cannot write: .*\n\Z")
        os.mkdir(self.path("folder"))
        self.path("empty.h5", "")
        for name, arguments, code in (("scene.lua", ["info", "scene.lua"], 3), ("empty.h5", ["info", "empty.h5"], 3),
                                      ("folder", ["run", "scene.lua", "-o", "folder"], 4),
                                      ("/dev/full", ["export", "run.h5", "--to", "csv", "-o", "/dev/full"], 4)):
            self.assertEqual(self.moreau(*arguments, expect=code).stderr.count(name), 1)

    def test_closed_standard_output_does_not_reach_the_run_file(self):
        done = subprocess.run([MOREAU, "run", "scene.lua", "-o", "run.h5"], cwd=self.folder, stderr=subprocess.PIPE,
                              text=True, timeout=60, preexec_fn=lambda: os.close(1))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(self.json("info", "run.h5")["frames"], 11)

    def test_reader_that_goes_away(self):
        read, write = os.pipe()
        os.close(read)
        try:
            done = self.moreau("help", expect=4, stdout=write)
        finally:
            os.close(write)
        self.assertIn("standard output", done.stderr)

    def test_output_that_cannot_be_written(self):
        self.moreau("run", "scene.lua", "-o", "run.h5", "--quiet")
        os.mkdir(self.path("folder"))
        for arguments in (["run", "scene.lua", "-o", "absent/run.h5"], ["run", "scene.lua", "-o", "folder"],
                          ["export", "run.h5", "--to", "csv", "-o", "absent/x.csv"],
                          ["export", "run.h5", "--to", "png", "-o", "absent/x.png"],
                          ["export", "run.h5", "--to", "vtk", "-o", "absent/folder"],
                          ["export", "run.h5", "--to", "png", "--frame", "all", "-o", "run.h5/x"],
                          ["export", "run.h5", "--to", "xdmf", "-o", "absent/x.xdmf"]):
            self.assertRegex(self.moreau(*arguments, expect=4).stderr, r"(?m)^moreau: .*(absent|folder|run\.h5)")
        self.assertNotEqual(self.json("run", "scene.lua", "-o", "absent/run.h5", expect=4)["status"], "ok")

    def test_csv_to_a_full_device(self):
        self.moreau("run", "scene.lua", "-o", "run.h5", "--quiet")
        for what in ("bodies", "contacts", "series"):
            self.moreau("export", "run.h5", "--to", "csv", "--what", what, "-o", "/dev/full", expect=4)
        # more than a buffer: the cause was lost, "not everything was written"
        self.moreau("run", "scene.lua", "--set", "n=40", "-o", "large.h5", "--quiet")
        self.assertGreater(len(self.moreau("export", "large.h5", "--to", "csv", "-o", "-").stdout), 20000)
        done = self.moreau("export", "large.h5", "--to", "csv", "-o", "/dev/full", expect=4)
        self.assertIn("/dev/full: cannot write: No space left on device", done.stderr)

    def limited(self, size, *arguments):
        """Files may have so many bytes (ulimit -f)."""
        return self.moreau(*arguments, expect=4,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))

    def test_file_sizes_are_limited(self):
        done = self.limited(20000, "run", "scene.lua", "-o", "none.h5", "--json")
        self.assertIn("none.h5: cannot write the run file: File too large", done.stderr)
        self.assertIn("File too large", json.loads(done.stdout.splitlines()[-1])["status"])
        self.assertEqual([name for name in os.listdir(self.folder) if "none" in name], [])
        self.moreau("run", "scene.lua", "--steps", "0", "-o", "start.h5", "--quiet")
        room = os.path.getsize(self.path("start.h5")) + 200000
        done = self.limited(room, "run", "scene.lua", "--set", "n=40", "--set", "t_end=1000", "-o", "long.h5")
        self.assertIn("File too large", done.stderr)
        # what was written before is there
        self.assertGreater(self.json("info", "long.h5")["frames"], 3)
        self.moreau("run", "scene.lua", "-o", "run.h5", "--quiet")
        done = self.limited(100, "export", "run.h5", "--to", "csv", "-o", "run.csv")
        self.assertIn("run.csv: cannot write: File too large", done.stderr)

    @unittest.skipIf(os.geteuid() == 0, "everything may be read and written")
    def test_no_permission(self):
        os.chmod(self.path("scene.lua"), 0)
        self.moreau("run", "scene.lua", expect=4)


class Terminal(Case):
    def on_terminal(self, *arguments, columns=100):
        """Standard error is a terminal, standard output a pipe; gives both texts."""
        try:
            main_end, terminal = pty.openpty()
        except OSError as error:  # a bare chroot has no terminals
            self.skipTest(str(error))
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([MOREAU, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=terminal)
        os.close(terminal)
        shown = b""
        while select.select([main_end], [], [], 60)[0]:
            try:
                piece = os.read(main_end, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        os.close(main_end)
        out = process.communicate(timeout=60)[0].decode()
        self.assertEqual(process.returncode, 0, shown)
        return out, shown.decode()

    def test_bar_on_a_terminal(self):
        out, shown = self.on_terminal("run", "scene.lua", columns=140)
        self.assertIn("status       ok", out)
        for field in (r"100%", r"\[=+>? *\]", r"t 0\.2/0\.2 s", r"contacts \d", r"iter \d", r"res \d", r"left",
                      r"step 200/200", r"steps/s"):
            self.assertRegex(shown, field)
        # taken away at the end
        self.assertRegex(shown, r"\r +\r\Z")

    def test_bar_fits_the_terminal(self):
        for columns in (20, 40, 80):
            _, shown = self.on_terminal("run", "scene.lua", columns=columns)
            lines = shown.split("\r")
            self.assertGreater(max(map(len, lines)), columns // 2)
            self.assertLess(max(map(len, lines)), columns)

    def test_few_drawings(self):
        _, shown = self.on_terminal("run", "scene.lua", "--set", "n=6")
        seconds = self.json("run", "scene.lua", "--set", "n=6")["wall_seconds"]
        # ten a second, the first and the last; a busy machine may have been slower than the second run
        self.assertLessEqual(shown.count("%"), 40 * seconds + 12)

    def test_no_bar_when_quiet(self):
        _, shown = self.on_terminal("run", "scene.lua", "--quiet")
        self.assertEqual(shown, "")

    def test_no_bar_without_a_terminal(self):
        self.assertEqual(self.moreau("run", "scene.lua").stderr, "")

    def test_json_stays_alone_with_a_bar(self):
        out, shown = self.on_terminal("run", "scene.lua", "--json")
        self.assertEqual(len(out.splitlines()), 1)
        self.assertTrue(re.search("100%", shown))


if __name__ == "__main__":
    main()

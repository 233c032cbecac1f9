"""Help, version, exit statuses and messages for wrong usage."""
import json
import os
import re
import subprocess

from support import MOREAU, Case, call, main

COMMANDS = ["run", "sweep-params", "info", "export", "compare", "view", "examples", "bench", "help"]


class Help(Case):
    def test_version(self):
        self.assertRegex(self.moreau("--version").stdout, r"\Amoreau \d+\.\d+\.\d+\n\Z")

    def test_overview_names_every_command(self):
        for arguments in (["--help"], ["help"], ["-h"]):
            text = self.moreau(*arguments).stdout
            for name in COMMANDS:
                self.assertRegex(text, rf"(?m)^  {name} ")

    def test_help_of_each_command_two_ways(self):
        for name in COMMANDS:
            text = self.moreau("help", name).stdout
            self.assertTrue(text.startswith(f"usage: moreau {name}"), text)
            self.assertIn("exit status", text)
            self.assertEqual(self.moreau(name, "--help").stdout if name != "help" else text, text)

    def test_help_of_a_scene_lists_its_parameters(self):
        text = self.moreau("run", "scene.lua", "--help").stdout
        for name, default, doc in (("n", "2", "number of discs"), ("mu", "0.5", "friction"),
                                   ("word", "none", "any text"), ("slow", "false", "start at rest")):
            self.assertRegex(text, rf"(?m)^  {name} = .*{re.escape(default)}.*{doc}")
        listed = self.json("run", "scene.lua", "--help")["parameters"]
        self.assertEqual([p["name"] for p in listed], ["n", "mu", "word", "slow", "t_end"])

    def test_columns_of_parameters_are_straight(self):
        # letters of two bytes counted twice
        self.path("words.lua", 'param("größe", 0.5, "of a grain") param("n", 3) param("wort", "Kö") param("plain", 12.25)\n'
                               'world { dim = 2, h = 1e-3, t_end = 0.01 }\n')
        lines = self.moreau("run", "words.lua", "--help").stdout.splitlines()[1:]
        self.assertEqual({line.index("(") for line in lines}, {len("  plain = 12.25  ")}, lines)
        self.assertEqual([line for line in lines if line != line.rstrip()], [])


class WrongUsage(Case):
    def refused(self, *arguments, saying, code=2):
        done = self.moreau(*arguments, expect=code)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Amoreau: ")
        self.assertIn(saying, done.stderr)

    def test_nothing(self):
        self.refused(saying="no command")

    def test_nearest_command(self):
        self.refused("exprot", saying="did you mean 'export'?")
        self.refused("rum", saying="did you mean 'run'?")
        self.refused("help", "exam", saying="did you mean 'examples'?")
        done = call("zebra")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("did you mean", done.stderr)

    def test_nearest_option(self):
        self.refused("run", "scene.lua", "--treads", "2", saying="did you mean '--threads'?")
        self.refused("export", "x.h5", "--to", "pgn", saying="did you mean 'png'?")

    def test_numbers(self):
        for option, values in (("--steps", ["-1", "1.5", "12x", "", "1e3", "99999999999999999999"]),
                               ("--until", ["-1", "nan", "inf", "1s", " 1"]),
                               ("--seed", ["-1", "18446744073709551616", "x", "1.0"]),
                               ("--threads", ["0", "-2", "two", "100000"])):
            for value in values:
                self.refused("run", "scene.lua", option, value, saying=f"option {option}")

    def test_missing_values_and_arguments(self):
        self.refused("run", saying="needs a scene")
        self.refused("run", "scene.lua", "-o", saying="option -o needs a value")
        self.refused("run", "scene.lua", "--steps", "--quiet", saying="option --steps needs a value")
        self.refused("run", "scene.lua", "--quiet=1", saying="takes no value")
        self.refused("run", "scene.lua", "other.lua", saying="one scene")
        self.refused("run", "scene.lua", "--set", "n", saying="NAME=VALUE")
        self.refused("run", "scene.lua", "--set", "=1", saying="NAME=VALUE")
        self.refused("run", "scene.lua", "-o", "-", saying="standard output")
        self.refused("compare", "one.h5", saying="two run files")
        self.refused("info", saying="one file")
        self.refused("export", "x.h5", saying="--to")

    def test_parameters(self):
        self.refused("run", "scene.lua", "--set", "nn=1", saying="nn")
        self.refused("run", "scene.lua", "--set", "n=many", saying="n")
        self.refused("run", "scene.lua", "--set", "slow=2", saying="slow")

    def test_a_run_never_overwrites_its_scene(self):
        with open(self.path("scene.lua"), encoding="utf-8") as file:
            before = file.read()
        self.refused("run", "scene.lua", "-o", "./scene.lua", saying="the scene itself")
        with open(self.path("scene.lua"), encoding="utf-8") as file:
            self.assertEqual(file.read(), before)

    def test_json_also_when_wrong(self):
        for arguments in (["run", "scene.lua", "--steps", "x"], ["nonsense"], ["info"],
                          ["run", "scene.lua", "--set", "nn=1"]):
            self.assertNotEqual(self.json(*arguments, expect=2)["status"], "ok")


class BadInput(Case):
    def test_absent_files(self):
        for arguments in (["run", "absent.lua"], ["run", "./absent"], ["info", "absent.h5"],
                          ["compare", "absent.h5", "b.h5"], ["export", "absent.h5", "--to", "csv"],
                          ["run", "scene.lua", "--resume", "absent.h5"]):
            self.assertIn("absent", self.moreau(*arguments, expect=3).stderr)
            self.assertIn("absent", self.json(*arguments, expect=3)["status"])

    def test_unknown_example(self):
        self.assertIn("no example is named 'nonsense'", self.moreau("run", "nonsense", expect=3).stderr)
        # a file beside is meant only when written with its ending
        self.assertIn("scene.lua", self.moreau("run", "scene", expect=3).stderr)

    def test_folder_is_no_file(self):
        os.mkdir(self.path("folder.lua"))
        self.moreau("run", "folder.lua", expect=3)
        self.moreau("info", "folder.lua", expect=3)

    def test_info_does_not_wait_for_a_pipe(self):
        os.mkfifo(self.path("pipe.h5"))
        self.assertIn("not a regular file", self.moreau("info", "pipe.h5", expect=3).stderr)

    def test_wrong_scene_names_file_line_and_key(self):
        self.path("wrong.lua", "world { dim = 2, h = 1e-3, t_end = 1 }\n\n"
                               "body { shape = disc { radius = -1 }, density = 1 }\n")
        text = self.moreau("run", "wrong.lua", expect=3).stderr
        self.assertRegex(text, r"wrong\.lua:3: .*radius")
        status = self.json("run", "wrong.lua", expect=3)["status"]
        self.assertRegex(status, r"wrong\.lua:3: .*radius")

    def test_syntax_error(self):
        self.path("syntax.lua", "world {\n  dim = = 2\n}\n")
        self.assertRegex(self.moreau("run", "syntax.lua", expect=3).stderr, r"syntax\.lua:2:")

    def test_text_is_no_run_file(self):
        self.assertIn("scene.lua", self.moreau("info", "scene.lua", expect=3).stderr)
        self.assertNotEqual(self.json("info", "scene.lua", expect=3)["status"], "ok")

    def test_names_that_are_not_utf8(self):
        name = b"\xff\xfe.lua"
        done = subprocess.run([MOREAU.encode(), b"run", name, b"--json"], cwd=self.folder, capture_output=True,
                              timeout=60)
        self.assertEqual(done.returncode, 3)
        self.assertIn("\ufffd", json.loads(done.stdout.decode("utf-8"))["status"])

    def test_groups_that_are_not_utf8(self):
        # keys of the object: the command ended with "out of memory" and without JSON
        self.path("groups.lua", 'world { dim = 2, h = 1e-3, t_end = 0.01 }\n'
                                'body { shape = disc { radius = 1 }, mass = 1, group = "grains \\xff", name = "\\xfe" }\n')
        self.json("run", "groups.lua", "-o", "groups.h5")
        self.assertEqual(self.json("info", "groups.h5")["bodies"]["groups"]["grains \ufffd"], 1)


class Examples(Case):
    def shipped(self):
        folder = os.environ.get("EXAMPLES")
        if folder is None:
            self.skipTest("EXAMPLES is not set")
        return {name[:-4]: os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".lua")}

    def test_every_shipped_scene_is_listed_in_order(self):
        names = sorted(self.shipped())
        listed = self.moreau("examples").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed], names)
        for line in listed:
            self.assertGreater(len(line.split()), 2, f"no title: {line}")
        self.assertEqual([e["name"] for e in self.json("examples")["examples"]], names)

    def test_text_is_that_of_the_file(self):
        for name, path in self.shipped().items():
            with open(path, "rb") as file:
                wanted = file.read()
            done = subprocess.run([MOREAU, "examples", name], stdout=subprocess.PIPE, timeout=60, check=True)
            self.assertEqual(done.stdout, wanted)

    def test_nearest_name(self):
        for name in self.shipped():
            if len(name) >= 5:
                text = self.moreau("examples", name[:-1], expect=2).stderr
                self.assertIn("did you mean", text)
                return


if __name__ == "__main__":
    main()

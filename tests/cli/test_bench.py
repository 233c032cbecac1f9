"""`moreau bench`: the list, tables, the page, and wrong usage."""
import os

from support import Case, main

SCHEMES = ["moreau", "moreau-jean", "paoli-schatzman", "mabrouk", "bernicot-lefebvre", "event-driven", "compliant", "alpha"]
FEW = ["single-impact", "corner-90", "rocking-block"]


def without_times(result):
    for table in result["situations"]:
        for row in table["rows"]:
            row.pop("seconds")
    return result


class Bench(Case):
    def test_list(self):
        text = self.moreau("bench").stdout
        names = self.json("bench")["schemes"]
        self.assertEqual(len(names), len(set(names)))
        for name in FEW + ["bouncing-ball", "grazing", "double-pendulum", "impact-oscillator", "newton-cradle", "elastic-bar",
                           "guided-pipe", "slider-crank", "moving-wall", "corner-60", "corner-120"]:
            self.assertIn(name, names)
            self.assertRegex(text, rf"(?m)^  {name} +\w")

    def test_json(self):
        result = self.json("bench", "schemes", *FEW, "--quick")
        self.assertEqual([t["name"] for t in result["situations"]], FEW)
        first = result["situations"][0]
        self.assertEqual([o["scheme"] for o in first["orders"]], SCHEMES)
        self.assertEqual(first["orders"][5], {"scheme": "event-driven", "position": "exact", "velocity": "exact"})
        self.assertAlmostEqual(first["orders"][0]["position"], 1, delta=0.1)
        row = first["rows"][0]
        self.assertEqual((row["scheme"], row["steps"], row["h"], row["trouble"]), ("moreau", 40, 0.05, ""))
        self.assertEqual(list(row["errors"]), ["position", "velocity", "energy", "violation"])
        # the impact is found within a step, and nothing is lost
        self.assertLess(row["errors"]["position"], 1.3 * row["h"])
        self.assertLess(row["errors"]["energy"], 1e-14)
        # friction is for two schemes
        self.assertEqual([o["scheme"] for o in result["situations"][2]["orders"]], SCHEMES[:2])

    def test_same_numbers_again(self):
        calls = [without_times(self.json("bench", "schemes", *FEW, "--quick")) for _ in range(2)]
        self.assertEqual(*calls)

    def test_all_of_them_quickly(self):
        names = self.json("bench")["schemes"]
        # one by one: the whole may take longer than one call may, where sanitizers watch
        tables = [self.json("bench", "schemes", name, "--quick")["situations"] for name in names]
        self.assertEqual([[t["name"] for t in table] for table in tables], [[name] for name in names])
        for [table] in tables:
            found = [r for r in table["rows"] if r["scheme"] == "moreau-jean"]
            self.assertTrue(found and all(r["trouble"] == "" for r in found), table["name"])

    def test_table(self):
        text = self.moreau("bench", "schemes", "corner-90", "--quick").stdout
        self.assertRegex(text, r"(?m)^scheme +steps +h +position +velocity +energy +violation +vertex +beside +forces +solves +ms$")
        self.assertRegex(text, r"(?m)^paoli-schatzman +50 ")
        self.assertRegex(text, r"(?m)^event-driven +exact +exact$")

    def test_page(self):
        self.moreau("bench", "schemes", *FEW, "--quick", "-o", "pages")
        with open(self.path("pages/schemes.md"), encoding="utf-8") as file:
            text = file.read()
        for name in FEW:
            self.assertIn(f"\n## {name}\n", text)
            self.assertIn(f"](schemes/{name}.png)", text)
            with open(self.path(f"pages/schemes/{name}.png"), "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        self.assertRegex(text, r"(?m)^\| `event-driven` \| exact \| exact \|")
        # every row of a table has as many cells as its head
        for block in text.split("\n\n"):
            if block.startswith("| scheme"):
                self.assertEqual(len({line.count("|") for line in block.strip().splitlines()}), 1, block)
        # again into the same folder
        self.moreau("bench", "schemes", "single-impact", "--quick", "-o", "pages")

    def test_wrong_usage(self):
        for arguments, words in ((["schems"], "did you mean 'schemes'?"), (["schemes", "grazin"], "did you mean 'grazing'?"),
                                 (["schemes", "zzz"], "no situation 'zzz'"), (["--quick"], "what to measure"),
                                 (["schemes", "--quik"], "did you mean '--quick'?"), (["schemes", "-o"], "needs a value")):
            done = self.moreau("bench", *arguments, expect=2)
            self.assertEqual(done.stdout, "")
            self.assertIn(words, done.stderr)
        self.assertIn("no situation", self.json("bench", "schemes", "zzz", expect=2)["status"])

    def test_folder_that_cannot_be(self):
        self.path("file", "text")
        done = self.moreau("bench", "schemes", "single-impact", "--quick", "-o", "file", expect=4)
        self.assertIn("cannot make the folder", done.stderr)
        os.makedirs(self.path("full/schemes.md"))
        done = self.moreau("bench", "schemes", "single-impact", "--quick", "-o", "full", expect=4)
        self.assertIn("schemes.md", done.stderr)


if __name__ == "__main__":
    main()

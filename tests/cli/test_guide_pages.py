"""docs/guide: the scenes and commands of its pages, run in the order of each, and what the pages show of them."""
import math
import os
import re
import shlex

from support import Case, call, main
from test_guide import ROOT, blocks

# followed by tests of their own: test_guide.py, test_sweep_params.py and the tests of the package
ELSEWHERE = {"first-steps.md", "sweeping-parameters.md", "python.md"}

# what a piece of a scene stands in
AROUND = """world { dim = 2, h = 1e-3, t_end = 1 }
local wall = body { shape = disc { radius = 1 }, mass = 1 }
local top = body { shape = disc { radius = 1 }, mass = 1, position = {0, 3} }
"""
AROUND_MASONRY = """world { dim = 3, h = 1e-3, t_end = 1 }
"""

NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def pages():
    return sorted(set(os.listdir(os.path.join(ROOT, "docs/guide"))) - ELSEWHERE)


def whole(text):
    if re.search(r"\b(world|system|sweep) \{", text):
        return text
    return (AROUND_MASONRY if "generate." in text else AROUND) + text


def transcript(text):
    """(command, the lines shown below it) of a block; none below commands without `$ `."""
    for piece in re.split(r"^(?:\$ )?(?=moreau )", text, flags=re.M)[1:]:
        command, _, shown = piece.partition("\n")
        yield command, shown.splitlines()


class Followed(Case):
    def same(self, shown, printed):
        """Words to the letter; numbers to the digits shown, and what is rounding as such."""
        self.assertEqual(NUMBER.sub("#", shown).split(), NUMBER.sub("#", printed).split())
        for a, b in zip(map(float, NUMBER.findall(shown)), map(float, NUMBER.findall(printed))):
            self.assertLess(abs(a - b), max(1e-12, 2e-5 * abs(a)), f"{shown}\n{printed}")

    def command(self, line, shown):
        # globs are the shell's
        done = call(*shlex.split(line)[1:], cwd=self.folder) if "*" not in line else self.shell(line)
        # no equilibrium is exit status 1, and shown
        self.assertEqual(done.returncode, int(any("impossible" in one for one in shown)), f"{line}\n{done.stderr}")
        if shown:
            printed = done.stdout.splitlines()
            self.assertEqual(len(shown), len(printed), done.stdout)
            for pair in zip(shown, printed):
                self.same(*pair)

    def shell(self, line):
        words = shlex.split(line)[1:]
        folder, _, pattern = next(word for word in words if "*" in word).rpartition("/")
        self.assertEqual(pattern, "*.hdf5")
        files = sorted(os.path.join(folder, name) for name in os.listdir(self.path(folder)) if name.endswith(".hdf5"))
        self.assertGreater(len(files), 0, line)
        return call(*sum(([word] if "*" not in word else files for word in words), []), cwd=self.folder)

    def follow(self, page):
        """How many scenes and commands the page has; all of them run."""
        scenes = commands = 0
        for language, text, name, _ in blocks(page):
            if language == "lua":
                scenes += 1
                self.path(name or "piece.lua", whole(text))
                self.moreau("run", name or "piece.lua", "--steps", "2", "--quiet")
            for line, shown in transcript(text) if language in ("", "sh") else ():
                commands += 1
                self.command(line, shown)
        return scenes, commands


class Pages(Followed):
    def test_every_scene_and_command(self):
        found = {}
        for page in pages():
            with self.subTest(page):
                found[page] = self.follow(page)
        # so that none is overlooked: a page that loses or gains some says so here
        self.assertEqual({page: count for page, count in found.items() if any(count)},
                         {"equilibrium.md": (1, 4), "generators.md": (1, 4), "live.md": (1, 0), "scenes.md": (15, 2)})

    def test_options_in_the_prose(self):
        for page in pages():
            with open(os.path.join(ROOT, "docs/guide", page), encoding="utf-8") as file:
                spans = re.findall(r"`moreau ([^`\n]*)`", file.read())
            for words in map(str.split, spans):
                text = self.moreau("help", words[0] if words[0] != "help" else words[-1]).stdout
                for option in (word for word in words if word.startswith("--") and word != "--help"):
                    self.assertIn(option, text, f"{page}: moreau {' '.join(words)}")

    def test_forces_shown_carry_the_block(self):
        # 20 kg on 20 degrees: normal forces add up to m g cos a, friction forces to -m g sin a
        [shown] = [lines for _, text, _, _ in blocks("equilibrium.md") for line, lines in transcript(text) if "mu=0.4" in line]
        rows = [line.split() for line in shown[2:4]]
        a, weight = math.radians(20), 1000 * 0.2 * 0.1 * 9.81
        self.assertAlmostEqual(sum(float(row[4]) for row in rows), weight * math.cos(a), delta=1e-6)
        self.assertAlmostEqual(sum(float(row[5]) for row in rows), -weight * math.sin(a), delta=1e-6)


if __name__ == "__main__":
    main()

"""`moreau solve` and `moreau info` on friction-contact problems: small ones, and real ones if there are any."""
import glob
import json
import math
import os
import shutil
import stat
import unittest

from support import HERE, Case, call, main

CORPUS = os.path.join(HERE, "..", "fuzz", "corpus", "problem")
COLLECTION = os.environ.get("MOREAU_FCLIB", os.path.join(HERE, "..", "..", "..", "shared", "fclib"))
KEYS = ["file", "dimension", "contacts", "solver", "status", "iterations", "seconds", "residual", "residual_fclib",
        "certificate", "infeasible", "witness"]
CERTIFICATE = ["complementarity", "cone_violation_force", "cone_violation_velocity", "bipotential_gap", "balance"]


class ProblemCase(Case):
    def problem(self, name, called=None):
        """A copy of a problem of the corpus in the test's folder."""
        return shutil.copy(os.path.join(CORPUS, name), self.path(called or name + ".hdf5"))


class Solve(ProblemCase):
    def test_json(self):
        """400 unit masses that a floor stops: r_N = 1, nothing else."""
        self.problem("compressed")
        r = self.json("solve", "compressed.hdf5")
        self.assertEqual(list(r), ["status", "problems", "solved", "total"])
        self.assertEqual((r["status"], r["solved"], r["total"]), ("ok", 1, 1))
        p = r["problems"][0]
        self.assertEqual([k for k in p if k != "story"], KEYS)
        self.assertEqual(list(p["certificate"]), CERTIFICATE)
        self.assertEqual((p["file"], p["dimension"], p["contacts"], p["status"]), ("compressed.hdf5", 3, 400, "solved"))
        self.assertLessEqual(max(p["residual"], p["residual_fclib"]), 1e-8)
        self.assertGreaterEqual(p["seconds"], 0)
        self.assertLess(abs(p["certificate"]["bipotential_gap"]), 1e-5)
        self.assertEqual((p["infeasible"], p["witness"]), (False, None))
        # no zero has a sign
        for key, x in p["certificate"].items():
            self.assertFalse(x == 0 and math.copysign(1, x) < 0, key)

    def test_every_form(self):
        for name in ("local_rows", "local_columns", "global_triplets"):
            self.problem(name)
            r = self.json("solve", name + ".hdf5", "--tol", "1e-12", "--threads", "2")
            self.assertEqual(r["solved"], 1, r)
            self.assertLessEqual(max(r["problems"][0]["residual"], r["problems"][0]["residual_fclib"]), 1e-12)

    def test_table(self):
        self.problem("local_rows")
        self.problem("compressed")
        text = self.moreau("solve", "local_rows.hdf5", "compressed.hdf5").stdout.splitlines()
        self.assertEqual(len(text), 4)
        self.assertTrue(text[0].startswith("problem") and text[0].endswith("status"), text)
        self.assertTrue(text[1].startswith("local_rows.hdf5") and text[1].endswith("  solved"), text)
        self.assertEqual(text[3], "solved 2 of 2")

    def test_not_solved(self):
        """W = 0 and q_N = -1 at a contact: no impulse helps, and what was reached is said."""
        self.problem("infeasible")
        r = self.json("solve", "infeasible.hdf5", "--solver", "nlgs", "--max-iter", "50", "-o", "out.hdf5", expect=1)
        self.assertEqual((r["status"], r["solved"], r["total"]), ("not solved", 0, 1))
        p = r["problems"][0]
        self.assertEqual((p["status"], "error" in p), ("not solved", False))
        self.assertGreater(p["residual"], 1e-3)
        self.assertTrue(os.path.exists(self.path("out.hdf5")))
        # impulses that run away must not pass for an answer because residuals are divided by them
        r = self.json("solve", "infeasible.hdf5", "--max-iter", "2000", expect=1)
        self.assertEqual(r["problems"][0]["status"], "not solved")
        # and that there is no solution is proved: z.q_N < 0 where nothing changes z.u_N
        self.assertIs(r["problems"][0]["infeasible"], True)
        witness = r["problems"][0]["witness"]
        self.assertEqual(list(witness), ["load", "change", "z"])
        self.assertEqual((witness["load"], witness["change"], max(witness["z"])), (-1, 0, 1))
        done = self.moreau("solve", "infeasible.hdf5", "--solver", "nlgs", "--max-iter", "50", expect=1)
        self.assertIn("not solved\n  no solution: whatever the impulses, the normal velocity of contact 0 is negative\n", done.stdout)
        self.assertTrue(done.stdout.endswith("\nsolved 0 of 1\n"), done.stdout)

    def test_bad_file_among_others(self):
        """The others are done all the same; the worst exit status is the program's."""
        self.problem("local_rows")
        self.path("text.hdf5", "not a problem\n")
        r = self.json("solve", "text.hdf5", "local_rows.hdf5", "missing.hdf5", expect=3)
        self.assertEqual((r["solved"], r["total"]), (1, 3))
        self.assertEqual([p["status"] for p in r["problems"]], ["not solved", "solved", "not solved"])
        for p in (r["problems"][0], r["problems"][2]):
            self.assertEqual(list(p), KEYS + ["error"])
            self.assertIn(p["file"], p["error"])
            self.assertIsNone(p["residual"])
        self.assertIn("text.hdf5", r["status"])
        done = self.moreau("solve", "text.hdf5", "local_rows.hdf5", expect=3)
        self.assertIn("solved 1 of 2", done.stdout)
        self.assertIn("text.hdf5: not an HDF5 file", done.stderr)

    def test_plane_method_on_space_problem(self):
        """Which of the files it was is said; the others are solved."""
        self.problem("compressed")
        self.problem("global_triplets")
        r = self.json("solve", "compressed.hdf5", "global_triplets.hdf5", "--solver", "lemke", expect=3)
        self.assertEqual([p["status"] for p in r["problems"]], ["not solved", "solved"])
        self.assertEqual(r["status"], r["problems"][0]["error"])
        self.assertIn("compressed.hdf5: key 'solver': found lemke for a problem in 3D", r["status"])

    def test_usage(self):
        self.problem("local_rows")
        for arguments, words in ((["solve"], "at least one problem file"),
                                 (["solve", "local_rows.hdf5", "--solver", "auot"], "did you mean 'auto'?"),
                                 (["solve", "local_rows.hdf5", "--tol", "-1"], "expected a number >= 0"),
                                 (["solve", "local_rows.hdf5", "--max-iter", "0"], "expected a whole number"),
                                 (["solve", "local_rows.hdf5", "-o", "-"], "cannot go to standard output"),
                                 (["solve", "local_rows.hdf5", "-o", "local_rows.hdf5"],
                                  "is one of the problem files")):
            self.assertIn(words, self.moreau(*arguments, expect=2).stderr)
        self.assertIn("--max-iter N", self.moreau("solve", "--help").stdout)
        self.assertIn("solve ", self.moreau("--help").stdout)


class Output(ProblemCase):
    def test_one_file(self):
        for name in ("compressed", "global_triplets"):
            self.problem(name)
            self.json("solve", name + ".hdf5", "-o", "out.hdf5", "--tol", "1e-10")
            before, after = self.json("info", name + ".hdf5"), self.json("info", "out.hdf5")
            self.assertLessEqual(after["solution"]["residual"], 1e-10)
            for key in ("form", "title", "dimension", "contacts", "freedoms", "blocks", "friction", "q_norm"):
                self.assertEqual(before[key], after[key])
            os.remove(self.path("out.hdf5"))

    def test_several_files(self):
        self.problem("local_rows")
        self.problem("compressed")
        self.moreau("solve", "local_rows.hdf5", "compressed.hdf5", "-o", "answers")
        self.assertEqual(sorted(os.listdir(self.path("answers"))), ["compressed.hdf5", "local_rows.hdf5"])
        # again into the same folder, which also serves for a single file
        self.moreau("solve", "local_rows.hdf5", "-o", "answers")
        self.moreau("solve", "local_rows.hdf5", "compressed.hdf5", "-o", "answers/local_rows.hdf5", expect=2)

    def test_same_names(self):
        self.problem("local_rows")
        os.mkdir(self.path("sub"))
        self.problem("local_rows", "sub/local_rows.hdf5")
        done = self.moreau("solve", "local_rows.hdf5", "sub/local_rows.hdf5", "-o", "answers", expect=2)
        self.assertIn("two problem files are called 'local_rows.hdf5'", done.stderr)

    def test_reason(self):
        """mu = 1e10: residuals that are small because r is large are no answer, and what is said tells so."""
        self.problem("huge_friction")
        p = self.json("solve", "huge_friction.hdf5", "--solver", "apgd", expect=1)["problems"][0]
        self.assertEqual(p["status"], "not solved")
        self.assertLess(max(p["residual"], p["residual_fclib"]), 1e-8)
        self.assertGreater(p["certificate"]["cone_violation_velocity"], 0.5)
        self.assertIn("impulses that grow without bound", p["reason"])
        self.assertIn(p["reason"], self.moreau("solve", "huge_friction.hdf5", "--solver", "apgd", expect=1).stdout)

    def test_most_iterations(self):
        """No method takes more than it may."""
        self.problem("local_rows")
        for solver in ("auto", "nlgs", "apgd", "admm", "newton", "prox", "ipm"):
            for most in (1, 3):
                done = call("solve", "local_rows.hdf5", "--solver", solver, "--tol", "1e-15", "--max-iter", str(most), "--json",
                            cwd=self.folder)
                p = json.loads(done.stdout.splitlines()[-1])["problems"][0]
                self.assertLessEqual(p["iterations"], most, solver)

    def test_output_is_a_file(self):
        """What is there and no file stays as it is; a link keeps pointing at the file that is written."""
        self.problem("local_rows")
        os.mkfifo(self.path("pipe.hdf5"))
        done = self.moreau("solve", "local_rows.hdf5", "-o", "pipe.hdf5", expect=4)
        self.assertIn("pipe.hdf5: cannot write: not a regular file", done.stderr)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe.hdf5")).st_mode))
        self.moreau("solve", "local_rows.hdf5", "-o", "first.hdf5")
        with open(self.path("target.hdf5"), "wb") as file:
            file.write(b"old")
        os.symlink("target.hdf5", self.path("link.hdf5"))
        self.moreau("solve", "local_rows.hdf5", "-o", "link.hdf5")
        self.assertTrue(os.path.islink(self.path("link.hdf5")))
        self.json("solve", "target.hdf5")
        self.assertEqual([name for name in os.listdir(self.path(".")) if name.endswith(".part")], [])

    def test_cannot_write(self):
        """The answer is still told."""
        self.problem("local_rows")
        r = self.json("solve", "local_rows.hdf5", "-o", "missing/out.hdf5", expect=4)
        self.assertEqual((r["solved"], r["problems"][0]["status"]), (1, "solved"))
        self.assertIn("cannot write", r["problems"][0]["error"])


class Info(ProblemCase):
    def test_text(self):
        self.problem("compressed")
        text = self.moreau("info", "compressed.hdf5").stdout
        for words in ("compressed.hdf5: friction-contact problem in 3D, FCLIB local form",
                      "title        spheres on a floor",
                      "contacts     400", "400 blocks of 3 x 3; asymmetry 0", "friction     0.5", "|q|          20",
                      "solution     residual 0, FCLIB's 0"):
            self.assertIn(words, text)

    def test_json(self):
        self.problem("global_triplets")
        r = self.json("info", "global_triplets.hdf5")
        self.assertEqual((r["status"], r["kind"], r["form"], r["dimension"], r["contacts"], r["freedoms"]),
                         ("ok", "problem", "global", 2, 2, 4))
        # W = .5 0 0 0 | 0 1 .5 0 | 0 .5 4.75 1.5 | 0 0 -1.5 .5
        self.assertEqual(r["friction"], [0, 0.25])
        self.assertAlmostEqual(r["asymmetry"], 3 / 4.75, delta=1e-15)
        self.assertEqual((r["blocks"], r["empty_diagonals"], r["solution"]), (4, 0, None))

    def test_bad_file(self):
        with open(self.problem("local_rows"), "r+b") as file:
            file.truncate(6000)
        self.moreau("info", "local_rows.hdf5", expect=3)


@unittest.skipUnless(os.path.isdir(COLLECTION), "the collection of real problems is not here")
class Real(ProblemCase):
    def test_info(self):
        for path in sorted(glob.glob(os.path.join(COLLECTION, "*.hdf5"))):
            r = self.json("info", path)
            self.assertEqual((r["form"], r["solution"]), ("local", None))

    def test_global_and_local(self):
        """A problem and its condensed form, made by another program."""
        name = "Box_Stacks-i0035-31-0.hdf5"
        files = [os.path.join(COLLECTION, name), os.path.join(COLLECTION, "global", name)]
        r = json.loads(self.moreau("solve", *files, "--json", "--tol", "1e-10").stdout)
        self.assertEqual(r["solved"], 2)


if __name__ == "__main__":
    main()

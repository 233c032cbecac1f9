"""`moreau equilibrium`: assemblies with a known limit, each answer checked again from the numbers printed."""
import json
import math

from support import Case, call, main

KEYS = ["status", "equilibrium", "contacts", "bodies", "groups", "overlap", "imbalance", "balance", "balance_force",
        "balance_torque", "cone_violation", "forces", "mechanism", "power", "motion_violation", "force_bound",
        "coulomb"]
G = 10

HEAD = f"""world {{ dim = 2, h = 1e-3, t_end = 0.1, gravity = {{0, -{G}}} }}
local mu = param("mu", 0.5)
law {{ friction = mu }}
"""

SLOPE = HEAD + """local a = param("alpha", 20) * math.pi / 180
body { shape = halfplane { normal = {-math.sin(a), math.cos(a)} }, fixed = true }
body { shape = rectangle { 0.2, 0.1 }, density = 100, angle = a, position = { -0.05 * math.sin(a), 0.05 * math.cos(a) },
       name = "block", velocity = {3, 4}, spin = 5 }
"""

# a rod of length 1 against a smooth wall, its foot on a rough floor: stands when mu >= cot(angle) / 2
LADDER = HEAD + """local a = param("alpha", 60) * math.pi / 180
law { between = {"wall", "ladder"}, friction = 0 }
body { shape = halfplane { normal = {0, 1} }, fixed = true }
body { shape = halfplane { normal = {1, 0} }, fixed = true, group = "wall" }
body { shape = compound { { shape = disc { radius = 1e-3 }, position = {-0.5, 0} }, { shape = disc { radius = 1e-3 }, position = {0.5, 0} } },
       mass = 8, inertia = 1, angle = -a, group = "ladder",
       position = { 0.5 * math.cos(a) + 1e-3, 0.5 * math.sin(a) + 1e-3 } }
"""

# the k-th block from the top reaches 1/(2k) of its length beyond the one below; `extra` more at the table
OVERHANG = HEAD + """local n, extra = param("n", 5), param("extra", 0)
body { shape = rectangle { 4, 1 }, fixed = true, position = {-2, -0.5} }
local x = extra
for i = 1, n do
  x = x + 1 / (2 * (n + 1 - i))
  body { shape = rectangle { 1, 0.1 }, density = 100, position = { x - 0.5, 0.1 * i - 0.05 } }
end
"""

# voussoirs of a half circle between radii r and R, joints along radii
ARCH = HEAD + """local n, r, R = param("n", 11), param("r", 0.8), 1
body { shape = rectangle { 4, 1 }, fixed = true, position = {0, -0.5} }
for i = 1, n do
  local a, b = math.pi * (i - 1) / n, math.pi * i / n
  body { shape = polygon { {r * math.cos(a), r * math.sin(a)}, {R * math.cos(a), R * math.sin(a)},
                           {R * math.cos(b), R * math.sin(b)}, {r * math.cos(b), r * math.sin(b)} },
         density = 100, keep_origin = true }
end
"""

WEDGE = HEAD + """local a = param("alpha", 30) * math.pi / 180
local s, c = math.sin(a), math.cos(a)
body { shape = halfplane { normal = {c, s} }, fixed = true }
body { shape = halfplane { normal = {-c, s} }, fixed = true }
body { shape = disc { radius = 0.1 }, density = 100, position = {0, 0.1 / s} }
"""

WALL = HEAD + """local n, tilt = param("n", 6), param("tilt", 0)
for j = 1, n do
  for i = 1, n do
    body { shape = rectangle { 0.2, 0.1 }, density = 100, position = { 0.2 * i + 0.1 * (j % 2), 0.1 * j - 0.05 },
           applied_force = {20 * tilt, 0} }
  end
end
body { shape = halfplane { normal = {0, 1} }, fixed = true }
"""


class EquilibriumCase(Case):
    def look(self, text, expect=0, **sets):
        self.path("it.lua", text)
        arguments = [f"--set={k}={v!r}" for k, v in sets.items()]
        return self.json("equilibrium", "it.lua", *arguments, expect=expect)

    def stands(self, text, **sets):
        """In equilibrium, with every force inside its cone and the loads carried: vertical sums of supports."""
        r = self.look(text, **sets)
        self.assertEqual((r["status"], r["equilibrium"], r["mechanism"], r["power"]), ("ok", True, None, None))
        self.assertLessEqual(r["balance"], 1e-9)
        self.assertLessEqual(r["imbalance"], 1e-10)
        for f in r["forces"]:
            self.assertGreaterEqual(f["force_n"], 0)
            self.assertLessEqual(abs(f["force_t"]), f["friction"] * f["force_n"] * (1 + 1e-14))
        return r

    def falls(self, text, loads, centres, **sets):
        """A mechanism that no contact opposes, recomputed from points, normals and the bodies' velocities."""
        r = self.look(text, expect=1, **sets)
        self.assertEqual((r["status"], r["equilibrium"]), ("no equilibrium", False))
        self.assertTrue(r["coulomb"]["moves"])
        moves = {m["body"]: m for m in r["mechanism"]}
        power = sum(F[0] * moves[b]["velocity"][0] + F[1] * moves[b]["velocity"][1] for b, F in loads.items())
        size = sum(math.hypot(*F) for F in loads.values())
        self.assertGreater(power, 0)
        self.assertAlmostEqual(power, r["power"], delta=1e-14 * size)
        for f in r["forces"]:
            n, v = f["normal"], [0.0, 0.0]
            for body, sign in ((f["body1"], 1), (f["body2"], -1)):
                if body in moves:
                    m, c = moves[body], centres[body]
                    v[0] += sign * (m["velocity"][0] - m["spin"] * (f["point"][1] - c[1]))
                    v[1] += sign * (m["velocity"][1] + m["spin"] * (f["point"][0] - c[0]))
            normal, slip = n[0] * v[0] + n[1] * v[1], n[0] * v[1] - n[1] * v[0]
            self.assertGreaterEqual(normal, f["friction"] * abs(slip) - 1e-13)
        return r


class Limits(EquilibriumCase):
    def test_slope(self):
        """A block slides when mu < tan(slope), to 1e-9."""
        tan = math.tan(math.radians(20))
        centre = {2: (-0.05 * math.sin(math.radians(20)), 0.05 * math.cos(math.radians(20)))}
        for more in (1e-9, 1e-4, 1):
            r = self.stands(SLOPE, mu=tan + more)
            total = [sum(f["force_n"] for f in r["forces"]), sum(f["force_t"] for f in r["forces"])]
            self.assertAlmostEqual(math.hypot(*total), 2 * G, delta=1e-8)
            self.assertEqual(list(r), KEYS)
            self.assertEqual((r["contacts"], r["bodies"], r["groups"]), (2, 1, 1))
        for less in (1e-9, 1e-4, tan):
            r = self.falls(SLOPE, {2: (0, -2 * G)}, centre, mu=tan - less)
            self.assertAlmostEqual(r["imbalance"], math.sin(math.radians(20) - math.atan(tan - less)), delta=1e-14)
            self.assertEqual(r["mechanism"][0]["name"], "block")

    def test_toppling(self):
        """A block of 0.2 x 0.1 tips over its lower edge beyond atan(2), whatever the friction."""
        limit = math.degrees(math.atan(2))
        self.stands(SLOPE, mu=5.0, alpha=limit - 1e-6)
        a = math.radians(limit + 1e-6)
        centre = {2: (-0.05 * math.sin(a), 0.05 * math.cos(a))}
        self.falls(SLOPE, {2: (0, -2 * G)}, centre, mu=5.0, alpha=limit + 1e-6)

    def test_ladder(self):
        """Ends of radius e; moments about the foot: the wall's push has the arm sin(a) + e, the weight cos(a) / 2."""
        a = math.radians(60)
        need = 0.5 * math.cos(a) / (math.sin(a) + 1e-3)
        self.stands(LADDER, mu=need + 1e-9)
        self.falls(LADDER, {3: (0, -80)}, {3: (0.5 * math.cos(a) + 1e-3, 0.5 * math.sin(a) + 1e-3)}, mu=need - 1e-9)
        r = self.stands(LADDER, mu=1.0)
        wall = [f for f in r["forces"] if abs(f["normal"][0]) > 0.5][0]
        self.assertAlmostEqual(wall["force_n"], 80 * need, delta=1e-9)

    def test_overhang(self):
        """n blocks reach sum 1/(2k) beyond the edge of the table, and no further."""
        for n in (1, 2, 5, 10):
            self.stands(OVERHANG, n=n, extra=-1e-9)
            centres, x = {}, 1e-8
            for i in range(1, n + 1):
                x += 1 / (2 * (n + 1 - i))
                centres[i + 1] = (x - 0.5, 0.1 * i - 0.05)
            self.falls(OVERHANG, {b: (0, -10 * G) for b in centres}, centres, n=n, extra=1e-8)

    def test_wedge(self):
        """A disc in a smooth groove of half angle a: each side carries W / (2 sin a)."""
        for alpha in (5, 30, 60):
            r = self.stands(WEDGE, mu=0, alpha=alpha)
            weight = 100 * math.pi * 0.01 * G
            for f in r["forces"]:
                self.assertAlmostEqual(f["force_n"], weight / (2 * math.sin(math.radians(alpha))), delta=1e-9 * weight)
                self.assertEqual(f["force_t"], 0)
            self.stands(WEDGE, mu=0.7, alpha=alpha)

    def test_arch(self):
        """A half circle of voussoirs stands when it is thicker than 10.75 % of its mean radius (Milankovitch 1907:
        0.1075 for radial joints), and falls when thinner."""
        def inner(share):
            return (1 - share / 2) / (1 + share / 2)
        for mu in (1.0, 3.0):
            self.stands(ARCH, n=27, mu=mu, r=inner(0.115))
            r = self.look(ARCH, expect=1, n=27, mu=mu, r=inner(0.100))
            self.assertFalse(r["equilibrium"])
            self.assertGreater(r["power"], 0)
            self.assertLessEqual(r["motion_violation"], 1e-11)
        # with little friction thick arches slide at the feet
        self.assertFalse(self.look(ARCH, expect=1, n=27, mu=0.05, r=0.6)["equilibrium"])

    def test_arch_of_many(self):
        # hundreds of voussoirs hand on a thrust far above the weight of one; t/R at the limit is 0.10747
        text = HEAD + 'generate.arch { voussoirs = 301, radius = 1, thickness = param("t", 0.1) }'
        self.assertFalse(self.look(text, expect=1, mu=2, t=0.1074)["equilibrium"])
        for t in (0.1076, 0.109):
            self.stands(text, mu=2, t=t)
        # a flat one, whose joints bear in all 300 times its weight
        self.stands(HEAD + "generate.arch { voussoirs = 151, radius = 1, thickness = 0.05, embrace = 0.5 }", mu=0.7)

    def test_wall(self):
        r = self.stands(WALL)
        floor = sum(f["force_n"] for f in r["forces"] if f["body2"] == 37)
        self.assertAlmostEqual(floor, 36 * 20, delta=1e-7)
        # a horizontal load above mu times the weight
        self.assertFalse(self.look(WALL, expect=1, tilt=0.51)["equilibrium"])


class Meaning(EquilibriumCase):
    def test_possible_but_moves(self):
        """Between two walls a block may be squeezed or may fall: both satisfy the law."""
        text = HEAD + """body { shape = segment { {-0.1, -1}, {-0.1, 1} }, fixed = true }
body { shape = segment { {0.1, -1}, {0.1, 1} }, fixed = true }
body { shape = rectangle { 0.2, 0.1 }, density = 100 }
"""
        r = self.stands(text)
        self.assertEqual(r["contacts"], 4)
        self.assertTrue(r["coulomb"]["solved"])
        # the least forces: all alike
        for f in r["forces"]:
            self.assertAlmostEqual(abs(f["force_t"]), 5, delta=1e-9)
            self.assertAlmostEqual(f["force_n"], 10, delta=1e-9)
        self.assertFalse(self.look(text, expect=1, mu=0)["equilibrium"])
        # and on a floor it rests either way
        self.path("floor.lua", HEAD + """body { shape = halfplane { normal = {0, 1} }, fixed = true }
body { shape = rectangle { 0.2, 0.1 }, density = 100, position = {0, 0.05} }""")
        r = self.json("equilibrium", "floor.lua")
        self.assertEqual((r["equilibrium"], r["coulomb"]["moves"], r["coulomb"]["solved"]), (True, False, True))
        for f in r["forces"]:
            self.assertAlmostEqual(f["force_n"], 10, delta=1e-12)
            self.assertAlmostEqual(f["force_t"], 0, delta=1e-12)

    def test_hanging(self):
        """Without a support a body falls freely, and others are judged on their own."""
        text = SLOPE + 'body { shape = disc { radius = 0.1 }, mass = 3, position = {0, 5}, name = "hanging" }'
        r = self.look(text, expect=1, mu=1.0)
        self.assertEqual((r["equilibrium"], r["groups"], r["imbalance"]), (False, 2, 1))
        block, hanging = r["mechanism"]
        self.assertEqual((block["velocity"], block["spin"], hanging["name"]), ([0, 0], 0, "hanging"))
        self.assertAlmostEqual(hanging["velocity"][1], -1, delta=1e-15)
        self.assertAlmostEqual(r["power"], 30, delta=1e-13)
        self.assertIsNone(r["force_bound"])

    def test_nothing_to_carry(self):
        weightless = SLOPE.replace("{0, -10}", "{0, 0}")
        r = self.stands(weightless, mu=0)
        self.assertTrue(all(f["force_n"] == 0 for f in r["forces"]))
        r = self.stands('world { dim = 2, h = 1, t_end = 1 }\nbody { shape = disc { radius = 1 }, fixed = true }')
        self.assertEqual((r["bodies"], r["contacts"]), (0, 0))
        self.stands('world { dim = 2, h = 1, t_end = 1 }')

    def test_loads_and_freedoms(self):
        """Loads of t = 0 by function, a freedom that is not free, a moving floor that stands still."""
        text = """world { dim = 2, h = 1e-3, t_end = 1, gravity = {0, -10} }
law { friction = 0.5 }
body { shape = rectangle { 2, 1 }, motion = function(t) return { x = t, y = -0.5 + 7 * t, angle = 0 } end }
body { shape = rectangle { 0.2, 0.1 }, mass = 2, position = {0, 0.05},
       applied_force = function(t) return {param_load + 1e6 * t, 0} end }
body { shape = disc { radius = 0.1 }, mass = 2, position = {0, 3}, free = { "x", "angle" } }
"""
        self.stands("param_load = 9.99\n" + text)
        self.assertFalse(self.look("param_load = 10.01\n" + text, expect=1)["equilibrium"])

    def test_overlaps(self):
        text = HEAD + """body { shape = halfplane { normal = {0, 1} }, fixed = true }
body { shape = disc { radius = 0.1 }, mass = 1, position = {0, 0.09} }
"""
        self.assertAlmostEqual(self.stands(text)["overlap"], 0.01, delta=1e-12)
        refuse = text.replace("t_end = 0.1", 't_end = 0.1, overlaps = "refuse"')
        self.path("it.lua", refuse)
        self.assertIn("overlap by 0.01 m", self.moreau("equilibrium", "it.lua", expect=3).stderr)

    def test_what_it_does_not_know_is_named_with_its_line(self):
        body = "local b = body { shape = disc { radius = 0.1 }, mass = 1 }\n"
        lines = HEAD.count("\n") + 1
        for line, key in (('joint { kind = "hinge", bodies = { b }, at = {0, 0} }', "joint"),
                          ('law { between = {"a", "b"}, cohesion = 1 }', "cohesion"),
                          ('law { friction = 0.5, rolling = 0.1 }', "rolling")):
            # a law that says 0 is none of these
            self.path("it.lua", HEAD + body + line + '\nlaw { between = {"a", "c"}, cohesion = 0 }\n')
            done = self.moreau("equilibrium", "it.lua", expect=3)
            self.assertIn(f"it.lua:{lines + 1}: key '{key}': equilibrium knows no ", done.stderr)


class Program(EquilibriumCase):
    def test_text(self):
        self.path("it.lua", SLOPE)
        text = self.moreau("equilibrium", "it.lua").stdout
        self.assertIn("bodies       1, contacts 2", text)
        self.assertIn("equilibrium  possible", text)
        text = self.moreau("equilibrium", "it.lua", "--set", "mu=0.1", expect=1).stdout
        self.assertIn("equilibrium  impossible", text)
        self.assertIn("block", text)
        self.assertIn("equilibrium", self.moreau("--help").stdout)
        self.assertIn("usage: moreau equilibrium", self.moreau("help", "equilibrium").stdout)

    def test_refusals(self):
        self.path("sweep.lua", "\nsweep { x = {0}, h = 1, t_end = 1, method = 'catching-up', "
                               "set = interval { center = {0}, radius = 1 } }")
        self.path("bad.lua", "world { dim = 2 }")
        done = self.moreau("equilibrium", "sweep.lua", expect=3)
        self.assertIn("sweep.lua:2: key 'sweep': found a sweep, expected a world", done.stderr)
        self.assertIn("bad.lua:1", self.moreau("equilibrium", "bad.lua", expect=3).stderr)
        for arguments, words in ((["equilibrium"], "needs one scene"),
                                 (["equilibrium", "a.lua", "b.lua"], "needs one scene"),
                                 (["equilibrium", "scene.lua", "--set", "no=1"], 'no parameter "no"'),
                                 (["equilibrium", "scene.lua", "--wrong"], "unknown option")):
            self.assertIn(words, self.moreau(*arguments, expect=2).stderr)
        r = self.json("equilibrium", "sweep.lua", expect=3)
        self.assertIn("expected a world", r["status"])

    def test_shipped_examples(self):
        """Whatever the scene, an answer or a refusal comes; a column of grains without supports falls."""
        names = [line.split()[0] for line in self.moreau("examples").stdout.splitlines() if line[:1].isalpha()]
        smaller = {"pyramid": ("--set", "layers=3")}  # thousands of contacts in space take minutes
        seen = 0
        for name in names:
            done = call("equilibrium", name, *smaller.get(name, ()), "--json", cwd=self.folder)
            if done.returncode == 3:
                self.assertIn("expected a world", done.stderr, name)
                continue
            self.assertIn(done.returncode, (0, 1), done.stderr)
            r = json.loads(done.stdout.splitlines()[-1])
            self.assertEqual(r["equilibrium"], done.returncode == 0, name)
            seen += 1
        self.assertGreater(seen, 0)


if __name__ == "__main__":
    main()

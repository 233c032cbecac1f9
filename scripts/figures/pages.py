"""The papers' figures: scenes, pictures, and what their pages say. Numbers come from the runs."""

from dataclasses import dataclass, field
from typing import Callable

PLOTS = ["--what", "plots"]


@dataclass
class Figure:
    name: str
    title: str
    scene: str  # of examples/papers
    pictures: list  # (ending of the name, options of export) of the first run
    setup: str
    paper: str
    unknown: str
    numbers: Callable  # of the JSON objects of the runs
    runs: list = field(default_factory=lambda: [("", {})])  # (ending, parameters)
    more: list = field(default_factory=list)  # pictures of the other runs
    small: dict = field(default_factory=dict)  # parameters of the reduced version
    table: str = ""  # also a table: series, energy or path


def column(r):
    report = r["report"]
    drift, turned = report["drift_mm"], report["turned_degrees"]
    return (f"Drift of the drums from bottom to top, mm: {', '.join(f'{d:.0f}' for d in drift[:-1])}; capital {drift[-1]:.0f}. Turned about "
            f"the axis by up to {max(map(abs, turned)):.1f}°. No drum is more than {1000 * report['fallen']:.1f} mm lower than before. "
            f"What moves at the end has {report['kinetic_energy']:.1g} J. The impulse of the ground is the momentum of the column plus weight times time to "
            f"{max(map(abs, report['impulse_error'])):.0e}. On five metres such drifts are hardly seen in the snapshots; the plots show them.")


def sandpile(r):
    report = r["report"]
    left, right = report["cut_left"], report["cut_right"]
    return (f"Slope {report['slope_degrees']:.1f}°. The outer parts push inwards with {left[0]:.0f} and {-right[0]:.0f} N and upwards with {left[1]:.0f} "
            f"and {right[1]:.0f} N (per metre of depth): they bear {100 * report['held_by_the_sides']:.1f} % of the weight between the cuts. The ground "
            f"carries the weight to {abs(report['ground_force'] / report['weight'] - 1):.0e}. The pressure under one pile scatters so much that "
            "nothing can be said about a dip; [many seeds](statistics.md) say it.")


def biaxial(r):
    report = r["report"]
    return (f"σ₁/σ₂ reaches {report['peak']:.2f} at {report['peak_strain']:.2f} % and is {report['residual']:.2f} in the mean over the last third. The "
            f"void ratio grows from {report['void_initial']:.4f} to {report['void_final']:.4f}. Friction takes {100 * report['friction_over_work']:.0f} % "
            f"of the work done in shear, the rest goes into impacts; {100 * report['sliding_between_discs']:.0f} % of the contacts between discs slide. In "
            "the fields blocks pass each other along diagonals, with quiet bands and whirls between them, as in the paper. Now and then a sample gives way at once: "
            "friction takes up to twice its share, σ₁/σ₂ falls by a tenth or more, and the void ratio stops growing or falls, as in the paper's crisis. When that happens, "
            "and which diagonal it is, differs from sample to sample, and with the last digits of the computation. Overlaps are below "
            f"{100 * report['penetration_over_radius']:.1f} % of the smallest radius, left by the making of the sample. The energy balance closes to "
            f"{abs(report['balance_over_work']):.0e} of the work. Peak and residual strength over ten samples: [many seeds](statistics.md).")


def rocking(r):
    report = r["report"]
    return (f"{len(report['ratio'])} blocks from {report['ratio'][0]:g} to {report['ratio'][-1]:g} times as high as wide: each keeps the share of its spin "
            f"that the formula gives, off by at most {report['worst_over_allowed']:.2f} of what gravity may do in the steps in between. Blocks lower "
            "than 0.7 of their width stop. The number of impacts until a tenth of the spin is left follows.")


def segregation(r, smooth):
    a, b = r["report"], smooth["report"]
    reached = a["cycles_to_the_surface"]
    return (f"The large disc rises by {100 * a['rise_over_depth']:.0f} % of the depth of the bed"
            + (f" and has its centre within 1.5 of its radii of the surface after {reached:.0f} cycles" if reached else "") + ". On the average grains go up by "
            f"{a['middle_mm_per_cycle']:.2f} mm a cycle in the middle third and down by {-a['edge_mm_per_cycle']:.2f} mm beside the walls: two rolls. "
            f"Without friction at the walls the middle moves by {b['middle_mm_per_cycle']:+.2f} mm and the edges by {b['edge_mm_per_cycle']:+.2f} mm a "
            f"cycle, and the large disc rises by {round(100 * b['rise_over_depth'])} %.")


def pipe(r):
    report = r["report"]
    return (f"In the settled motion the free end has an RMS of {1000 * report['rms']:.3f} mm; the mean contact force is {report['force']:.2f} N at this "
            f"cell and {report['force_extrapolated']:.3f} N extrapolated to none; contact for {100 * report['contact']:.0f} % of the time, "
            f"{report['impacts']} impacts in a second, in groups of close ones as the paper says. Peaks of the reaction ({report['peak']:.0f} N) are "
            "impulses over h and mean nothing by themselves. Half the step changes the RMS by "
            f"{100 * abs(report['rms_half_step'] / report['rms'] - 1):.2f} %. More in [pipe.md](../theory/pipe.md).")


def impact(r):
    return ("Both sequences are those of the paper to 1e-14: with `paoli-schatzman` the velocity turns in two steps and at most two positions lie "
            "beyond the wall, with `mabrouk` at once, at the first position beyond it.")


def catching_up(r):
    report = r["report"]
    return (f"Every step is along the inner normal (off by {report['off_normal']:.0e}); the error at the end falls as h^{report['order']:.2f}.")


def water(r):
    report = r["report"]
    return (f"The stream leaves at {report['end']:.6f}, the edge of the last ledge it met ({report['end_expected']:.6f}); sideways it went "
            f"{report['path_length']:.6f}.")


def spheres(r, middle):
    a, b = r["report"], middle["report"]
    return (f"With the paper's scheme the deepest overlap over the run is {a['overlap_over_radius']:.0e} of the radius, with up to "
            f"{a['contacts_at_most']} contacts at once; with Moreau's, which looks at the middle of the step, {b['overlap_over_radius']:.0e}. The scene "
            "[gluey](../../examples/gluey.lua) has the gluey particles of Remark 4.3: five pulls let go at their closed-form times within two steps.")


FIGURES = [
    Figure("column", "Column on shaken ground (MJ96 Fig. 1)", "column",
           [("-start", ["--frame", "0", "--no-chains", "--width", "420"]), ("-shaken", ["--frame", "40", "--no-chains", "--width", "420"]), ("-end", ["--frame", "last", "--no-chains", "--width", "420"]),
            ("", PLOTS + ["--columns", "3"])],
           "Ten drums and a capital, 3D, no mortar, friction 0.6; the ground goes round an ellipse in an oblique plane, six turns at 2 Hz with 0.3 g along "
           "the long axis, then rests for seven seconds. Prisms of eight sides; h = 2 ms, solver tolerance 1e-6.",
           "A picture of the column on ground in an oblique elliptic oscillation, from a test of feasibility; no numbers. The blocks are cylinders; here they are prisms of 8 sides.",
           "Sizes, density, friction, amplitude and frequency; when the picture was taken. Where drums end is sensitive to all of them.",
           column, small={"turns": 1, "rest": 0.1}),
    Figure("sandpile", "Internal forces in a sandpile (MJ96 Fig. 2)", "sandpile", [("", PLOTS)],
           "3000 discs with radii from 7 to 13 mm fall one after another with 25 cm/s from just above the top, in eleven lanes within 19 cm of the middle, on "
           "a row of fixed discs; friction 0.5; three seconds of rest. h = 2 ms, solver tolerance 5e-4.",
           "Two vertical cuts with the resultants of what the grains on one side exert upon those on the other: part of the weight between the cuts is "
           "borne by the rest of the pile, but not enough to make a visible minimum of the ground pressure.",
           "Sizes, friction, ground, how the lateral scatter was made, where the cuts are.", sandpile, small={"grains": 150, "relax": 1.5}),
    Figure("biaxial", "Biaxial test (MJ96 Figs. 3 to 7)", "biaxial", [("", PLOTS + ["--columns", "2"])],
           "1024 discs at random (radii 3.5 to 6.5 mm, equal shares of area), pressed together by four walls with 100 kPa without friction, then with friction "
           "0.5 between discs; then the vertical walls move in with 5 cm/s each, the others keep their forces; no gravity, smooth walls. h = 0.1 ms, solver "
           "tolerance 1e-4.",
           "Displacements over two episodes, 2.625 to 3.280 % and 4.595 to 5.250 %: a band of quasi-stagnation in the 45° direction in the first, one in "
           "the -45° direction in the last. The crisis near the middle shows in σ₁/σ₂, void ratio, frictional dissipation and the ratio of sliding contacts.",
           "Sizes, friction, density of the sample, how it was made, size of the box, time step; units of the dissipation. The text of the figures' axes is "
           "not in the source at hand.", biaxial, small={"side": 10, "strain": 5.3}, table="series"),
    Figure("rocking", "Rocking blocks (MJ96 section 5)", "rocking", [("", PLOTS + ["--columns", "2"])],
           "Blocks tilted by 0.03 fall from their left corner to their right one; restitution 0, friction 50. h = 0.1 ms, solver tolerance 1e-12.",
           "No figure: that Newton's rule at both corners would forbid rocking, while complete contact laws give a result which depends on the aspect ratio "
           "of the block, in conformance with common observation.", "Everything else.", rocking, small={"blocks": 6, "seconds": 1}),
    Figure("segregation", "Convection and size segregation (MJ96 section 5, after Moreau 1995)", "segregation",
           [("", PLOTS + ["--columns", "2"]), ("-bed", ["--color", "group", "--no-chains", "--width", "420"])],
           "270 discs (5 mm ± 15 %) and one 3.5 times as large in a box 18 cm wide, shaken at 12 Hz with 4 g; friction 0.4, at the walls 0.8, restitution "
           "0.3. h is a sixtieth of a cycle, solver tolerance 1e-3. Positions are compared once a cycle.",
           "That comparison with experiments on convection currents and size segregation in shaken granulates was quite satisfactory.",
           "All numbers: the text of 1995 is not at hand.", segregation,
           runs=[("", {}), ("-smooth", {"wall_friction": 0})], small={"grains": 80, "cycles": 4}),
    Figure("pipe", "Guided pipe (P01 Figs. 2 and 4)", "guided-pipe", [("", PLOTS + ["--columns", "2"])],
           "A steel tube of 1 m, clamped at one end, pushed by 20 N at 20 Hz, between two stops 1 mm away at 0.7 m; the paper's finite differences and its "
           "Newmark-like force; restitution 0.4, 0.5 % damping, h = 1e-4 s as in the paper.",
           "Displacement at the observation point and the reaction of the guide against time, by the scheme and by an experiment of EDF, in good "
           "agreement; very close impacts.", "All parameters of the pipe, the shaker and the guide, and damping.", pipe, small={"nodes": 50}),
    Figure("impact", "One impact by three schemes (P01 Fig. 6)", "impact", [("", PLOTS + ["--columns", "2"])],
           "A point of mass 1 without force comes from 1 with velocity -1 to a wall at 0, restitution 0.3; h = 0.07.",
           "The exact motion and the two time discretizations: every number of both sequences is in the text.", "The step of the picture.", impact),
    Figure("catching-up", "Catching up (M99, M05 slide 23)", "catching-up", [("", PLOTS + ["--columns", "2"])],
           "A disc on a wavy way takes a point along, nine steps.", "A slide named so: successive projections of a point on the positions of a moving set.",
           "The set and its motion; the picture itself is not in the source at hand.", catching_up),
    Figure("water", "The hydromechanical image (M99 section 2.1, M05 slides 27 and 28)", "water", [("", ["--width", "700"])],
           "A point on a line between two moving walls, event-driven; time runs downward.",
           "The graph of a solution seen as a stream of water falling through a cavity: it runs down the walls and falls free below overhangs.",
           "The cavity of the slide, which is in three dimensions.", water, table="path"),
    Figure("spheres", "Spheres that breathe (BL10 section 4)", "spheres", [("", ["--width", "700"])],
           "64 inelastic spheres in an open box, radii growing and shrinking by 15 % at their own rates. h = 2 ms, solver tolerance 1e-10.",
           "No computation is shown: existence and convergence for N spheres with inelastic collisions and radii that depend on time, feasible at every step.",
           "Everything else.", spheres, runs=[("", {}), ("-middle", {"scheme": "moreau"})], small={"spheres": 16}, table="series"),
]

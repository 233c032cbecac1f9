"""moreau: nonsmooth contact dynamics.

    import moreau
    world = moreau.World(dim=2, h=1e-3, gravity=(0, -9.81))
    world.law(friction=0.5)
    world.body(shape=moreau.Halfplane(), fixed=True)
    for i in range(20):
        world.body(shape=moreau.Disc(0.05), density=2600, position=(0.01 * i, 0.1 + 0.11 * i))
    world.run(until=1)
    world.draw().save("pile.png")

What there is (``help(moreau.World)`` and so on):

* World, Body, Joint and the shapes (Disc, Rectangle, Polygon, Sphere, Box, Mesh, ...): rigid bodies with contact and
  friction; world.servo and world.cell load them; world.generate and moreau.sizes make many at once.
* load, examples, params: scenes, as ``moreau run`` runs them, to the same bits.
* System, Sweep, moreau.moving: finite-freedom systems with impacts, and sweeping processes.
* moreau.sets, prox, project: convex sets.
* solve, solve_file, Problem: frictional contact problems, FCLIB files.
* read: run files as arrays and data frames.  moreau.plot: figures with matplotlib.
* Error and below it InputError (also a ValueError), UsageError, FileError, IOFailure (also an OSError), Stopped.

Units: metres, kilograms, seconds, radians, newtons; in 2D everything per metre of depth.  A gap >= 0 is feasible; the
normal of a contact points toward its first body.  The guide is docs/guide/python.md.
"""
from ._core import Error, FileError, InputError, IOFailure, Stopped, UsageError, solver_names, version as _version
from . import moving, sets, shapes, sizes
from .bodies import Body, Joint
from .cell import Cell
from .contacts import Contacts
from .dual import Dual, acos, asin, atan, atan2, cos, cosh, derivative, exp, log, sin, sinh, sqrt, tan, tanh
from .generate import Bodies, Generate, Rain
from .measure import Measure
from .moving import Gap
from .picture import Picture
from .problem import Problem, Residual, Solution, read_problem, solve, solve_file
from .process import Event, Path, Sweep, System, methods, schemes
from .recording import PathRecording, Recording
from .run import Frame, Run, Series, View, read
from .scene import Outcome, Param, Scene, example, examples, load, params
from .servo import Servo
from .sets import Projection, project, prox
from .shapes import (Box, Capsule, Chain, Compound, Convex, Cylinder, Disc, Halfplane, Mesh, Plane, Polygon, Rectangle,
                     Segment, Shape, Sphere)
from .state import Certificate, Energy
from .world import World

__version__ = _version()

__all__ = [
    "Bodies", "Body", "Box", "Capsule", "Cell", "Certificate", "Chain", "Compound", "Contacts", "Convex", "Cylinder", "Disc", "Dual",
    "Energy", "Error", "Event", "FileError", "Frame", "Gap", "Generate", "Halfplane", "IOFailure", "InputError", "Joint", "Measure",
    "Mesh", "Outcome", "Param", "Path", "PathRecording", "Picture", "Plane", "Polygon", "Problem", "Projection", "Rain", "Recording", "Rectangle",
    "Residual", "Run", "Scene", "Segment", "Series", "Servo", "Shape", "Solution", "Sphere", "Stopped", "Sweep", "System",
    "UsageError", "View", "World", "acos", "asin", "atan", "atan2", "cos", "cosh", "derivative", "example", "examples",
    "exp", "load", "log", "methods", "moving", "params", "project", "prox", "read", "read_problem", "schemes", "sets",
    "shapes", "sin", "sizes", "sinh", "solve", "solve_file", "solver_names", "sqrt", "tan", "tanh",
]

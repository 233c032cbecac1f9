/* What each table shows, for the page that holds them. */
#ifndef APP_BENCH_LESSONS_H
#define APP_BENCH_LESSONS_H

#define LESSON_SINGLE_IMPACT                                                                                 \
    "The impact is found to within a step: order 1 and no more, as P01 §6 says, with the "                  \
    "loss of energy right. `alpha` and `paoli-schatzman` are two to\n"                                       \
    "four times nearer than the others; `event-driven` is exact. `bernicot-lefebvre` does "                  \
    "not converge with e > 0: the ball leaves with anything between 0\n"                                     \
    "and e, depending on where in the step the impact falls. `compliant` converges to "                      \
    "another restitution, 0.40 instead of 0.3, because its force may not\n"                                  \
    "pull."

#define LESSON_BOUNCING_BALL                                                                                 \
    "Nothing special happens to time-stepping schemes at the accumulation: order 1 in "                      \
    "position, a little less in velocity, where flights shorter than a\n"                                    \
    "step are missed. `event-driven` sees the accumulation, ends it in rest and is exact "                   \
    "(its samples a step apart do not show flights within one, hence\n"                                      \
    "order 1 in velocity). `bernicot-lefebvre` and `compliant` do not converge, for the "                    \
    "reasons above."

#define LESSON_GRAZING                                                                                       \
    "A stop touched with zero velocity turns an error ε in position into an impact of "                     \
    "speed √ε. `mabrouk`, of first order in flight, is left with order 1/2\n"                             \
    "and is useless here; `moreau` and `moreau-jean`, of second order in flight, with "                      \
    "order 1. `paoli-schatzman`, whose projection acts on a mean of\n"                                       \
    "positions, and `alpha` keep order 2 (the velocity of the former lags by h/2). "                         \
    "`bernicot-lefebvre` brakes before the stop: order 1, in spite of e > 0.\n"                              \
    "`compliant` is at its best: there is no impact."

#define LESSON_CORNER_60                                                                                     \
    "Past the vertex all but `bernicot-lefebvre` (e > 0) are of order 1, and straight "                      \
    "into it all but that one and `compliant` send the point back as (5.3)\n"                                \
    "says. A tenth of a step beside the vertex the way out by three reflections differs "                    \
    "from that by 2 sin 10° = 0.35: time-stepping schemes meet both\n"                                      \
    "walls in one step and take the way of the vertex, with any step, since the motion is "                  \
    "not continuous in its start (P01 §5). Only `event-driven` tells\n"                                     \
    "the two apart."

#define LESSON_CORNER_90                                                                                     \
    "Two reflections in walls at a right angle are the way back: the motion is continuous "                  \
    "in its start, and every scheme but `bernicot-lefebvre` (e > 0)\n"                                       \
    "finds it beside the vertex too."

#define LESSON_CORNER_120                                                                                    \
    "One reflection on one side of the vertex, two on the other, back at the vertex "                        \
    "itself: three ways out, at 50°, -50° and 10° from the bisector. However\n"                           \
    "small the step is, a start beside the vertex by less than a step is taken for one at "                  \
    "the vertex, 2 sin 20° = 0.68 off; this is a property of the\n"                                         \
    "motion, not of the schemes."

#define LESSON_ROCKING_BLOCK                                                                                 \
    "Both schemes with friction find the ratio of MJ96 §5, the impulse of the corner that "                 \
    "leaves being zero without being told; Newton's rule at each\n"                                          \
    "corner would forbid it. Order 1, the impact being found to within a step."

#define LESSON_ROCKING_SMOOTH                                                                                \
    "Rocking dies away through infinitely many impacts, in the end several in a step: "                      \
    "order about 1 in position, 0.7 in velocity. With e = 0\n"                                               \
    "`bernicot-lefebvre` is as good as the others and never outside, nor are `alpha` and "                   \
    "`event-driven`. `paoli-schatzman` misses its tolerance of 1e-13\n"                                      \
    "for velocities in 2 % of the finest steps, near rest, where the rounding of "                           \
    "positions over h is more than that; its errors do not show it."

#define LESSON_DOUBLE_PENDULUM                                                                               \
    "A mass that depends on the position and a force that depends on the velocity cost no "                  \
    "order: 1 for every rigid scheme, `mabrouk` and `alpha` slightly\n"                                      \
    "ahead, the latter never outside. `bernicot-lefebvre` (e > 0) follows another motion, "                  \
    "and `compliant`, whose restitution is not e, is a tenth of a\n"                                         \
    "radian off."

#define LESSON_SLIDER_CRANK                                                                                  \
    "Many impacts close to each other in 1 mm of clearance: velocities converge with "                       \
    "order 0.6 to 0.9. Between impacts the force depends strongly on the\n"                                  \
    "velocity, and `moreau` and `mabrouk`, of first order there, are ten to a hundred "                      \
    "times farther off than `moreau-jean`, `alpha` and `paoli-schatzman`,\n"                                 \
    "which take it in the middle. `event-driven` is exact to 1e-10 at four times their "                     \
    "cost. `bernicot-lefebvre` and `compliant` get the impacts wrong and\n"                                  \
    "the large motion right."

#define LESSON_NEWTON_CRADLE                                                                                 \
    "All rigid schemes find what the law says, with order 1: contacts at rest and the "                      \
    "impact are in one step. `compliant` finds something else, whatever\n"                                   \
    "its stiffness: (−0.13, −0.08, −0.03, 0.30, 0.94), the answer of a chain of linear "               \
    "springs, near what real balls do. Which one is right is a question\n"                                   \
    "of the law, not of the scheme."

#define LESSON_CRADLE_APART                                                                                  \
    "With distances the impacts are one after another, every rigid scheme but "                              \
    "`bernicot-lefebvre` (e > 0) finds the classical outcome once a step is\n"                               \
    "shorter than the flights, and `compliant` too."

#define LESSON_MOVING_WALL                                                                                   \
    "No impact, a moving curved wall that is left: order 1 for all. The position of "                        \
    "`compliant` has order 2, as its depth is that of a spring whose\n"                                      \
    "stiffness grows as 1/h². `paoli-schatzman` stays outside the disc to h², "                            \
    "`bernicot-lefebvre`, `alpha` and `event-driven` wholly; schemes on velocities\n"                        \
    "drift in by 8e-5 m and stay there."

#define LESSON_ELASTIC_BAR                                                                                   \
    "Errors are those of the elements: `event-driven`, which solves the bar of elements "                    \
    "exactly, has the same ones as the others at three hundred times the\n"                                  \
    "work. e = 0 loses the kinetic energy of the first node, which vanishes with it. "                       \
    "`compliant` is 20 % off: its default spring, for a contact of 20 h, is\n"                               \
    "softer than an element."

#define LESSON_IMPACT_OSCILLATOR                                                                             \
    "Chance leaves about half a percent. At 256 steps a period the rigid schemes have the "                  \
    "statistics right to 1 or 2 %, `alpha` nearly to chance, at a\n"                                         \
    "tenth of the cost of `event-driven`. `bernicot-lefebvre` (e > 0) and `compliant` "                      \
    "find other attractors. Steps that divide the period are to be\n"                                        \
    "avoided: with exactly 128 to a period `paoli-schatzman` is caught by a cycle of "                       \
    "three periods, with a root mean square 16 % off."

#define LESSON_GUIDED_PIPE                                                                                   \
    "As P01 §3(c) says, locating the impacts is expensive here: thirty times the cost of "                  \
    "`paoli-schatzman` for the same statistics. Schemes explicit in the\n"                                   \
    "stiffness (`moreau`, `mabrouk`, `bernicot-lefebvre`) explode at the coarsest step, h "                  \
    "= 2e-3 s, beyond 2/ω of the highest mode, and are as good as the\n"                                    \
    "others below it. The restitution of one light node seems to matter little: "                            \
    "`bernicot-lefebvre` is right here in spite of e > 0. `compliant` is 25 %\n"                             \
    "off at h = 1e-3 s and 2 % at the last step."

#endif

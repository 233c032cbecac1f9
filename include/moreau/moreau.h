/* moreau: nonsmooth contact dynamics.  Includes every public header. */
#ifndef MOREAU_H
#define MOREAU_H

#include <moreau/base.h>
#include <moreau/convex.h>
#include <moreau/draw.h>
#include <moreau/equilibrium.h>
#include <moreau/law.h>
#include <moreau/measure.h>
#include <moreau/problem.h>
#include <moreau/record.h>
#include <moreau/scene.h>
#include <moreau/solver.h>
#include <moreau/sweep.h>
#include <moreau/system.h>
#include <moreau/world.h>

#endif

/*
 * A settled sandpile at a tight tolerance: what the ground carries, how far anything moves, how deep anything
 * overlaps.
 *
 *   bench_settled [N] [--tol X] [--seconds T] [--projection 0|1] [--sleeping 0|1] [--threads K]
 *
 * N discs, radii uniform in [0.8, 1.2] of 1 cm, start as a loose triangular heap on a row of fixed discs,
 * settle at 60 sweeps a step, go over to a world with the tolerance asked for (default 1e-6), and are then
 * watched for T (10) seconds.
 *
 * Printed: time, contacts, bodies asleep, iterations, milliseconds a step, residual, kinetic energy, ground
 * force over weight, largest displacement since the watch began, penetration over the smallest radius.
 */
#include <math.h>
#include <string.h>

#include "core/rng.h"
#include "core/timer.h"
#include "pile.h"

typedef struct options {
    int n, threads;
    double tol, seconds;
    bool projection, sleeping;
} options;

static const double R = 0.01, H = 2e-3, G = 9.81, DENSITY = 2500;

typedef struct heap {
    mo_world *world;
    mo_body ground;
    double weight, smallest;
} heap;

// a row of touching discs from -half to half, as one fixed body with its top at y = 0
static mo_body add_ground(mo_world *w, double half)
{
    size_t n = (size_t)(half / R) + 1;
    mo_shape_def disc = {.kind = MO_SHAPE_DISC, .radius = R};
    mo_shape_child *children = calloc(n, sizeof *children);
    if (children == NULL)
        exit(1);
    for (size_t i = 0; i < n; i++)
        children[i] = (mo_shape_child){.shape = &disc, .position = {-half + 2 * R * (double)i, -R}};
    mo_body ground =
        add_fixed(w, &(mo_shape_def){.kind = MO_SHAPE_COMPOUND, .children = children, .child_count = n});
    free(children);
    return ground;
}

// tol 0: a fixed number of sweeps per step
static heap make_heap(const options *o, double tol)
{
    heap p = {.smallest = R};
    mo_world_def def = mo_default_world_def();
    mo_error err;
    def.h = H;
    def.gravity[1] = -G;
    def.solver.tol = tol;
    def.solver.max_iter = tol > 0 ? 100000 : 60;
    def.position_projection = o->projection;
    def.sleeping = o->sleeping;
    def.threads = o->threads;
    must(mo_world_create(&def, &p.world, &err), &err);
    mo_law law = {.friction = 0.5};
    must(mo_world_set_default_law(p.world, &law, &err), &err);
    // rows of a triangle with a slope of about 20 degrees
    rng random = rng_seed(1, 1);
    double d = 2.45 * R, slope = 0.36;
    int base = (int)ceil(sqrt(4 * o->n / slope));
    p.ground = add_ground(p.world, 0.5 * base * d + 60 * R);
    for (int row = 0, i = 0; i < o->n; row++) {
        int columns = base - (int)(row * 2 / slope);
        columns = columns > 1 ? columns : 1;
        for (int k = 0; k < columns && i < o->n; k++, i++) {
            double r = R * (0.8 + 0.4 * rng_uniform(&random)),
                   shift = 0.1 * R * (2 * rng_uniform(&random) - 1);
            add_disc(p.world, (k - 0.5 * (columns - 1)) * d + shift, (row + 0.6) * d, r, DENSITY);
            p.weight += DENSITY * 3.14159265358979323846 * r * r * G;
            p.smallest = fmin(p.smallest, r);
        }
    }
    return p;
}

// the same bodies in a world with another tolerance
static heap tighten(const heap *from, const options *o)
{
    heap to = make_heap(o, o->tol);
    mo_error err;
    mo_bodies b = mo_world_bodies(from->world);
    mo_contacts c = mo_world_contacts(from->world);
    mo_restart r = {.totals = mo_world_totals_get(from->world),
                    .body_count = b.count,
                    .id = b.id,
                    .q = b.q,
                    .u = b.u,
                    .load = mo_world_loads(from->world),
                    .force = mo_world_forces(from->world),
                    .contact_count = c.count,
                    .id1 = c.id1,
                    .id2 = c.id2,
                    .feature = c.feature,
                    .point = c.point,
                    .normal = c.normal,
                    .gap = c.gap,
                    .impulse = c.impulse,
                    .velocity = c.velocity,
                    .status = c.status};
    must(mo_world_restore(to.world, &r, &err), &err);
    return to;
}

static double moved(const mo_world *w, const double *from)
{
    mo_bodies b = mo_world_bodies(w);
    double most = 0;
    for (size_t i = 0; i < b.count; i++)
        most = fmax(most, hypot(b.q[3 * i] - from[3 * i], b.q[3 * i + 1] - from[3 * i + 1]));
    return most;
}

static void print_line(const heap *p, const char *phase, int64_t iterations, double seconds, int steps,
                       const double *from)
{
    mo_error err;
    double force[2];
    mo_world_info i = mo_world_info_get(p->world);
    must(mo_measure_force_on(p->world, p->ground, force, &err), &err);
    printf("%-8s t %7.3f  contacts %6zu  asleep %6zu  it/step %7.1f  ms/step %7.3f  residual %.1e  K %.2e J  "
           "force/weight - 1 %+.2e  "
           "moved %.2e m  "
           "penetration/r %.2e  unconverged %lld\n",
           phase, i.time, i.contacts, i.asleep, (double)iterations / steps, 1e3 * seconds / steps,
           i.solver.certificate.residual, i.energy.kinetic, -force[1] / p->weight - 1,
           from != NULL ? moved(p->world, from) : 0, i.penetration / p->smallest,
           (long long)i.unconverged_steps);
    fflush(stdout);
}

// steps for t seconds, a line every `every` steps; stops early once the kinetic energy is below still
static void run(const heap *p, const char *phase, double t, int every, double still, const double *from)
{
    int64_t before = mo_world_info_get(p->world).iterations_total;
    double since = seconds_now();
    for (int k = 1; k * H <= t + 0.5 * H; k++) {
        step(p->world);
        if (k % every != 0)
            continue;
        mo_world_info i = mo_world_info_get(p->world);
        print_line(p, phase, i.iterations_total - before, seconds_now() - since, every, from);
        before = i.iterations_total;
        since = seconds_now();
        if (i.energy.kinetic < still)
            return;
    }
}

static options read_options(int argc, char **argv)
{
    options o = {.n = 10000, .threads = 1, .tol = 1e-6, .seconds = 10, .projection = true};
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--tol") == 0)
            o.tol = atof(next), i++;
        else if (strcmp(argv[i], "--seconds") == 0)
            o.seconds = atof(next), i++;
        else if (strcmp(argv[i], "--projection") == 0)
            o.projection = atoi(next) != 0, i++;
        else if (strcmp(argv[i], "--sleeping") == 0)
            o.sleeping = atoi(next) != 0, i++;
        else if (strcmp(argv[i], "--threads") == 0)
            o.threads = atoi(next), i++;
        else
            o.n = atoi(argv[i]);
    }
    return o;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    double started = seconds_now();
    heap loose = make_heap(&o, 0);
    run(&loose, "settle", 8, 250, 1e-12 * loose.weight, NULL);
    heap fine = tighten(&loose, &o);
    mo_world_destroy(loose.world);
    run(&fine, "tighten", 1, 25, 1e-14 * fine.weight, NULL);
    mo_bodies b = mo_world_bodies(fine.world);
    double *from = malloc(3 * b.count * sizeof *from);
    if (from == NULL)
        return 1;
    memcpy(from, b.q, 3 * b.count * sizeof *from);
    run(&fine, "watch", o.seconds, 500, 0, from);
    mo_energy e = mo_world_info_get(fine.world).energy;
    printf("%d discs, tolerance %g, %d threads: %.0f s; energy balance error %.2e of what was dissipated\n",
           o.n, o.tol, o.threads, seconds_now() - started,
           e.balance_error / (e.dissipated_friction + e.dissipated_impact));
    free(from);
    mo_world_destroy(fine.world);
    return 0;
}

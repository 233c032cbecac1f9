/* Paths of straight segments through the pieces of Coulomb's law: see coulomb_path.h. */
#include "solver/coulomb_path.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* Of |X| and |Y|: by how much the point that was followed may differ from the one that new factors give; else
 * the path is taken up again where factors were made before, with fewer rows replaced between, FEWEST at
 * least. */
static const double DRIFT = 1e-4;
enum { FEWEST = 4, MORE = 2 };

bool coulomb_path_make(coulomb_path *p, local_work *w)
{
    *p = (coulomb_path){.contacts = w->p->contacts, .n = w->n, .q = w->linear->scaled.q};
    double **vectors[] = {&p->X, &p->Y, &p->dX, &p->dY, &p->d, &p->load};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if ((*vectors[i] = arena_push(&w->memory, p->n, sizeof(double))) == NULL)
            return false;
    p->piece = arena_push(&w->memory, p->contacts, sizeof *p->piece);
    p->piece_then = arena_push(&w->memory, p->contacts, sizeof *p->piece_then);
    p->kind_then = arena_push(&w->memory, p->n, sizeof *p->kind_then);
    return p->piece != NULL && p->piece_then != NULL && p->kind_then != NULL &&
           replaced_rows_make(&p->rows, w);
}

void coulomb_path_load(coulomb_path *p)
{
    p->rows.alpha = p->alpha;
    replaced_rows_velocity(&p->rows, p->X, p->q, p->d);
    vec_add(p->n, -1, p->Y, p->d);
}

// what the rows of contact c are in a piece; of an open one the second says on which side it opened
static void set_kinds(coulomb_path *p, size_t c)
{
    uint8_t *kind = p->rows.kind + 2 * c;
    const piece now = (piece)p->piece[c];
    kind[0] = now == PIECE_OPEN ? ROW_NOTHING : ROW_VELOCITY;
    if (now != PIECE_OPEN)
        kind[1] = now == PIECE_STICK ? ROW_VELOCITY : now == PIECE_PLUS ? ROW_PLUS : ROW_MINUS;
    else if (kind[1] == ROW_VELOCITY)
        kind[1] = ROW_PLUS;
}

// the solution of the system with b in the rows of velocities, and its velocities less load
static void solve(coulomb_path *p, double *b, double *X, double *Y)
{
    // Y = (Ws + alpha I) X - b: the load before b becomes the right-hand side
    for (size_t i = 0; i < p->n; i++)
        p->load[i] = -b[i];
    for (size_t i = 0; i < p->n; i++)
        if (p->rows.kind[i] != ROW_VELOCITY)
            b[i] = 0;
    replaced_rows_solve(&p->rows, b, X);
    replaced_rows_velocity(&p->rows, X, p->load, Y);
}

static double distance(size_t n, const double *a, const double *b)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static bool drifted(const coulomb_path *p, const double *X, const double *Y)
{
    return !(distance(p->n, X, p->X) <= DRIFT * vec_max_abs(p->n, X) &&
             distance(p->n, Y, p->Y) <= DRIFT * (vec_max_abs(p->n, Y) + vec_max_abs(p->n, p->q)));
}

static void note_place(coulomb_path *p)
{
    memcpy(p->piece_then, p->piece, p->contacts * sizeof *p->piece);
    memcpy(p->kind_then, p->rows.kind, p->n * sizeof *p->kind_then);
    p->t_then = p->t;
    p->sense_then = p->sense;
}

static void go_back(coulomb_path *p)
{
    memcpy(p->piece, p->piece_then, p->contacts * sizeof *p->piece);
    memcpy(p->rows.kind, p->kind_then, p->n * sizeof *p->kind_then);
    p->t = p->t_then;
    p->sense = p->sense_then;
}

// factors, point and direction anew from the pieces and t; *same: the point is where it was followed to
static bool renew(coulomb_path *p, bool *same)
{
    const size_t n = p->n;
    double *X = p->rows.z, *Y = X + n, *b = Y + n;
    if (!replaced_rows_factor(&p->rows))
        return false;
    for (size_t i = 0; i < n; i++)
        b[i] = p->t * p->d[i] - p->q[i];
    solve(p, b, X, Y);
    *same = !drifted(p, X, Y);
    memcpy(p->X, X, n * sizeof *X);
    memcpy(p->Y, Y, n * sizeof *Y);
    memcpy(b, p->d, n * sizeof *b);
    solve(p, b, p->dX, p->dY);
    return true;
}

// the same in the course of a path; *back: it was lost, and is taken up again where it was known last
static bool renew_on_the_way(coulomb_path *p, bool *back)
{
    bool same;
    *back = false;
    if (!renew(p, &same))
        return false;
    if (same || p->allowed <= FEWEST) {
        p->allowed = p->allowed + MORE < ROWS_MOST ? p->allowed + MORE : ROWS_MOST;
        return true;
    }
    *back = true;
    p->allowed = p->allowed / 2 > FEWEST ? p->allowed / 2 : FEWEST;
    go_back(p);
    return renew(p, &same);
}

// replaces a row; the direction follows
static bool replace(coulomb_path *p, size_t row, row_kind kind)
{
    if (p->rows.kind[row] == kind)
        return true;
    if (!replaced_rows_change(&p->rows, row, kind))
        return false;
    const size_t last = (size_t)p->rows.count - 1;
    const double *z = p->rows.z + last * p->n, b = kind == ROW_VELOCITY ? p->d[row] : 0;
    const double step = (b - replaced_rows_apply(&p->rows, row, kind, p->dX)) * p->rows.replaced[last].scale;
    vec_add(p->n, step, z, p->dX);
    replaced_rows_velocity(&p->rows, z, p->rows.unit, p->load);
    vec_add(p->n, step, p->load, p->dY);
    return true;
}

// contact c goes over to another piece; false: factors have to be made anew
static bool change_piece(coulomb_path *p, size_t c, piece to)
{
    const bool opens = to == PIECE_OPEN;
    const row_kind second = opens              ? (row_kind)p->rows.kind[2 * c + 1]
                            : to == PIECE_PLUS ? ROW_PLUS
                                               : (to == PIECE_MINUS ? ROW_MINUS : ROW_VELOCITY);
    p->piece[c] = (uint8_t)to;
    const bool done = replace(p, 2 * c + 1, second) && replace(p, 2 * c, opens ? ROW_NOTHING : ROW_VELOCITY);
    if (!done)
        set_kinds(p, c);
    return done;
}

/* The nearest corner: which contact changes to which piece, after how much of |t|. */
typedef struct corner {
    size_t contact;
    piece to;
    double step;
} corner;

// a value that must not become negative, and its change with t
static inline void look(double value, double rate, int sense, size_t c, piece to, corner *out)
{
    const double fall = -rate * sense, step = value > 0 ? value : 0;
    if (fall > 0 && step < out->step * fall)
        *out = (corner){c, to, step / fall};
}

static corner next_corner(const coulomb_path *p)
{
    const double *mu = p->rows.w->p->mu;
    corner out = {.step = HUGE_VAL};
    for (size_t c = 0; c < p->contacts; c++) {
        const double *X = p->X + 2 * c, *Y = p->Y + 2 * c, *dX = p->dX + 2 * c, *dY = p->dY + 2 * c;
        if (p->piece[c] == PIECE_OPEN) {
            look(Y[0], dY[0], p->sense, c, PIECE_PLUS, &out);
        } else if (p->piece[c] == PIECE_STICK) {
            look(mu[c] * X[0] - X[1], mu[c] * dX[0] - dX[1], p->sense, c, PIECE_PLUS, &out);
            look(mu[c] * X[0] + X[1], mu[c] * dX[0] + dX[1], p->sense, c, PIECE_MINUS, &out);
        } else {
            const int side = p->piece[c] == PIECE_PLUS ? -1 : 1;
            look(X[0], dX[0], p->sense, c, PIECE_OPEN, &out);
            // without friction it slides both ways
            if (mu[c] > 0)
                look(side * Y[1], side * dY[1], p->sense, c, PIECE_STICK, &out);
        }
    }
    return out;
}

// how fast contact c goes into its piece from the one before, with t
static double entry_rate(const coulomb_path *p, size_t c, piece from)
{
    const double mu = p->rows.w->p->mu[c], *dX = p->dX + 2 * c, *dY = p->dY + 2 * c;
    switch ((piece)p->piece[c]) {
    case PIECE_OPEN:
        return dY[0];
    case PIECE_STICK:
        return from == PIECE_PLUS ? mu * dX[0] - dX[1] : mu * dX[0] + dX[1];
    case PIECE_PLUS:
        return from == PIECE_STICK ? -dY[1] : dX[0];
    default:
        return from == PIECE_STICK ? dY[1] : dX[0];
    }
}

static void advance(coulomb_path *p, double dt)
{
    vec_add(p->n, dt, p->dX, p->X);
    vec_add(p->n, dt, p->dY, p->Y);
    p->t += dt;
}

// passes a corner; false: lost
static bool turn(coulomb_path *p, const corner *at)
{
    const size_t c = at->contact;
    const piece from = (piece)p->piece[c];
    piece to = at->to;
    advance(p, p->sense * at->step);
    if (from == PIECE_OPEN)
        to = p->Y[2 * c + 1] < 0 ? PIECE_PLUS : PIECE_MINUS;
    bool back = false;
    // two rows at most are replaced at a corner
    const bool room = p->rows.count + 2 <= p->allowed;
    if ((!change_piece(p, c, to) || !room) && !renew_on_the_way(p, &back))
        return false;
    if (back)
        return true;
    p->sense = entry_rate(p, c, from) > 0 ? 1 : -1;
    if (p->rows.count == 0)
        note_place(p);
    return true;
}

path_end coulomb_path_follow(coulomb_path *p, long most)
{
    bool same;
    p->t = 1;
    p->sense = -1;
    p->allowed = ROWS_MOST;
    for (size_t c = 0; c < p->contacts; c++)
        set_kinds(p, c);
    if (!renew(p, &same))
        return PATH_LOST;
    note_place(p);
    for (const long end = p->pivots + most; p->pivots < end; p->pivots++) {
        const corner at = next_corner(p);
        if (p->sense < 0 && at.step >= p->t) {
            advance(p, -p->t);
            return PATH_ARRIVED;
        }
        if (!isfinite(at.step) || !turn(p, &at))
            return PATH_LOST;
    }
    return PATH_LONG;
}

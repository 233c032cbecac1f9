/* Tables of benchmarks on standard output. */
#include "bench_report.h"

#include <math.h>
#include <stdio.h>

const char *bench_order_text(char *buffer, const bench_fit *fit, int column)
{
    if (fit->exact[column])
        return "exact";
    if (isnan(fit->order[column]))
        return "-";
    // no minus before nothing
    const double order = fit->order[column];
    snprintf(buffer, 32, "%.2f", fabs(order) < 0.005 ? 0 : order);
    return buffer;
}

const char *bench_value_text(char *buffer, double value)
{
    if (!isfinite(value))
        return "-";
    snprintf(buffer, 32, value == 0 ? "%.0f" : "%.1e", value);
    return buffer;
}

static void print_row(const bench_table *t, const bench_row *row)
{
    char text[32];
    printf("%-18s %7zu %9s", mo_system_scheme_name(row->scheme), row->steps, bench_value_text(text, row->h));
    for (size_t k = 0; k < t->column_count; k++)
        printf(" %10s", bench_value_text(text, row->values[k]));
    printf(" %9lld %9lld %9.2f", (long long)row->forces, (long long)row->solves, 1e3 * row->seconds);
    if (row->trouble[0] != '\0')
        printf("  %s", row->trouble);
    else if (row->unconverged > 0)
        printf("  %lld steps not converged", (long long)row->unconverged);
    putchar('\n');
}

static void print_orders(const bench_table *t)
{
    char first[32], second[32];
    printf("\n%-18s %12s %12s\n", "order", t->columns[0], t->columns[1]);
    for (size_t k = 0; k < t->fit_count; k++)
        printf("%-18s %12s %12s\n", mo_system_scheme_name(t->fits[k].scheme),
               bench_order_text(first, &t->fits[k], 0), bench_order_text(second, &t->fits[k], 1));
    putchar('\n');
}

void bench_print(const bench_table *t)
{
    printf("%s\n%s\nreference: %s\n\n", t->situation->name, t->situation->about, t->situation->reference);
    printf("%-18s %7s %9s", "scheme", "steps", "h");
    for (size_t k = 0; k < t->column_count; k++)
        printf(" %10s", t->columns[k]);
    printf(" %9s %9s %9s\n", "forces", "solves", "ms");
    for (size_t k = 0; k < t->row_count; k++)
        print_row(t, &t->rows[k]);
    print_orders(t);
    fflush(stdout);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *row_json(const bench_table *t, const bench_row *row)
{
    json_t *o = json_object(), *values = json_object();
    for (size_t k = 0; k < t->column_count; k++)
        json_put(values, t->columns[k], json_number(row->values[k]));
    json_put(o, "scheme", json_text(mo_system_scheme_name(row->scheme)));
    json_put(o, "steps", json_integer((json_int_t)row->steps));
    json_put(o, "h", json_number(row->h));
    json_put(o, "errors", values);
    json_put(o, "force_evaluations", json_integer((json_int_t)row->forces));
    json_put(o, "linear_solves", json_integer((json_int_t)row->solves));
    json_put(o, "unconverged_steps", json_integer((json_int_t)row->unconverged));
    json_put(o, "seconds", json_number(row->seconds));
    json_put(o, "trouble", json_text(row->trouble));
    return o;
}

static json_t *fit_json(const bench_table *t, const bench_fit *fit)
{
    json_t *o = json_object();
    json_put(o, "scheme", json_text(mo_system_scheme_name(fit->scheme)));
    for (int k = 0; k < 2; k++)
        json_put(o, t->columns[k], fit->exact[k] ? json_text("exact") : json_number(fit->order[k]));
    return o;
}

json_t *bench_json(const bench_table *t)
{
    json_t *o = json_object(), *rows = json_array(), *orders = json_array();
    for (size_t k = 0; k < t->row_count; k++)
        json_array_append_new(rows, row_json(t, &t->rows[k]));
    for (size_t k = 0; k < t->fit_count; k++)
        json_array_append_new(orders, fit_json(t, &t->fits[k]));
    json_put(o, "name", json_text(t->situation->name));
    json_put(o, "reference", json_text(t->situation->reference));
    json_put(o, "rows", rows);
    json_put(o, "orders", orders);
    return o;
}

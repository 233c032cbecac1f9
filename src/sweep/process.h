/* Parts of the process that only its own files use. */
#ifndef SWEEP_PROCESS_H
#define SWEEP_PROCESS_H

#include "sweep/internal.h"

mo_status holds_reserve(hold_list *list, size_t count, mo_error *err);
/* Room for events with so many gaps in all; false: no memory. */
bool events_reserve(mo_sweep *s, size_t count, size_t gap_count);
/* s->lambda := the sums over the list s->holds, per multiplier. */
void lambda_from_holds(mo_sweep *s);
/* Residuals of next_info from the set: needs what the method left (internal.h). */
mo_status sweep_certify(mo_sweep *s, mo_error *err);
/* After the certificate of a lazy step: STEP_NOT_MADE when the point is left outside because C(t_f) is empty.
   (lazy.c) */
mo_status lazy_look_empty(mo_sweep *s, mo_error *err);

#endif

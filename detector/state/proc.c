/* SPDX-License-Identifier: BSD-3-Clause */
/* A process. */
#include "detector/state/state.h"

void ork_proc_fault(struct proc *p, const char *text)
{
    struct ork_detector *d = p->d;

    if (p->fault == NULL) {
        p->fault = text;
        *(d->last_faulty != NULL ? &d->last_faulty->next_faulty : &d->first_faulty) = p;
        d->last_faulty = p;
    }
    ork_proc_set_bulk_blocker(p, BULK_FAULT, true);
}

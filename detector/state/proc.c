/* SPDX-License-Identifier: BSD-3-Clause */
/* A process. */
#include "detector/state/state.h"

void ork_proc_fault(struct proc *p, const char *text)
{
    if (p->fault == NULL)
        p->fault = text;
    ork_proc_set_bulk_blocker(p, BULK_FAULT, true);
}

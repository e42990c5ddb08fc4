/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrivals of many ranks at once. */
#ifndef ORK_DETECTOR_ARRIVAL_H
#define ORK_DETECTOR_ARRIVAL_H

#include "detector/state/state.h"

/* Let these pass at once, if they may; else (*passed false) each is to be fed by itself.
 * ORK_INVALID, ORK_NOMEM. */
enum ork_status ork_arrivals_pass(struct ork_detector *d, const struct ork_arrival *arrival,
                                  uint32_t n, bool *passed);
void ork_arrivals_destroy(struct ork_detector *d);
/* Learn of what `p` passed. */
void ork_passage_learn(struct proc *p);
/* Before `p` acts or is looked at. */
static inline void ork_passage_look(struct proc *p)
{
    if (p->passages != p->d->bulk.passages)
        ork_passage_learn(p);
}

#endif

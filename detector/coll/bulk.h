/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrivals of many ranks at once. */
#ifndef ORK_DETECTOR_BULK_H
#define ORK_DETECTOR_BULK_H

#include "detector/state/state.h"

/* Let these calls pass at once, if possible. Otherwise *passed is false, and the caller has to feed
 * each record by itself. ORK_INVALID, ORK_NOMEM. */
enum ork_status ork_bulk_pass(struct ork_detector *d, const struct ork_group_record *group_record,
                              uint32_t n, bool *passed);
void ork_bulk_destroy(struct ork_detector *d);
/* Update `p` with the bulk waves that it passed. */
void ork_bulk_wave_learn(struct proc *p);
/* To be called before `p` acts or is examined. */
static inline void ork_bulk_wave_catch_up(struct proc *p)
{
    if (p->bulk_waves != p->d->bulk.bulk_waves)
        ork_bulk_wave_learn(p);
}

#endif

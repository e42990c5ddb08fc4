/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of a window lock (docs/explanation/order.md) in its EXIT record. RATIONALE: it grows,
 * and records of a loop should be equal. So `tag` of the record says how many conflicting sections
 * there were since the latest lock of the same kind by this rank, of the same target of the window.
 * Only for the first thread: records of several ones may be read in another order. */
#ifndef ORK_RECORD_LOCK_NUMBER_H
#define ORK_RECORD_LOCK_NUMBER_H

#include "record/record.h"

/* A kind of lock of a target; `target` is the number of targets: all of them. */
static inline uint32_t ork_lock_series(uint32_t target, bool is_exclusive)
{
    return 2 * target + is_exclusive;
}

static inline uint32_t ork_lock_all_series(uint32_t targets)
{
    return 2 * (targets + 1);
}

/* Writing: `thread` is the number of the thread in records, *latest the number of the latest lock
 * of this series, 0 at first. */
static inline uint32_t ork_lock_number_since(uint32_t *latest, uint32_t thread, uint32_t number)
{
    uint32_t since = (number - *latest) & INT32_MAX;

    if (thread != 0)
        return number;
    *latest = number;
    return since;
}

/* Reading. */
static inline uint32_t ork_lock_number(uint32_t *latest, const struct ork_record *exit)
{
    if (exit->thread == 0)
        *latest = (*latest + (uint32_t)exit->tag) & INT32_MAX;
    return exit->thread == 0 ? *latest : (uint32_t)exit->tag;
}

#endif

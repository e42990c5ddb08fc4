/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of calls. RATIONALE: a call site is a number of one rank, which counts them in the
 * order in which it comes to them; so the numbers of two ranks for one place differ. */
#ifndef ORK_DETECTOR_CALL_PLACES_H
#define ORK_DETECTOR_CALL_PLACES_H

#include "record/record.h"

#include <stdbool.h>

struct proc;

struct call_places {
    uint64_t *module, *site; /* by number; 0: not known */
    uint32_t num_modules, num_sites;
};

/* MODULE and SITE; of other records, and of invalid ones, nothing is known. */
void ork_call_places_define(struct proc *p, const struct ork_record *rec, const uint32_t *list);
/* A hash of the file, the address and the callers, which is equal at all ranks; 0: not known. */
static inline uint64_t ork_call_place(const struct call_places *places, uint32_t site)
{
    return site < places->num_sites ? places->site[site] : 0;
}
void ork_call_places_release(struct call_places *places);

#endif

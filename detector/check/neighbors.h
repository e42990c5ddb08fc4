/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbours of the members of a communicator, from their NEIGHBORS records. */
#ifndef ORK_DETECTOR_NEIGHBORS_H
#define ORK_DETECTOR_NEIGHBORS_H

#include "detector/state/state.h"

/* Of one member. */
struct neighbors {
    uint32_t sources, destinations; /* their numbers */
    uint32_t site;                  /* of the call that named them, or used them first */
    uint16_t call;
    int32_t rank[]; /* sources, then destinations; ORK_PROC_NULL: there is none */
};

void ork_neighbors_define(struct proc *p, const struct ork_record *rec, const uint32_t *list);

/* NULL: unknown. */
static inline const struct neighbors *ork_neighbors_of(const struct comm *c, uint32_t member)
{
    return c->neighbors != NULL ? c->neighbors[member] : NULL;
}

/* The place of a rank among n ones. UINT32_MAX: it is not there. `is_only`: it is there once. */
uint32_t ork_neighbors_find(const int32_t *rank, uint32_t n, uint32_t sought, bool *is_only);

#endif

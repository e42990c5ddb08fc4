/* SPDX-License-Identifier: BSD-3-Clause */
/* What a programmer can do about a wait. describe_resolve.c tries it on the graph. */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_ADVICE_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_ADVICE_H

#include "overlay/findings/describe_internal.h"

/* What the awaited rank would have to do. */
enum advice_part { ADVICE_NONE, ADVICE_RECEIVE, ADVICE_SEND, ADVICE_ARRIVE };

/* Rank `waiter` waits in a call until rank `actor` acts. The actor is in a call that cannot return
 * before that. */
struct advice {
    enum advice_part part;
    uint32_t waiter;
    uint16_t wait_call; /* the call that started what it waits for */
    uint32_t wait_site;
    bool is_request; /* it waits for a request of that call, outside the call */
    uint32_t comm;
    int32_t tag;
    bool is_any;   /* from any source */
    uint16_t coll; /* ADVICE_ARRIVE: enum ork_coll */
    uint32_t actor;
    struct ork_record actor_call; /* invalid if the actor has ended */
    uint32_t actor_comm;
    bool has_ended, has_finished; /* the actor; after MPI_Finalize */
    uint32_t near;                /* its near miss; UINT32_MAX: none */
    /* The run went on: the actor did its part in this later call. */
    bool is_later, is_next; /* right after the actor's present call */
    struct ork_record later;
};

/* Fill `is_later`, `is_next` and `later`. */
void ork_advice_find_later(const struct ork_detector *d, struct advice *a);

/* A sentence: what any one of `actors` (several that are alike, ascending) can do; if they are in
 * several roots, one in each of these. */
const char *ork_advice_words(struct ork_writing *w, const struct ork_finding *f,
                             const struct advice *a, const struct ork_u32s *actors, uint32_t roots);

#endif

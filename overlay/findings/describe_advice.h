/* SPDX-License-Identifier: BSD-3-Clause */
/* What a programmer can do about a wait: of describe_resolve.c, which tries it on the graph. */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_ADVICE_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_ADVICE_H

#include "overlay/findings/describe_internal.h"

/* What the rank that is waited for would have to do. */
enum advice_part { ADVICE_NONE, ADVICE_RECEIVE, ADVICE_SEND, ADVICE_ARRIVE };

/* Rank `waiter` waits in a call until rank `actor` acts, which is in a call that cannot return
 * before. */
struct advice {
    enum advice_part part;
    uint32_t waiter;
    uint16_t wait_call; /* that started what it waits for */
    uint32_t wait_site;
    bool is_request; /* it waits for a request of that call, and is not in it */
    uint32_t comm;
    int32_t tag;
    bool is_any;   /* from any source */
    uint16_t coll; /* ADVICE_ARRIVE: enum ork_coll */
    uint32_t actor;
    struct ork_record actor_call; /* not of one that has ended */
    uint32_t actor_comm;
    bool has_ended, has_finished; /* the actor; after MPI_Finalize */
    uint32_t near;                /* which near miss it is one side of; UINT32_MAX: of none */
    /* The run went on: the actor did its part in this later call. */
    bool is_later, is_next; /* right after the one that it is in */
    struct ork_record later;
};

/* Fill `is_later`, `is_next` and `later`. */
void ork_advice_find_later(const struct ork_detector *d, struct advice *a);

/* A sentence: what `actors` (several that are alike, ascending) can do, any one of them; if they
 * are in several roots, one in each of these. The caller's; *text NULL: there is nothing to say.
 * ORK_NOMEM. */
enum ork_status ork_advice_words(const struct ork_detector *d, struct ork_call_sites *sites,
                                 const struct ork_finding *f, const struct advice *a,
                                 const struct ork_u32s *actors, uint32_t roots, char **text);

#endif

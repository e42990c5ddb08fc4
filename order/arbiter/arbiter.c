/* SPDX-License-Identifier: BSD-3-Clause */
/* The arbiter and the records that come in. */
#include "order/arbiter/internal.h"

#include <stdlib.h>

enum { RECORDS_AT_ONCE = 1 << 16 };

enum ork_status ork_arbiter_create(uint32_t nprocs, struct ork_arbiter **out)
{
    struct ork_arbiter *a = calloc(1, sizeof(*a));

    if (a == NULL)
        return ORK_NOMEM;
    a->nprocs = nprocs;
    a->rank = calloc(nprocs, sizeof(*a->rank));
    a->bound = calloc(nprocs, sizeof(*a->bound));
    bool good = a->rank != NULL && a->bound != NULL;
    for (uint32_t r = 0; good && r < nprocs; r++)
        ork_arbiter_rank_init(a, r);
    if (!good || !ork_arbiter_comm_init(a)) {
        ork_arbiter_destroy(a);
        return ORK_NOMEM;
    }
    *out = a;
    return ORK_OK;
}

void ork_arbiter_destroy(struct ork_arbiter *a)
{
    if (a == NULL)
        return;
    for (uint32_t r = 0; a->rank != NULL && r < a->nprocs; r++)
        ork_arbiter_rank_destroy(&a->rank[r]);
    ork_comms_destroy(a->comms);
    free(a->rank);
    free(a->bound);
    free(a->upcoming.next);
    free(a);
}

static bool append(struct rank *p, const struct ork_record *record, uint32_t n)
{
    if (p->queue_first > 0) {
        memmove(p->queue, p->queue + p->queue_first, p->queued * sizeof(*p->queue));
        p->queue_first = 0;
    }
    if (!ork_vec_reserve(&p->queue, &p->queue_room, p->queued + n, sizeof(*p->queue)))
        return false;
    memcpy(p->queue + p->queued, record, n * sizeof(*record));
    p->queued += n;
    return true;
}

enum ork_status ork_arbiter_feed(struct ork_arbiter *a, uint32_t rank,
                                 const struct ork_record *record, size_t n)
{
    ORK_ASSERT(rank < a->nprocs);
    struct rank *p = &a->rank[rank];

    while (n > 0 && !p->lost && !p->ended && !a->failed) {
        uint32_t now = n < RECORDS_AT_ONCE ? (uint32_t)n : RECORDS_AT_ONCE;
        if (p->queued > UINT32_MAX / 2 || !append(p, record, now))
            a->failed = true;
        record += now;
        n -= now;
        ork_arbiter_rank_wake(p);
        ork_arbiter_follow(a);
    }
    return a->failed ? ORK_NOMEM : ORK_OK;
}

void ork_arbiter_end(struct ork_arbiter *a, uint32_t rank)
{
    ORK_ASSERT(rank < a->nprocs);
    struct rank *p = &a->rank[rank];

    if (p->ended)
        return;
    p->ended = true;
    a->bound_is_old = true;
    ork_arbiter_rank_wake_all(a);
    ork_arbiter_follow(a);
}

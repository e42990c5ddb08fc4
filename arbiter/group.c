/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of communicators: which member is which rank. */
#include "arbiter/internal.h"

#include <stdlib.h>

void ork_arbiter_group_release(struct group *g)
{
    if (g == NULL || --g->refs > 0)
        return;
    free(g->member);
    free(g);
}

static uint32_t member_of(const struct group *g, uint32_t i)
{
    ORK_ASSERT(i < g->size);
    return g->member == NULL ? i : g->member[i];
}

bool ork_arbiter_group_is_same(const struct group *a, const struct group *b)
{
    if (a == b)
        return true;
    if (a->size != b->size || a->local != b->local || a->inter != b->inter)
        return false;
    for (uint32_t i = 0; i < a->size; i++) {
        if (member_of(a, i) != member_of(b, i))
            return false;
    }
    return true;
}

/* Number of members of these runs; 0: invalid. */
static uint32_t size_of_runs(const struct ork_arbiter *a, const uint32_t *list, uint32_t runs)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < runs; i++, list += 3) {
        int64_t stride = (int32_t)list[1];
        if (list[2] == 0 || list[2] > a->nprocs || list[0] >= a->nprocs)
            return 0;
        int64_t last = (int64_t)list[0] + stride * ((int64_t)list[2] - 1);
        total += list[2];
        if (last < 0 || last >= (int64_t)a->nprocs || total > a->nprocs)
            return 0;
    }
    return (uint32_t)total;
}

static uint32_t *expand_runs(const uint32_t *list, uint32_t runs, uint32_t *member)
{
    for (uint32_t i = 0; i < runs; i++, list += 3) {
        for (uint32_t k = 0; k < list[2]; k++)
            *member++ = list[0] + (uint32_t)((int32_t)list[1] * (int32_t)k);
    }
    return member;
}

struct group *ork_arbiter_group_read(struct rank *p, const struct ork_record *record,
                                     const uint32_t *list, uint32_t *me)
{
    struct ork_arbiter *a = p->arbiter;
    bool inter = (record->flags & ORK_F_INTER) != 0;
    uint32_t runs = record->count / 3;
    uint32_t local_runs = inter && record->arg2 < runs ? record->arg2 : runs;
    const uint32_t *there = list + 3 * (size_t)local_runs;
    uint32_t local = size_of_runs(a, list, local_runs);
    uint32_t remote = inter ? size_of_runs(a, there, runs - local_runs) : 0;

    if (record->count % 3 != 0 || local == 0 || (inter && remote == 0))
        return NULL;
    struct group *g = calloc(1, sizeof(*g));
    uint32_t *member = malloc(((size_t)local + remote) * sizeof(*member));
    if (g == NULL || member == NULL) {
        free(g);
        free(member);
        a->failed = true;
        return NULL;
    }
    bool swapped = inter && there[0] < list[0];
    if (swapped)
        expand_runs(list, local_runs, expand_runs(there, runs - local_runs, member));
    else
        expand_runs(there, runs - local_runs, expand_runs(list, local_runs, member));
    *g = (struct group){.refs = 1,
                        .size = local + remote,
                        .local = swapped ? remote : local,
                        .member = member,
                        .inter = inter};
    uint32_t first = swapped ? remote : 0;
    for (*me = first; *me < first + local && member[*me] != p->number;)
        ++*me;
    if (*me == first + local) {
        ork_arbiter_group_release(g);
        return NULL;
    }
    return g;
}

struct comm_ref ork_arbiter_comm_ref(const struct rank *p, uint32_t id)
{
    return id < p->comms ? p->comm[id] : (struct comm_ref){0};
}

uint32_t ork_arbiter_comm_rank_of(const struct comm *c, uint32_t member)
{
    return member_of(c->group, member);
}

bool ork_arbiter_comm_peer(struct comm_ref ref, int32_t peer, uint32_t *member)
{
    const struct group *g = ref.comm->group;
    uint32_t first = 0, size = g->size;

    if (g->inter) {
        first = ref.me < g->local ? g->local : 0;
        size = ref.me < g->local ? g->size - g->local : g->local;
    }
    *member = first + (uint32_t)peer;
    return peer >= 0 && (uint32_t)peer < size;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/comms/group.h"

#include "common/assert.h"

#include <stdlib.h>

struct ork_group *ork_comms_group_make(uint32_t first, uint32_t size)
{
    struct ork_group *g = calloc(1, sizeof(*g));

    if (g == NULL)
        return NULL;
    *g = (struct ork_group){.refs = 1, .size = size, .local = size};
    if (first == 0)
        return g;
    g->member = malloc(size * sizeof(*g->member));
    if (g->member == NULL) {
        free(g);
        return NULL;
    }
    for (uint32_t i = 0; i < size; i++)
        g->member[i] = first + i;
    return g;
}

void ork_comms_group_release(struct ork_group *g)
{
    if (g == NULL || --g->refs > 0)
        return;
    free(g->member);
    free(g);
}

static uint32_t member_of(const struct ork_group *g, uint32_t i)
{
    ORK_ASSERT(i < g->size);
    return g->member == NULL ? i : g->member[i];
}

bool ork_comms_group_is_same(const struct ork_group *a, const struct ork_group *b)
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
static uint32_t size_of_runs(uint32_t nprocs, const uint32_t *list, uint32_t runs)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < runs; i++, list += 3) {
        int64_t stride = (int32_t)list[1];
        if (list[2] == 0 || list[2] > nprocs || list[0] >= nprocs)
            return 0;
        int64_t last = (int64_t)list[0] + stride * ((int64_t)list[2] - 1);
        total += list[2];
        if (last < 0 || last >= (int64_t)nprocs || total > nprocs)
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

enum ork_status ork_comms_group_read(uint32_t nprocs, uint32_t rank,
                                     const struct ork_record *record, const uint32_t *list,
                                     uint32_t *me, struct ork_group **group)
{
    bool inter = (record->flags & ORK_F_INTER) != 0;
    uint32_t runs = record->count / 3;
    uint32_t local_runs = inter && record->arg2 < runs ? record->arg2 : runs;
    const uint32_t *there = list + 3 * (size_t)local_runs;
    uint32_t local = size_of_runs(nprocs, list, local_runs);
    uint32_t remote = inter ? size_of_runs(nprocs, there, runs - local_runs) : 0;

    if (record->count % 3 != 0 || local == 0 || (inter && remote == 0))
        return ORK_INVALID;
    struct ork_group *g = calloc(1, sizeof(*g));
    uint32_t *member = malloc(((size_t)local + remote) * sizeof(*member));
    if (g == NULL || member == NULL) {
        free(g);
        free(member);
        return ORK_NOMEM;
    }
    bool swapped = inter && there[0] < list[0];
    if (swapped)
        expand_runs(list, local_runs, expand_runs(there, runs - local_runs, member));
    else
        expand_runs(there, runs - local_runs, expand_runs(list, local_runs, member));
    *g = (struct ork_group){.refs = 1,
                            .size = local + remote,
                            .local = swapped ? remote : local,
                            .member = member,
                            .inter = inter};
    uint32_t first = swapped ? remote : 0;
    for (*me = first; *me < first + local && member[*me] != rank;)
        ++*me;
    if (*me == first + local) {
        ork_comms_group_release(g);
        return ORK_INVALID;
    }
    *group = g;
    return ORK_OK;
}

uint32_t ork_comms_rank_of(const struct ork_comm *c, uint32_t member)
{
    return member_of(c->group, member);
}

uint32_t ork_comms_peers(struct ork_comm_ref ref, uint32_t *first)
{
    const struct ork_group *g = ref.comm->group;

    *first = g->inter && ref.me < g->local ? g->local : 0;
    if (!g->inter)
        return g->size;
    return ref.me < g->local ? g->size - g->local : g->local;
}

bool ork_comms_peer(struct ork_comm_ref ref, int32_t peer, uint32_t *member)
{
    uint32_t first, size = ork_comms_peers(ref, &first);

    *member = first + (uint32_t)peer;
    return peer >= 0 && (uint32_t)peer < size;
}

int32_t ork_comms_peer_of(struct ork_comm_ref ref, uint32_t member)
{
    uint32_t first;

    ork_comms_peers(ref, &first);
    ORK_ASSERT(member >= first);
    return (int32_t)(member - first);
}

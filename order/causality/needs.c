/* SPDX-License-Identifier: BSD-3-Clause */
/* Without the calls of which other members a member cannot return from a collective call, in any
 * library: because it has to wait for them, or because it gets data of them. */
#include "order/causality/internal.h"

#include <stdlib.h>

/* What the member passes. */
struct needing {
    struct rank *rank;
    const struct ork_group *group;
    const struct ork_record *call;
    const uint32_t *list; /* of the record; NULL: unknown */
    struct part *part;
};

static bool receives(const struct ork_record *call)
{
    return (call->flags & ORK_F_RECEIVES) != 0 && call->extra > 0;
}

static bool is_in_first_group(const struct needing *n)
{
    return n->part->member < n->group->local;
}

/* The member that is number `process` for this one: in an intercommunicator, of the other group. */
static uint32_t member_of(const struct needing *n, uint32_t process)
{
    return n->group->inter && is_in_first_group(n) ? n->group->local + process : process;
}

static uint32_t num_processes(const struct needing *n)
{
    const struct ork_group *g = n->group;

    if (!g->inter)
        return g->size;
    return is_in_first_group(n) ? g->size - g->local : g->local;
}

/* ---- some members ---- */

static struct neighbors *neighbors_of(const struct needing *n)
{
    struct neighbors *i = n->rank->neighbors;

    while (i != NULL && i->comm != n->call->comm)
        i = i->next;
    return i;
}

void ork_causality_read_neighbors(struct rank *p, const struct ork_record *record,
                                  const uint32_t *list)
{
    uint32_t sources = record->arg < record->count ? record->arg : record->count;
    struct neighbors *n = malloc(sizeof(*n) + sources * sizeof(n->source[0]));

    if (n == NULL) {
        p->causality->failed = true;
        return;
    }
    *n = (struct neighbors){.comm = record->comm,
                            .sources = sources,
                            .destinations = record->count - sources,
                            .next = p->neighbors};
    if (sources > 0)
        memcpy(n->source, list, sources * sizeof(n->source[0]));
    p->neighbors = n;
}

void ork_causality_neighbors_destroy(struct rank *p)
{
    while (p->neighbors != NULL) {
        struct neighbors *n = p->neighbors;
        p->neighbors = n->next;
        free(n);
    }
}

/* NULL: out of memory. */
static uint8_t *make_set(const struct needing *n)
{
    n->part->needed = calloc(n->group->size / 8 + 1, 1);
    n->rank->causality->failed |= n->part->needed == NULL;
    return n->part->needed;
}

static void add(uint8_t *set, uint32_t member, uint32_t size)
{
    if (member < size)
        set[member / 8] |= (uint8_t)(1u << member % 8);
}

/* Where the counts of what it receives begin in the list of the record; NULL: it has none. `from`:
 * so many processes, `to` the same for what it sends. */
static const uint32_t *find_counts(const struct needing *n, uint32_t from, uint32_t to)
{
    const struct ork_record *call = n->call;
    uint32_t width = ork_coll_has(call->mode, ORK_HAS_TYPES) ? 2 : 1;
    bool has_sent = (call->flags & ORK_F_SENDS) != 0 && ork_coll_has(call->mode, ORK_COUNTS_SENT);
    uint32_t sent = has_sent ? to : 0;

    if (n->list == NULL || (call->flags & ORK_F_RECEIVES) == 0 ||
        call->count != ((uint64_t)sent + from) * (uint64_t)width)
        return NULL;
    return n->list + (size_t)sent * width;
}

/* Each process from which the member receives something. */
static enum merges merges_counted(const struct needing *n)
{
    uint32_t processes = num_processes(n);
    uint32_t width = ork_coll_has(n->call->mode, ORK_HAS_TYPES) ? 2 : 1;
    const uint32_t *count = find_counts(n, processes, processes);
    uint8_t *set = count == NULL ? NULL : make_set(n);

    if (set == NULL || (width == 1 && n->call->tag2 <= 0))
        return MERGES_NOTHING;
    for (uint32_t i = 0; i < processes; i++) {
        if (count[i * width] > 0)
            add(set, member_of(n, i), n->group->size);
    }
    return MERGES_LISTED;
}

/* Each neighbour from which it receives something. */
static enum merges merges_neighbors(const struct needing *n)
{
    const struct neighbors *near = neighbors_of(n);
    uint32_t width = ork_coll_has(n->call->mode, ORK_HAS_TYPES) ? 2 : 1;
    bool has_counts = ork_coll_has(n->call->mode, ORK_COUNTS_RECEIVED);
    const uint32_t *count =
        near != NULL && has_counts ? find_counts(n, near->sources, near->destinations) : NULL;
    bool is_known =
        has_counts ? count != NULL && (width == 2 || n->call->tag2 > 0) : receives(n->call);
    uint8_t *set = near == NULL || !is_known ? NULL : make_set(n);

    if (set == NULL)
        return MERGES_NOTHING;
    for (uint32_t i = 0; i < near->sources; i++) {
        if (!has_counts || count[i * width] > 0)
            add(set, near->source[i], n->group->size); /* MPI_PROC_NULL is none */
    }
    return MERGES_LISTED;
}

/* ---- all calls ---- */

/* MPI-3.1 section 11.5.1: it usually entails a barrier, but need not if it is known to end no
 * epoch. RATIONALE: what the window was used for before is not looked at. A fence that is no
 * barrier without this assertion hides other orders; nobody may rely on that. */
static enum merges merges_of_fence(const struct ork_record *call)
{
    return (call->flags & ORK_F_NO_PRECEDE) != 0 ? MERGES_NOTHING : MERGES_ALL;
}

static bool has_data(const struct ork_record *call)
{
    return call->bytes > 0 || receives(call);
}

/* Of the counts of MPI_Reduce_scatter, that of the member is what it gets. */
static bool gets_result(const struct needing *n)
{
    return n->list != NULL && (n->call->flags & ORK_F_SENDS) != 0 && n->call->tag > 0 &&
           !n->group->inter && n->call->count == n->group->size && n->list[n->part->member] > 0;
}

static enum merges if_so(bool needs, enum merges merges)
{
    return needs ? merges : MERGES_NOTHING;
}

/* Collective communication; `all`: those whose data a member gets. */
static enum merges merges_of_data(const struct needing *n, bool at_root, enum merges all)
{
    const struct ork_record *call = n->call;

    switch (call->mode) {
    case ORK_COLL_BCAST:
        return if_so(call->bytes > 0 && !at_root && call->peer >= 0, MERGES_ROOT);
    case ORK_COLL_SCATTER:
    case ORK_COLL_SCATTERV:
        return if_so(receives(call) && !at_root && call->peer >= 0, MERGES_ROOT);
    case ORK_COLL_GATHER:
    case ORK_COLL_REDUCE:
        return if_so(has_data(call) && at_root, all);
    case ORK_COLL_GATHERV:
        return at_root ? merges_counted(n) : MERGES_NOTHING;
    case ORK_COLL_ALLGATHER:
    case ORK_COLL_ALLTOALL:
        return if_so(n->group->inter ? receives(call) : has_data(call), all);
    case ORK_COLL_ALLREDUCE:
    case ORK_COLL_REDUCE_SCATTER_BLOCK:
        return if_so(has_data(call), all);
    case ORK_COLL_ALLGATHERV:
    case ORK_COLL_ALLTOALLV:
    case ORK_COLL_ALLTOALLW:
        return merges_counted(n);
    case ORK_COLL_REDUCE_SCATTER:
        return if_so(gets_result(n), all);
    case ORK_COLL_SCAN:
    case ORK_COLL_EXSCAN:
        return if_so(has_data(call), MERGES_LOWER);
    case ORK_COLL_NEIGHBOR_ALLGATHER:
    case ORK_COLL_NEIGHBOR_ALLGATHERV:
    case ORK_COLL_NEIGHBOR_ALLTOALL:
    case ORK_COLL_NEIGHBOR_ALLTOALLV:
    case ORK_COLL_NEIGHBOR_ALLTOALLW:
        return merges_neighbors(n);
    default:
        return MERGES_NOTHING;
    }
}

static enum merges merges_of(const struct needing *n)
{
    const struct ork_record *call = n->call;
    bool is_inter = n->group->inter;
    bool at_root = is_inter ? call->peer == ORK_ROOT
                            : call->peer >= 0 && (uint32_t)call->peer == n->part->member;

    switch (call->mode) {
    case ORK_COLL_WIN_FENCE:
        return merges_of_fence(call);
    case ORK_COLL_WIN_FREE: /* MPI-3.1 section 11.2.5: a barrier, unless `no_locks` is set */
        return MERGES_ALL;
    case ORK_COLL_BARRIER:
        return is_inter ? MERGES_REMOTE : MERGES_ALL;
    default:
        break;
    }
    if (ork_coll_has(call->mode, ORK_IS_DYNAMIC))
        return MERGES_NOTHING;
    if (ork_coll_has(call->mode, ORK_IS_OPERATION))
        return merges_of_data(n, at_root, is_inter ? MERGES_REMOTE : MERGES_ALL);
    return ork_coll_early(call->mode) == ORK_EARLY_NEVER ? MERGES_ALL : MERGES_NOTHING;
}

void ork_causality_find_needs(struct part *part, const struct ork_record *call,
                              const uint32_t *list)
{
    const struct needing n = {.rank = part->rank,
                              .group = part->wave->comm->group,
                              .call = call,
                              .list = list,
                              .part = part};

    part->merges = merges_of(&n);
    part->root = member_of(&n, (uint32_t)call->peer);
}

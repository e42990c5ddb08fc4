/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Intercomm_create (MPI-3.1 section 6.6.2) joins the waves of two groups. Their leaders find
 * each other by the peer communicator and the tag. As of other constructors, no member returns
 * before all members of both groups have made the call. */
#include "order/causality/internal.h"

#include <stdlib.h>

struct crossing {
    uint64_t context;   /* of the peer communicator */
    uint32_t leader[2]; /* there, the lower one first, .. */
    uint32_t rank[2];   /* .. and their ranks in MPI_COMM_WORLD */
    int32_t tag;
    struct wave *side[2]; /* of the group of each leader; NULL: not read yet, or over */
    bool was_read[2], is_joined;
    struct crossing *next;
};

static bool is_same(const struct crossing *a, const struct crossing *b)
{
    return a->context == b->context && a->leader[0] == b->leader[0] &&
           a->leader[1] == b->leader[1] && a->tag == b->tag;
}

/* The oldest crossing that lacks this side; NULL: out of memory. */
static struct crossing *find(struct ork_causality *c, const struct crossing *as, unsigned side)
{
    struct crossing *b = NULL;

    for (struct crossing *i = c->crossings; i != NULL; i = i->next)
        b = is_same(i, as) && !i->was_read[side] ? i : b; /* the latest one is the first */
    if (b != NULL)
        return b;
    b = malloc(sizeof(*b));
    c->failed |= b == NULL;
    if (b == NULL)
        return NULL;
    *b = *as;
    b->next = c->crossings;
    c->crossings = b;
    return b;
}

void ork_causality_cross(struct part *part, const struct ork_record *call)
{
    struct rank *p = part->rank;
    struct wave *w = part->wave;
    struct ork_comm_ref peer = ork_comms_ref(p->causality->comms, p->number, call->arg2);

    if (call->mode != ORK_COLL_INTERCOMM_CREATE || call->arg != part->member ||
        w->crossing != NULL || peer.comm == NULL || peer.comm->group->inter || call->peer < 0 ||
        (uint32_t)call->peer >= peer.comm->group->size || (uint32_t)call->peer == peer.me)
        return;
    uint32_t remote = (uint32_t)call->peer;
    unsigned side = peer.me > remote;
    struct crossing as = {.context = peer.comm->context, .tag = call->tag};
    as.leader[side] = peer.me;
    as.leader[1 - side] = remote;
    as.rank[side] = p->number;
    as.rank[1 - side] = ork_comms_rank_of(peer.comm, remote);
    struct crossing *b = find(p->causality, &as, side);
    if (b == NULL)
        return;
    b->side[side] = w;
    b->was_read[side] = true;
    w->crossing = b;
    w->side = side;
}

struct wave *ork_causality_other_side(const struct wave *w)
{
    return w->crossing == NULL ? NULL : w->crossing->side[1 - w->side];
}

bool ork_causality_is_crossed(struct ork_causality *c, struct wave *w)
{
    struct crossing *b = w->crossing;
    struct wave *other = ork_causality_other_side(w);

    if (b == NULL || b->is_joined)
        return true;
    if (other == NULL || other->arrived < other->comm->group->size) {
        bool is_silent = ork_causality_is_silent(&c->rank[b->rank[1 - w->side]]);
        c->is_uncertain |= is_silent;
        return is_silent;
    }
    if (!c->clocks->merge(&w->all, other->all) || !c->clocks->merge(&other->all, w->all))
        c->failed = true;
    b->is_joined = true;
    return true;
}

void ork_causality_crossing_leave(struct ork_causality *c, struct wave *w)
{
    struct crossing *b = w->crossing, **i = &c->crossings;

    if (b == NULL)
        return;
    b->side[w->side] = NULL;
    if (b->side[1 - w->side] != NULL)
        return;
    while (*i != b)
        i = &(*i)->next;
    *i = b->next;
    free(b);
}

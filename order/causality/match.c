/* SPDX-License-Identifier: BSD-3-Clause */
/* Which receive took which message (MPI-3.1 section 3.5). The source and tag of each receive are
 * known when it is posted here, so the messages of a channel with one tag go to the receives for
 * them in their order. */
#include "order/causality/internal.h"

#include "common/lower_bound.h"

#include <stdlib.h>

/* ---- mailboxes and channels ---- */

bool ork_causality_place_make(void *context, struct ork_comm *comm)
{
    struct place *place = calloc(1, sizeof(*place));

    (void)context;
    comm->state = place;
    if (place == NULL)
        return false;
    place->mailbox = calloc(comm->group->size, sizeof(struct mailbox *));
    place->persistent = calloc(comm->group->size, sizeof(*place->persistent));
    return place->mailbox != NULL && place->persistent != NULL &&
           ork_causality_series_init(&place->calls, comm->group->size);
}

static void destroy_mailbox(const struct clocks *clocks, struct mailbox *box)
{
    for (uint32_t i = 0; i < box->channels; i++) {
        struct channel *c = box->channel[i];
        while (c->first != NULL) {
            struct message *m = c->first;
            c->first = m->next;
            clocks->release(m->stamp);
            clocks->release(m->received);
            free(m);
        }
        free(c);
    }
    free(box->channel);
    free(box);
}

void ork_causality_place_destroy(void *context, struct ork_comm *comm)
{
    struct ork_causality *c = context;
    struct place *place = comm->state;

    if (place == NULL)
        return;
    for (uint32_t i = 0; place->mailbox != NULL && i < comm->group->size; i++) {
        if (place->mailbox[i] != NULL)
            destroy_mailbox(c->clocks, place->mailbox[i]);
    }
    ork_causality_waves_destroy(c, place);
    ork_causality_targets_destroy(c, comm);
    ork_causality_pairs_destroy(c->clocks, comm);
    free(place->mailbox);
    free(place);
}

struct mailbox *ork_causality_mailbox(struct ork_comm_ref ref)
{
    ORK_ASSERT(ref.me < ref.comm->group->size);
    struct place *place = ref.comm->state;
    struct mailbox *box = place->mailbox[ref.me];

    if (box != NULL)
        return box;
    box = calloc(1, sizeof(*box));
    if (box != NULL)
        box->ref = ref;
    place->mailbox[ref.me] = box;
    return box;
}

static uint32_t place_of(const struct mailbox *box, uint32_t member)
{
    ORK_LOWER_BOUND(low, box->channels, i, box->channel[i]->member < member);
    return low;
}

struct channel *ork_causality_channel(struct mailbox *box, uint32_t member)
{
    uint32_t at = place_of(box, member);

    if (at < box->channels && box->channel[at]->member == member)
        return box->channel[at];
    struct channel *c = calloc(1, sizeof(*c));
    if (c == NULL ||
        !ork_vec_reserve(&box->channel, &box->room, box->channels + 1, sizeof(struct channel *))) {
        free(c);
        return NULL;
    }
    *c = (struct channel){.member = member, .rank = ork_comms_rank_of(box->ref.comm, member)};
    memmove(box->channel + at + 1, box->channel + at,
            (box->channels - at) * sizeof(struct channel *));
    box->channel[at] = c;
    box->channels++;
    ORK_ASSERT(at == 0 || box->channel[at - 1]->member < member);
    ORK_ASSERT(at + 1 == box->channels || member < box->channel[at + 1]->member);
    return c;
}

/* ---- matching ---- */

bool ork_causality_fits(const struct receive *r, uint32_t member, int32_t tag)
{
    return (r->from == UINT32_MAX || r->from == member) && (r->tag == ORK_ANY_TAG || r->tag == tag);
}

static bool is_open(const struct message *m)
{
    return m->taker == NULL && !m->failed;
}

static void match(struct receive *r, struct message *m)
{
    ORK_ASSERT(r->posted && r->message == NULL && m->sent && is_open(m));
    ORK_ASSERT(m->tag == r->got_tag && m->channel->member == r->got_from);
    r->message = m;
    if (r->takes)
        m->taker = r;
}

/* The oldest message of the channel with the tag that is not taken; NULL: none. */
static struct message *first_open(struct channel *c, int32_t tag)
{
    while (c->open != NULL && !is_open(c->open))
        c->open = c->open->next;
    for (struct message *m = c->open; m != NULL; m = m->next) {
        if (is_open(m) && m->tag == tag)
            return m;
    }
    return NULL;
}

/* Give a message that is not taken to the receives that wait for it: probes take nothing. */
static void offer(struct message *m)
{
    struct channel *c = m->channel;
    struct receive *before = NULL;

    for (struct receive *r = c->first_waiting, *next; r != NULL && is_open(m); r = next) {
        next = r->next_waiting;
        if (r->got_tag != m->tag) {
            before = r;
            continue;
        }
        match(r, m);
        *(before != NULL ? &before->next_waiting : &c->first_waiting) = next;
        if (c->last_waiting == r)
            c->last_waiting = before;
    }
}

void ork_causality_send(struct message *m)
{
    struct channel *c = m->channel;

    ORK_ASSERT(!m->sent && m->next == NULL && m->taker == NULL);
    ORK_ASSERT((c->first == NULL) == (c->last == NULL));
    m->sent = true;
    *(c->last != NULL ? &c->last->next : &c->first) = m;
    c->last = m;
    if (c->open == NULL)
        c->open = m;
    offer(m);
}

static void append_unforced(struct receive *r)
{
    struct mailbox *box = r->box;

    ORK_ASSERT(!r->forced && r->prev_unforced == NULL && r->next_unforced == NULL);
    ORK_ASSERT((box->first_unforced == NULL) == (box->last_unforced == NULL));
    r->prev_unforced = box->last_unforced;
    *(box->last_unforced != NULL ? &box->last_unforced->next_unforced : &box->first_unforced) = r;
    box->last_unforced = r;
}

void ork_causality_post(struct receive *r)
{
    struct channel *c = ork_causality_channel(r->box, r->got_from);

    ORK_ASSERT(!r->posted && r->known == KNOWN && r->message == NULL);
    if (c == NULL) {
        r->rank->causality->failed = true;
        return;
    }
    r->posted = true;
    append_unforced(r);
    struct message *m = first_open(c, r->got_tag);
    if (m != NULL) {
        match(r, m);
        return;
    }
    *(c->last_waiting != NULL ? &c->last_waiting->next_waiting : &c->first_waiting) = r;
    c->last_waiting = r;
}

void ork_causality_force(struct receive *r)
{
    struct mailbox *box = r->box;

    ORK_ASSERT(r->posted && !r->forced);
    r->forced = true;
    *(r->prev_unforced != NULL ? &r->prev_unforced->next_unforced : &box->first_unforced) =
        r->next_unforced;
    *(r->next_unforced != NULL ? &r->next_unforced->prev_unforced : &box->last_unforced) =
        r->prev_unforced;
}

static void stop_waiting(struct receive *r)
{
    struct channel *c = ork_causality_channel(r->box, r->got_from);
    struct receive *before = NULL;

    for (struct receive *i = c->first_waiting; i != r; i = i->next_waiting) {
        ORK_ASSERT(i != NULL);
        before = i;
    }
    *(before != NULL ? &before->next_waiting : &c->first_waiting) = r->next_waiting;
    if (c->last_waiting == r)
        c->last_waiting = before;
}

/* RATIONALE: it was posted before it was known to be cancelled, so it may have been given the
 * message of a later one. */
void ork_causality_withdraw(struct receive *r)
{
    struct message *m = r->message;

    ORK_ASSERT(r->posted && (r->is_cancelled || r->message == NULL));
    if (!r->forced)
        ork_causality_force(r);
    r->posted = false;
    if (m == NULL) {
        stop_waiting(r);
        return;
    }
    r->message = NULL;
    if (m->taker != r)
        return;
    m->taker = NULL;
    m->channel->open = m->channel->first;
    offer(m);
}

void ork_causality_drop_taken(const struct clocks *clocks, struct channel *c)
{
    while (c->first != NULL && c->first->taker != NULL && c->first->is_over &&
           !c->first->is_awaited) {
        struct message *m = c->first;
        c->first = m->next;
        if (c->first == NULL)
            c->last = NULL;
        if (c->open == m)
            c->open = m->next;
        ORK_ASSERT(m->sent && (c->first == NULL) == (c->last == NULL));
        clocks->release(m->stamp);
        clocks->release(m->received);
        free(m);
    }
}

bool ork_causality_is_match_before(const struct receive *first, const struct receive *second)
{
    const struct message *m = first->message;

    if (!first->takes || first->position >= second->position)
        return false;
    if (ork_causality_fits(first, second->got_from, second->got_tag))
        return true;
    /* messages of one sender do not overtake each other */
    return m != NULL && second->message != NULL && m->channel == second->message->channel &&
           m->time < second->message->time && ork_causality_fits(second, first->got_from, m->tag);
}

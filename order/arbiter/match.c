/* SPDX-License-Identifier: BSD-3-Clause */
/* Which receive takes which message (MPI-3.1 section 3.5): messages of a channel in the order in
 * which they were sent, receives of a mailbox in the order in which they were posted.
 *
 * A receive that names its source takes the first message that fits, as soon as no earlier
 * unmatched receive fits that message. So after each step, a message that fits an unmatched receive
 * is undecided: it belongs to a receive from any source, or to one that depends on such a
 * receive. */
#include "order/arbiter/internal.h"

#include "common/lower_bound.h"

#include <stdlib.h>

/* ---- mailboxes and channels ---- */

struct mailbox *ork_arbiter_mailbox_of(struct ork_arbiter *a, struct ork_comm_ref ref)
{
    ORK_ASSERT(ref.me < ref.comm->group->size);
    struct place *place = ref.comm->state;
    struct mailbox *box = place->mailbox[ref.me];

    if (box != NULL)
        return box;
    box = calloc(1, sizeof(*box));
    if (box == NULL) {
        a->failed = true;
        return NULL;
    }
    *box = (struct mailbox){.comm = ref.comm,
                            .rank = ork_comms_rank_of(ref.comm, ref.me),
                            .next = a->mailbox,
                            .link = &a->mailbox};
    box->sources = ork_comms_peers(ref, &box->first);
    if (box->next != NULL)
        box->next->link = &box->next;
    a->mailbox = box;
    place->mailbox[ref.me] = box;
    return box;
}

/* Position of the channel of this member, or where it would be. */
static uint32_t place_of(const struct mailbox *box, uint32_t member)
{
    ORK_LOWER_BOUND(low, box->channels, i, box->channel[i]->member < member);
    return low;
}

struct channel *ork_arbiter_channel_find(const struct mailbox *box, uint32_t member)
{
    uint32_t i = place_of(box, member);

    return i < box->channels && box->channel[i]->member == member ? box->channel[i] : NULL;
}

static struct channel *channel_of(struct ork_arbiter *a, struct mailbox *box, uint32_t member)
{
    struct channel *c = ork_arbiter_channel_find(box, member);

    if (c != NULL)
        return c;
    c = calloc(1, sizeof(*c));
    if (c == NULL ||
        !ork_vec_reserve(&box->channel, &box->room, box->channels + 1, sizeof(struct channel *))) {
        free(c);
        a->failed = true;
        return NULL;
    }
    *c = (struct channel){
        .box = box, .member = member, .rank = ork_comms_rank_of(box->comm, member)};
    uint32_t at = place_of(box, member);
    for (uint32_t i = box->channels++; i > at; i--)
        box->channel[i] = box->channel[i - 1];
    box->channel[at] = c;
    ORK_ASSERT(at == 0 || box->channel[at - 1]->member < member);
    ORK_ASSERT(at + 1 == box->channels || member < box->channel[at + 1]->member);
    return c;
}

/* ---- lists ---- */

static struct receives *list_of(struct receive *r)
{
    return r->from != NULL ? &r->from->named : &r->box->any;
}

static void append(struct receive *r)
{
    struct receives *l = list_of(r);

    ORK_ASSERT(l->last == NULL || l->last->position < r->position);
    r->prev = l->last;
    *(l->last != NULL ? &l->last->next : &l->first) = r;
    l->last = r;
}

/* It is not posted any more. */
static void unlink_receive(struct receive *r)
{
    ORK_ASSERT(r->box != NULL);
    struct receives *l = list_of(r);

    *(r->prev != NULL ? &r->prev->next : &l->first) = r->next;
    *(r->next != NULL ? &r->next->prev : &l->last) = r->prev;
    r->prev = r->next = NULL;
    r->box = NULL;
    r->from = NULL;
}

static void remove_message(struct channel *c, struct message *m)
{
    struct message *before = NULL;

    for (struct message *i = c->first; i != m; i = i->next) {
        ORK_ASSERT(i != NULL);
        before = i;
    }
    *(before != NULL ? &before->next : &c->first) = m->next;
    if (c->last == m)
        c->last = before;
    free(m);
}

static void destroy_receives(struct receives *l)
{
    while (l->first != NULL) {
        struct receive *r = l->first;
        unlink_receive(r);
        if (!r->owned)
            free(r);
    }
}

void ork_arbiter_mailbox_destroy(struct mailbox *box)
{
    destroy_receives(&box->any);
    for (uint32_t i = 0; i < box->channels; i++) {
        struct channel *c = box->channel[i];
        destroy_receives(&c->named);
        while (c->first != NULL)
            remove_message(c, c->first);
        free(c);
    }
    *box->link = box->next;
    if (box->next != NULL)
        box->next->link = box->link;
    free(box->channel);
    free(box);
}

bool ork_arbiter_mailbox_is_empty(const struct mailbox *box)
{
    for (uint32_t i = 0; i < box->channels; i++) {
        if (box->channel[i]->first != NULL || box->channel[i]->named.first != NULL)
            return false;
    }
    return box->any.first == NULL;
}

/* ---- matching ---- */

static bool fits(int32_t wanted, int32_t tag)
{
    return wanted == ORK_ANY_TAG || wanted == tag;
}

static bool is_wanted(const struct receives *l, int32_t tag, uint64_t before)
{
    for (const struct receive *r = l->first; r != NULL && r->position < before; r = r->next) {
        if (fits(r->tag, tag))
            return true;
    }
    return false;
}

enum known ork_arbiter_match_first(const struct channel *c, int32_t tag, uint64_t position,
                                   struct message **message)
{
    struct message *m = c == NULL ? NULL : c->first;

    while (m != NULL && !fits(tag, m->tag))
        m = m->next;
    *message = m;
    if (m == NULL)
        return KNOWN_NOTHING;
    return is_wanted(&c->named, m->tag, position) || is_wanted(&c->box->any, m->tag, position)
               ? KNOWN_MAYBE
               : KNOWN_SURE;
}

static void match(struct ork_arbiter *a, struct receive *r, struct channel *c, struct message *m)
{
    struct rank *p = &a->rank[r->box->rank];

    ORK_ASSERT(!r->matched && (r->from == NULL || r->from == c) && fits(r->tag, m->tag));
    if (r->number != 0) {
        ORK_ASSERT(p->undecided > 0);
        p->undecided--;
    }
    r->matched = true;
    r->took = (struct stamp){.time = m->time, .sender = c->rank, .lock = m->lock};
    remove_message(c, m);
    unlink_receive(r);
    a->bound_is_old = true;
    if (!r->owned)
        free(r);
    ork_arbiter_rank_wake(p);
}

/* Match the receives that name the sender, as far as that is certain. */
static void settle(struct ork_arbiter *a, struct channel *c)
{
    struct message *m;

    for (struct receive *r = c->named.first, *next; r != NULL && c->first != NULL; r = next) {
        next = r->next;
        if (ork_arbiter_match_first(c, r->tag, r->position, &m) == KNOWN_SURE)
            match(a, r, c, m);
    }
}

static void settle_all(struct ork_arbiter *a, struct mailbox *box)
{
    for (uint32_t i = 0; i < box->channels; i++)
        settle(a, box->channel[i]);
    ork_arbiter_rank_wake(&a->rank[box->rank]); /* its probe may depend on it */
}

void ork_arbiter_match_send(struct ork_arbiter *a, struct mailbox *box, uint32_t member,
                            int32_t tag, struct times at)
{
    struct channel *c = channel_of(a, box, member);
    struct message *m = malloc(sizeof(*m));

    if (c == NULL || m == NULL) {
        free(m);
        a->failed = true;
        return;
    }
    *m = (struct message){.time = at.message, .lock = at.lock, .tag = tag};
    ORK_ASSERT(c->last == NULL || (c->last->time < m->time && c->last->lock < m->lock));
    *(c->last != NULL ? &c->last->next : &c->first) = m;
    c->last = m;
    settle(a, c);
    ork_arbiter_rank_wake(&a->rank[box->rank]); /* it may have probed for it */
}

void ork_arbiter_match_unsend(struct mailbox *box, uint32_t member, uint64_t time)
{
    struct channel *c = ork_arbiter_channel_find(box, member);
    struct message *m = c == NULL ? NULL : c->first;

    while (m != NULL && m->time != time)
        m = m->next;
    if (m != NULL)
        remove_message(c, m);
}

struct receive *ork_arbiter_match_post(struct ork_arbiter *a, struct mailbox *box, uint32_t member,
                                       int32_t tag)
{
    struct channel *c = member == UINT32_MAX ? NULL : channel_of(a, box, member);
    struct receive *r = a->failed ? NULL : calloc(1, sizeof(*r));

    if (r == NULL) {
        a->failed = true;
        return NULL;
    }
    *r = (struct receive){
        .box = box, .from = c, .tag = tag, .position = ++box->posted, .owned = true};
    append(r);
    a->bound_is_old = true;
    if (c != NULL)
        settle(a, c);
    return r;
}

void ork_arbiter_match_withdraw(struct ork_arbiter *a, struct receive *r)
{
    struct mailbox *box = r->box;

    if (box == NULL)
        return;
    if (r->number != 0) {
        ORK_ASSERT(a->rank[box->rank].undecided > 0);
        a->rank[box->rank].undecided--;
    }
    unlink_receive(r);
    a->bound_is_old = true;
    settle_all(a, box);
}

void ork_arbiter_match_release(struct receive *r)
{
    if (r == NULL)
        return;
    ORK_ASSERT(r->owned);
    r->owned = false;
    if (r->box == NULL)
        free(r);
}

void ork_arbiter_match_take(struct ork_arbiter *a, struct channel *c, struct message *message)
{
    remove_message(c, message);
    settle(a, c);
}

void ork_arbiter_match_decide(struct ork_arbiter *a, struct receive *r, struct channel *c,
                              struct message *message)
{
    struct mailbox *box = r->box;

    match(a, r, c, message);
    settle_all(a, box);
}

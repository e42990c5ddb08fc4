/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/causality/watch.h"

#include "common/lower_bound.h"

#include <stdlib.h>

void ork_watch_destroy(struct watch *w)
{
    if (w == NULL)
        return;
    free(w->place);
    free(w);
}

/* ---- places: as many as calls of the program, sorted by site ---- */

static uint32_t find(const struct watch *w, uint32_t site, bool is_probe)
{
    ORK_LOWER_BOUND(low, w->places, i,
                    w->place[i].site < site ||
                        (w->place[i].site == site && w->place[i].is_probe < is_probe));
    return low;
}

/* The indices of the latest receives change with the places. */
static void shift(struct watch *w, uint32_t from)
{
    for (uint32_t i = 0; i < WATCH_RECEIVES; i++)
        w->receive[i].place += w->receive[i].place >= from;
}

static bool place_of(struct watch *w, const struct receive *r, uint32_t *place)
{
    uint32_t i = find(w, r->site, r->is_probe);

    *place = i;
    if (i < w->places && w->place[i].site == r->site && w->place[i].is_probe == r->is_probe)
        return true;
    if (!ork_vec_reserve(&w->place, &w->room, w->places + 1, sizeof(*w->place)))
        return false;
    memmove(w->place + i + 1, w->place + i, (w->places - i) * sizeof(*w->place));
    w->place[i] = (struct ork_race){
        .rank = r->rank->number, .site = r->site, .call = r->call, .is_probe = r->is_probe};
    w->places++;
    shift(w, i);
    return true;
}

static void add_source(struct ork_race *p, uint32_t rank)
{
    uint32_t i = p->sources;

    ORK_ASSERT(p->sources <= ORK_RACE_SOURCES);
    while (i > 0 && p->source[i - 1] > rank)
        i--;
    if (i > 0 && p->source[i - 1] == rank)
        return;
    if (p->sources == ORK_RACE_SOURCES) {
        p->has_more_sources = true;
        return;
    }
    memmove(p->source + i + 1, p->source + i, (p->sources - i) * sizeof(p->source[0]));
    p->source[i] = rank;
    p->sources++;
}

/* ---- receives and messages ---- */

static struct ork_race_message describe(const struct mailbox *box, const struct message *m)
{
    return (struct ork_race_message){.sender = m->channel->rank,
                                     .site = m->site,
                                     .call = m->call,
                                     .source = ork_comms_peer_of(box->ref, m->channel->member),
                                     .tag = m->tag};
}

static struct watch *watch_of(struct rank *p)
{
    if (p->watch == NULL)
        p->watch = calloc(1, sizeof(*p->watch));
    if (p->watch == NULL)
        p->causality->failed = true;
    return p->watch;
}

void ork_watch_add(struct rank *p, const struct receive *r)
{
    struct watch *w = r->from == UINT32_MAX && r->message != NULL ? watch_of(p) : NULL;
    uint32_t place;

    if (w == NULL)
        return;
    if (!place_of(w, r, &place)) {
        p->causality->failed = true;
        return;
    }
    w->place[place].times++;
    w->receive[w->receives++ % WATCH_RECEIVES] =
        (struct watched){.box = r->box,
                         .from = r->from,
                         .got_from = r->got_from,
                         .tag = r->tag,
                         .position = r->position,
                         .value = r->value,
                         .place = place,
                         .took = describe(r->box, r->message),
                         .returned = r->message->returned};
    r->message->watched = w->receives;
}

bool ork_watch_is_of(const struct message *m)
{
    return m->watched != 0 || (!m->is_over && m->taker != NULL && m->taker->from == UINT32_MAX);
}

void ork_watch_returned(const struct rank *receiver, const struct message *m)
{
    struct watch *w = receiver->watch;

    ORK_ASSERT(m->watched == 0 || (w != NULL && m->watched <= w->receives));
    if (w != NULL && m->watched != 0 && w->receives - m->watched < WATCH_RECEIVES)
        w->receive[(m->watched - 1) % WATCH_RECEIVES].returned = m->returned;
}

/* Did the sender of the message know that this receive was matched? RATIONALE: a synchronous send
 * may have returned before the receive was complete. */
static bool is_known(const struct ork_causality *c, const struct rank *p, const struct message *m,
                     const struct watched *e)
{
    return e->value <= c->clocks->component(c, m->stamp, p->number) ||
           (e->returned != 0 && e->returned <= c->clocks->component(c, m->stamp, e->took.sender));
}

static bool could_take(const struct watched *e, const struct receive *r)
{
    const struct message *m = r->message;

    return e->box == r->box && e->position < r->position && e->got_from != m->channel->member &&
           (e->tag == ORK_ANY_TAG || e->tag == m->tag);
}

static void note(struct watch *w, struct watched *e, const struct mailbox *box,
                 const struct message *m)
{
    struct ork_race *p = &w->place[e->place];

    ORK_ASSERT(e->place < w->places && p->raced <= p->times);
    add_source(p, m->channel->rank);
    if (p->raced == 0) {
        p->took = e->took;
        p->other = describe(box, m);
    }
    p->raced += !e->raced;
    e->raced = true;
}

/* RATIONALE: a rank that locks windows may have found there that the receive is over: what passes
 * through their memory is not seen. */
void ork_watch_take(struct rank *p, const struct receive *r)
{
    const struct ork_causality *c = p->causality;
    struct watch *w = p->watch;

    if (w == NULL || r->message == NULL || !r->takes || r->message->may_know_more)
        return;
    uint64_t oldest = w->receives > WATCH_RECEIVES ? w->receives - WATCH_RECEIVES : 0;
    for (uint64_t i = w->receives; i-- > oldest;) {
        struct watched *e = &w->receive[i % WATCH_RECEIVES];
        if (is_known(c, p, r->message, e))
            break; /* and of all before */
        if (could_take(e, r))
            note(w, e, r->box, r->message);
    }
}

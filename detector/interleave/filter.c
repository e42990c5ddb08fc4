/* SPDX-License-Identifier: BSD-3-Clause */
/* Can any way of matching deadlock? The filter computes the greatest set of (rank, call) such that
 * each call may wait for a rank that is stuck before its part of the operation. It is polynomial,
 * and a negative answer is never wrong: every rank that is deadlocked in some outcome is in the
 * set. Only the first such call of each rank matters, so the set is one pointer per rank, which
 * only moves forward.
 *
 * At a destination where any receive may take any message, a receive and a message cannot both
 * remain. So a rank that waits for a message there waits for ranks that are stuck in another call
 * than a send to it, and a rank that sends there waits for a receiver that is stuck in another call
 * than such a receive. */
#include "detector/interleave/internal.h"

#include <stdlib.h>

/* ---- once: matches that are certain in any order ---- */

/* Receives from one source, at a destination without wildcards: the k-th such receive takes the
 * k-th matching message. */
static void find_partners(struct ork_interleave *p, const struct chan *c)
{
    uint32_t first = c->all;

    for (uint32_t i = c->all_receives; i != NIL; i = posting_at(p, i)->same) {
        struct posting *r = posting_at(p, i);
        while (first != NIL && posting_at(p, first)->mate != NIL)
            first = posting_at(p, first)->same;
        uint32_t s = first;
        while (s != NIL && (posting_at(p, s)->mate != NIL || !tags_fit(r, posting_at(p, s))))
            s = posting_at(p, s)->same;
        if (s == NIL)
            continue;
        struct posting *send = posting_at(p, s);
        send->mate = i; /* temporarily */
        r->partner = send->step;
        send->partner = r->is.extract ? NIL : r->step;
    }
    for (uint32_t i = c->all; i != NIL; i = posting_at(p, i)->same)
        posting_at(p, i)->mate = NIL;
}

struct tags {
    int32_t send, receive;
    bool sends, receives, mixed;
};

static void look_at(struct tags *t, const struct posting *op)
{
    bool *have = op->is.is_send ? &t->sends : &t->receives;
    int32_t *tag = op->is.is_send ? &t->send : &t->receive;
    bool fixed = !op->is.is_send && op->is.took != ORK_INTERLEAVE_ANY && !op->is.may_differ;

    if (op->is.extract || fixed) {
        t->mixed = true;
    } else if (op->is.is_send || op->is.tag > ANY_TAG) {
        t->mixed |= *have && *tag != op->is.tag && !op->is.is_send;
        if (*have && *tag != op->is.tag)
            *tag = INT32_MIN; /* several tags */
        else if (!*have)
            *tag = op->is.tag;
        *have = true;
    }
}

/* Find destinations where any receive may take any message: only the numbers of both matter. */
static void find_uniform(struct ork_interleave *p)
{
    struct tags *tags = calloc((size_t)p->dest.count + 1, sizeof(*tags));

    if (tags == NULL) {
        p->status = ORK_NOMEM;
        return;
    }
    for (uint32_t i = 0; i < p->op.count; i++)
        look_at(&tags[posting_at(p, i)->dest], posting_at(p, i));
    for (uint32_t i = 0; i < p->dest.count; i++) {
        struct dest *d = dest_at(p, i);
        const struct tags *t = &tags[i];
        bool fit = !t->receives || !t->sends || t->receive == t->send;
        if (d->num_wildcards == 0 || d->num_wildcards < d->num_receives || t->mixed || !fit)
            continue;
        d->receive = malloc(d->num_receives * sizeof(*d->receive));
        if (d->receive == NULL)
            p->status = ORK_NOMEM;
        d->uniform = d->receive != NULL;
        d->num_receives = 0;
    }
    for (uint32_t i = 0; i < p->op.count; i++) {
        const struct posting *op = posting_at(p, i);
        struct dest *d = dest_at(p, op->dest);
        /* a probe is not a receive: it is never posted */
        if (d->uniform && !op->is.is_send && p->rank[op->is.rank].step[op->step].type == STEP_POST)
            d->receive[d->num_receives++] = op->step;
    }
    free(tags);
}

void ork_filter_prepare(struct ork_interleave *p)
{
    for (uint32_t i = 0; i < p->chan.count; i++) {
        if (dest_at(p, chan_at(p, i)->dest)->num_wildcards == 0)
            find_partners(p, chan_at(p, i));
    }
    find_uniform(p);
}

/* ---- in each state ---- */

static bool is_stuck_before(const struct ork_interleave *p, uint32_t rank, uint32_t step)
{
    return p->rank[rank].point < step;
}

static bool may_all_be_stuck(const struct ork_interleave *p, uint32_t group)
{
    const struct group *g = group_at(p, group);

    for (uint32_t i = 0; i < g->count; i++) {
        if (!is_stuck_before(p, g->rank[i], NIL))
            return false;
    }
    return true;
}

static bool may_a_sender_be_stuck(const struct ork_interleave *p, const struct dest *d)
{
    for (uint32_t c = d->first_chan; c != NIL; c = chan_at(p, c)->next) {
        const struct chan *chan = chan_at(p, c);
        if (chan->all_last != NIL && chan->besides < posting_at(p, chan->all_last)->step)
            return true;
    }
    return false;
}

static bool may_receive_hang(const struct ork_interleave *p, const struct posting *r)
{
    const struct dest *d = dest_at(p, r->dest);

    if (!is_wildcard(r))
        return is_stuck_before(p, r->is.peer, r->partner);
    return may_all_be_stuck(p, r->is.group) &&
           (!d->uniform || d->num_sends < d->num_receives || may_a_sender_be_stuck(p, d));
}

static bool may_wave_hang(const struct ork_interleave *p, const struct collective *w)
{
    const struct group *g = group_at(p, w->group);

    for (uint32_t i = 0; i < g->count; i++) {
        if (!ork_state_has_arrived(p, w, i) &&
            is_stuck_before(p, g->rank[i], w->arrival[i] == NIL ? NIL : w->arrival[i] - 1))
            return true;
    }
    return false;
}

static bool may_send_hang(const struct ork_interleave *p, const struct posting *s)
{
    const struct dest *d = dest_at(p, s->dest);

    ORK_ASSERT(d->num_sends > 0); /* `s` is one of them */
    if (!s->matched && d->uniform && d->num_receives >= d->num_sends)
        return d->besides < d->receive[d->num_sends - 1];
    return is_stuck_before(p, s->is.peer, s->matched ? NIL : s->partner);
}

/* Operations that are not counted. */
struct besides {
    uint32_t dest; /* NIL: all are counted */
    bool is_send;
};

static bool may_part_hang(const struct ork_interleave *p, const struct ork_interleave_part *part,
                          struct besides besides)
{
    if (ork_state_is_complete(p, part))
        return false;
    if (part->is_wave)
        return may_wave_hang(p, collective_at(p, part->number));
    const struct posting *op = posting_at(p, part->number);
    if (op->dest == besides.dest && op->is.is_send == besides.is_send && !op->matched)
        return false;
    return op->is.is_send ? may_send_hang(p, op) : may_receive_hang(p, op);
}

static bool may_hang(const struct ork_interleave *p, const struct step *s, struct besides besides)
{
    if (s->type == STEP_PEEK) { /* a probe takes no message, so counting does not apply */
        const struct posting *peek = posting_at(p, s->number);
        return is_wildcard(peek) ? may_all_be_stuck(p, peek->is.group)
                                 : is_stuck_before(p, peek->is.peer, NIL);
    }
    if (s->type != STEP_AWAIT || s->mode == ORK_INTERLEAVE_SOFT)
        return false;
    for (uint32_t i = 0; i < s->parts; i++) {
        if (may_part_hang(p, part_at(p, s->part + i), besides) == (s->mode == ORK_INTERLEAVE_ALL))
            return s->mode == ORK_INTERLEAVE_ALL;
    }
    return s->mode != ORK_INTERLEAVE_ALL;
}

/* Advance to the first call in which the rank may be stuck; false: unchanged. */
static bool advance(struct ork_interleave *p, const struct rank *r, struct besides besides,
                    uint32_t *point)
{
    uint32_t next = *point;

    while (next < r->steps && !may_hang(p, &r->step[next], besides))
        next++;
    p->statistics.steps += UINT64_C(1) + next - *point;
    if (next >= r->steps && !r->ended)
        next = NIL;
    if (r->stopped)
        next = NIL;
    ORK_ASSERT(next >= *point); /* the set of stuck calls only shrinks, so the loop ends */
    bool changed = next != *point;
    *point = next;
    return changed;
}

static bool advance_dest(struct ork_interleave *p, uint32_t number)
{
    struct dest *d = dest_at(p, number);
    struct besides receives = {.dest = number};
    struct besides sends = {.dest = number, .is_send = true};
    bool changed = advance(p, &p->rank[d->rank], receives, &d->besides);

    for (uint32_t c = d->first_chan; c != NIL; c = chan_at(p, c)->next)
        changed |= advance(p, &p->rank[chan_at(p, c)->src], sends, &chan_at(p, c)->besides);
    return changed;
}

static bool advance_all(struct ork_interleave *p)
{
    const struct besides nothing = {.dest = NIL};
    bool changed = false;

    for (uint32_t i = 0; i < p->ranks; i++)
        changed |= advance(p, &p->rank[i], nothing, &p->rank[i].point);
    for (uint32_t i = 0; i < p->dest.count; i++)
        changed |= dest_at(p, i)->uniform && advance_dest(p, i);
    return changed;
}

bool ork_filter_may_deadlock(struct ork_interleave *p)
{
    for (uint32_t i = 0; i < p->ranks; i++) /* initially, every rank may be stuck where it is */
        p->rank[i].point = p->rank[i].pc;
    for (uint32_t i = 0; i < p->dest.count; i++)
        dest_at(p, i)->besides = p->rank[dest_at(p, i)->rank].pc;
    for (uint32_t i = 0; i < p->chan.count; i++)
        chan_at(p, i)->besides = p->rank[chan_at(p, i)->src].pc;
    while (advance_all(p))
        continue;
    for (uint32_t i = 0; i < p->ranks; i++) {
        if (p->rank[i].point < p->rank[i].steps)
            return true;
    }
    return false;
}

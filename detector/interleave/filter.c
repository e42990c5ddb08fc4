/* SPDX-License-Identifier: BSD-3-Clause */
/* Can any way of matching deadlock? The filter computes the greatest set of (rank, call) such that
 * each call may wait for a rank that is stuck before its part of the operation. It is polynomial,
 * and a negative answer is never wrong: every rank that is deadlocked in some outcome is in the
 * set. Only the first such call of each rank matters, so the set is one pointer per rank, which
 * only moves forward.
 *
 * What costs little comes first: if a rank is unknown from some step on, and all others wait only
 * for messages of such ranks, nobody is stuck. That is so whenever a master looks at the status of
 * another message than that of the run.
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

static uint64_t bit_of(uint32_t rank)
{
    return UINT64_C(1) << rank % 64;
}

static void find_bits(struct group *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        g->doubled |= g->bits & bit_of(g->rank[i]);
        g->bits |= bit_of(g->rank[i]);
    }
}

/* Of a group without the rank, if there are others. */
static uint64_t bits_of_others(const struct group *g, uint32_t rank)
{
    return g->count > 1 ? (g->bits & ~bit_of(rank)) | (g->doubled & bit_of(rank)) : g->bits;
}

static uint64_t op_waits_for(const struct ork_interleave *p, const struct posting *op)
{
    return is_wildcard(op) ? bits_of_others(group_at(p, op->is.group), op->is.rank)
                           : bit_of(op->is.peer);
}

static uint64_t step_waits_for(const struct ork_interleave *p, const struct step *s)
{
    uint64_t bits = 0;

    if (s->type == STEP_PEEK)
        return op_waits_for(p, posting_at(p, s->number));
    for (uint32_t i = 0; s->type == STEP_AWAIT && i < s->parts; i++) {
        const struct ork_interleave_part *part = part_at(p, s->part + i);
        if (!part->is_wave)
            bits |= op_waits_for(p, posting_at(p, part->number));
    }
    return bits;
}

static void find_waits(struct ork_interleave *p, uint32_t rank)
{
    struct rank *r = &p->rank[rank];

    r->waits_for = malloc(((size_t)r->steps + 1) * sizeof(*r->waits_for));
    if (r->waits_for == NULL) {
        p->status = ORK_NOMEM;
        return;
    }
    r->waits_for[r->steps] = 0;
    for (uint32_t i = r->steps; i-- > 0;)
        r->waits_for[i] = r->waits_for[i + 1] | step_waits_for(p, &r->step[i]);
}

static void find_callers(const struct ork_interleave *p, struct collective *w)
{
    for (uint32_t i = 0; i < group_at(p, w->group)->count; i++)
        w->callers += w->arrival[i] != NIL;
}

/* Have those who are not known to call it come to a place after which they may do anything? */
static bool are_others_unknown(const struct ork_interleave *p, const struct collective *w)
{
    const struct group *g = group_at(p, w->group);
    bool are = true;

    for (uint32_t i = 0; i < g->count && w->callers < g->count && are; i++) {
        const struct rank *r = &p->rank[g->rank[i]];
        are = w->arrival[i] != NIL || (r->point == r->steps && !r->ended);
    }
    return are;
}

static bool may_wait(const struct ork_interleave *p, const struct step *s)
{
    bool may = false;

    for (uint32_t i = 0; s->type == STEP_AWAIT && i < s->parts && !may; i++) {
        const struct ork_interleave_part *part = part_at(p, s->part + i);
        const struct collective *w = part->is_wave ? collective_at(p, part->number) : NULL;
        may = w != NULL && (w->arrived < w->callers || !are_others_unknown(p, w));
    }
    return may;
}

/* As far as it comes if nobody ever waits for a message; true: at least one step. */
static bool pass_waves(struct ork_interleave *p, struct rank *r)
{
    uint32_t before = r->point;

    for (; r->point < r->steps && !may_wait(p, &r->step[r->point]); r->point++) {
        const struct step *s = &r->step[r->point];
        if (s->type == STEP_ARRIVE)
            collective_at(p, s->number)->arrived++;
    }
    return r->point > before;
}

/* If nobody ever waits for a message, does every rank come through its collective calls? */
static bool do_waves_pass(struct ork_interleave *p)
{
    bool is_moving = true, all = true;

    for (uint32_t i = 0; i < p->wave.count; i++)
        find_callers(p, collective_at(p, i));
    for (uint32_t i = 0; i < p->ranks; i++)
        p->rank[i].point = 0;
    while (is_moving) {
        is_moving = false;
        for (uint32_t i = 0; i < p->ranks; i++)
            is_moving |= pass_waves(p, &p->rank[i]);
    }
    for (uint32_t i = 0; i < p->ranks; i++)
        all &= p->rank[i].point == p->rank[i].steps;
    for (uint32_t i = 0; i < p->wave.count; i++)
        collective_at(p, i)->arrived = 0; /* no rank has begun */
    return all;
}

void ork_filter_prepare(struct ork_interleave *p)
{
    for (uint32_t i = 0; i < p->group.count; i++)
        find_bits(group_at(p, i));
    for (uint32_t r = 0; r < p->ranks && p->status == ORK_OK; r++)
        find_waits(p, r);
    p->waves_pass = do_waves_pass(p);
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

/* Does each rank wait only for messages from and to ranks that are unknown from some step on? Such
 * a rank is never stuck. */
static bool do_all_pass(struct ork_interleave *p)
{
    uint64_t waits = 0, known = 0;

    for (uint32_t i = 0; i < p->ranks; i++) {
        const struct rank *r = &p->rank[i];
        known |= r->stopped ? 0 : bit_of(i);
        waits |= r->stopped ? 0 : r->waits_for[r->pc];
    }
    p->statistics.steps++;
    return p->waves_pass && (waits & known) == 0;
}

bool ork_filter_may_deadlock(struct ork_interleave *p)
{
    if (do_all_pass(p))
        return false;
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

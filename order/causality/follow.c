/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of all ranks. A step whose outcome is not known yet, and a return that depends on a
 * message or call of another rank that was not followed yet, waits.
 *
 * The match of a receive is certain when the call returns that completes it, or one that completes
 * a later receive whose match cannot come first: there the rank learns what the sender knew. */
#include "order/causality/watch.h"

#include <stdlib.h>

static uint64_t tick(struct rank *p)
{
    struct ork_causality *c = p->causality;
    uint64_t value = c->clocks->tick(c, p->number, p->time);

    if (value == 0)
        c->failed = true;
    return value;
}

static void join(struct rank *p, union stamp *stamp)
{
    struct ork_causality *c = p->causality;

    if (!c->clocks->join(c, p->number, *stamp, p->time))
        c->failed = true;
    c->clocks->release(*stamp);
    *stamp = (union stamp){0};
}

/* What the rank does now depends on its latest unsuccessful poll. */
static void act_on_poll(struct rank *p)
{
    if (p->polled > 0 && p->poll[p->polled - 1].acted_at == NEVER)
        p->poll[p->polled - 1].acted_at = p->time;
}

/* The rank does something that others may depend on. */
static void act(struct rank *p)
{
    if (p->causality->ticks_sends)
        tick(p);
    act_on_poll(p);
}

static bool follow_send(struct rank *p, struct message *m)
{
    struct ork_causality *c = p->causality;

    ORK_ASSERT(m->receiver < c->nprocs);
    act(p);
    m->time = p->time;
    m->stamp = c->clocks->take(c, p->number);
    m->mark = p->mark;
    ork_causality_send(m);
    ork_causality_wake(&c->rank[m->receiver]);
    return true;
}

/* RATIONALE: a receive may stay open until the end of the run; a summary must not keep all that
 * comes after it. */
static bool is_too_far_ahead(const struct rank *p)
{
    enum { STEPS_MAX = 1 << 12 };

    return p->causality->is_summary && p->steps > STEPS_MAX;
}

static bool follow_post(struct rank *p, struct receive *r)
{
    struct ork_causality *c = p->causality;

    if (r->known == KNOWN_LATER && !p->ended && !is_too_far_ahead(p))
        return false;
    if (r->is_nonblocking)
        act_on_poll(p);
    p->causality->is_uncertain |= r->known == KNOWN_LATER && !p->ended;
    if (r->known == KNOWN_LATER && !r->is_wildcard)
        ork_causality_outcome(r, ORK_NO_PEER, 0);
    else if (r->known == KNOWN_LATER)
        r->known = KNOWN_NEVER;
    if (r->known == KNOWN_NEVER || r->is_cancelled)
        return true;
    r->posted_at = p->time;
    r->stamp = c->clocks->take(c, p->number);
    r->mark = p->mark;
    ork_causality_post(r);
    if (r->message != NULL)
        ork_causality_wake(&c->rank[r->message->channel->rank]); /* it may wait for the receive */
    return true;
}

static bool follow_arrive(struct rank *p, struct part *part)
{
    if (part->is_retracted)
        return true;
    act(p);
    ork_causality_arrive(part);
    return true;
}

static bool follow_unlock(struct rank *p, struct section *s)
{
    act(p);
    if (!ork_causality_section_release(s))
        p->causality->failed = true;
    return true;
}

static bool follow_post_epoch(struct rank *p, const struct epoch *e)
{
    act(p);
    if (!ork_causality_epoch_begin(p, e))
        p->causality->failed = true;
    return true;
}

/* RATIONALE: a tick, because all that comes later depends on the poll, and nothing before. A poll
 * that was made before, since all different ones of its series, is no choice. */
static bool follow_poll(struct rank *p, struct poll *poll)
{
    bool is_choice = poll->is_again || poll->counts;

    ORK_ASSERT(poll == &p->poll[p->polled] && p->polled < p->polls);
    if (is_choice && p->causality->clocks->force == NULL)
        poll->value = tick(p);
    poll->time = p->time;
    p->polled++;
    return true;
}

/* ---- returns ---- */

static bool is_silent(const struct rank *p, const struct receive *r)
{
    const struct ork_comm *comm = r->box->ref.comm;

    return ork_causality_is_silent(&p->causality->rank[ork_comms_rank_of(comm, r->got_from)]);
}

static void add_forced(struct rank *p, struct receive *r)
{
    if (!ork_vec_reserve(&p->forcing, &p->forcing_room, p->forcings + 1,
                         sizeof(struct receive *))) {
        p->causality->failed = true;
        return;
    }
    ork_causality_force(r);
    p->forcing[p->forcings++] = r;
}

/* The receives that the call completed, and all whose match is before that of one of them. False:
 * the message of one is not known yet. */
static bool force_all(struct rank *p, const struct step *s)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        struct receive *r = s->op[i].type == OP_RECEIVE ? s->op[i].receive : NULL;
        if (r != NULL && r->posted && r->is_cancelled)
            ork_causality_withdraw(r);
        else if (r != NULL && r->posted && !r->forced)
            add_forced(p, r);
    }
    for (; p->forced < p->forcings; p->forced++) {
        struct receive *r = p->forcing[p->forced];
        ORK_ASSERT(r->rank == p && r->forced);
        if (r->message == NULL && !is_silent(p, r))
            return false;
        p->causality->is_uncertain |= r->message == NULL;
        for (struct receive *e = r->prev_unforced, *before; e != NULL; e = before) {
            before = e->prev_unforced;
            if (!e->forced && ork_causality_is_match_before(e, r))
                add_forced(p, e);
        }
    }
    return true;
}

/* Can the synchronous sends and the collective calls have returned, as far as this is known? */
static bool are_over(const struct rank *p, const struct step *s)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct op *op = &s->op[i];
        if (op->type == OP_COLL && op->part != NULL && !ork_causality_part_is_over(op->part))
            return false;
        if (op->type == OP_LOCK && !ork_causality_section_is_granted(op->section))
            return false;
        if (op->type == OP_EPOCH && !ork_causality_epoch_is_over(op->epoch))
            return false;
        if (op->type == OP_SEND && op->message != NULL && op->message->is_synchronous &&
            op->message->taker == NULL &&
            !ork_causality_is_silent(&p->causality->rank[op->message->receiver]))
            return false;
    }
    return true;
}

/* For the summary of races. */
static void watch_forced(struct rank *p)
{
    for (uint32_t i = 0; i < p->forcings; i++) {
        if (p->forcing[i]->is_wildcard)
            ork_watch_add(p, p->forcing[i]);
    }
    for (uint32_t i = 0; i < p->forcings; i++)
        ork_watch_take(p, p->forcing[i]);
}

static void join_forced(struct rank *p, uint64_t value)
{
    for (uint32_t i = 0; i < p->forcings; i++)
        p->forcing[i]->value = p->forcing[i]->is_wildcard ? value : NEVER;
    if (p->causality->is_summary && p->causality->user == NULL)
        watch_forced(p);
    for (uint32_t i = 0; i < p->forcings; i++) {
        struct receive *r = p->forcing[i];
        ork_causality_learn_message(p, r->message);
        if (r->message != NULL && r->takes)
            join(p, &r->message->stamp);
        else if (r->message != NULL &&
                 !p->causality->clocks->join(p->causality, p->number, r->message->stamp, p->time))
            p->causality->failed = true;
    }
    p->forcings = p->forced = 0;
}

/* The receive is complete. */
static void finish(struct rank *p, struct receive *r)
{
    r->done_at = p->time;
    if (!p->causality->is_summary)
        return;
    if (r->message == NULL && r->posted)
        ork_causality_withdraw(r);
    if (r->message != NULL && r->takes) {
        r->message->is_over = true;
        if (r->message->is_awaited) {
            r->message->received = r->stamp;
            r->message->received_mark = r->mark;
            r->stamp = (union stamp){0};
        }
        ork_causality_drop_taken(p->causality->clocks, r->message->channel);
    }
    p->causality->clocks->release(r->stamp);
    ORK_ASSERT(r->slot < p->receives && p->receive[r->slot] == r);
    p->receive[r->slot] = p->receive[--p->receives];
    p->receive[r->slot]->slot = r->slot;
    free(r);
}

/* A synchronous send is complete. */
static void join_receiver(struct rank *p, struct message *m, bool stays_active)
{
    struct ork_causality *c = p->causality;

    if (!m->is_awaited) {
        join(p, &m->taker->stamp);
        return;
    }
    ork_causality_learn(p, m->receiver, m->is_over ? m->received_mark : m->taker->mark);
    if (stays_active) {
        if (!c->clocks->join(c, p->number, m->is_over ? m->received : m->taker->stamp, p->time))
            c->failed = true;
        return;
    }
    if (m->is_over)
        join(p, &m->received);
    else if (!c->clocks->join(c, p->number, m->taker->stamp, p->time))
        c->failed = true;
    m->is_awaited = false;
    ork_causality_drop_taken(c->clocks, m->channel);
}

static void end_epoch(struct rank *p, struct epoch *e)
{
    act(p);
    if (!ork_causality_epoch_end(p, e))
        p->causality->failed = true;
}

static void join_wave(struct rank *p, const struct op *op)
{
    if (!ork_causality_part_join(op->part, p->time))
        p->causality->failed = true;
    if (!op->stays_active)
        ork_causality_part_leave(op->part);
}

static void join_others(struct rank *p, const struct step *s)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct op *op = &s->op[i];
        if (op->type == OP_COLL && op->part != NULL)
            join_wave(p, op);
        if (op->type == OP_SEND && op->message != NULL && op->message->is_synchronous &&
            op->message->taker != NULL)
            join_receiver(p, op->message, op->stays_active);
        if ((op->type == OP_ACCESS || op->has_buffer) && p->causality->user != NULL)
            p->causality->user->completed(p->causality->user->context, p->number, op->request);
        if (op->type == OP_LOCK && !ork_causality_section_grant(op->section, p->time))
            p->causality->failed = true;
        if (op->type == OP_EPOCH)
            end_epoch(p, op->epoch);
        if (op->type == OP_RECEIVE && op->receive != NULL && !op->receive->is_nonblocking &&
            !op->receive->is_probe)
            act_on_poll(p);
        if (op->type == OP_RECEIVE && op->receive != NULL && !op->stays_active)
            finish(p, op->receive);
    }
}

static bool forces_wildcard(const struct rank *p)
{
    for (uint32_t i = 0; i < p->forcings; i++) {
        if (p->forcing[i]->is_wildcard)
            return true;
    }
    return false;
}

/* RATIONALE: for the summary of races, only messages to receives from any source matter. */
static bool returns_synchronous_send(const struct rank *p, const struct step *s)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct message *m = s->op[i].type == OP_SEND ? s->op[i].message : NULL;
        if (m != NULL && m->is_synchronous && (!p->causality->is_summary || ork_watch_is_of(m)))
            return true;
    }
    return false;
}

/* RATIONALE: it needs the match, which clocks do not tell from what the receiver did before it
 * learned of the match. MPI_Request_get_status may have told of it before. */
static void note_synchronous_sends(const struct rank *p, const struct step *s, uint64_t value)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        struct message *m = s->op[i].type == OP_SEND ? s->op[i].message : NULL;
        if (m == NULL || m->returned != 0)
            continue;
        m->returned = value;
        if (p->causality->is_summary)
            ork_watch_returned(&p->causality->rank[m->receiver], m);
    }
}

static void note_choices(struct rank *p, const struct step *s, uint64_t value)
{
    ORK_ASSERT(s->choices == 0 || s->first_choice + s->choices <= p->choices);
    for (uint32_t i = 0; i < s->choices; i++) {
        struct choice *c = p->choice[s->first_choice + i];
        c->time = p->time;
        c->value = value;
    }
}

static bool follow_return(struct rank *p, const struct step *s)
{
    bool (*lazy_force)(struct rank * p, const struct step *s) = p->causality->clocks->force;
    uint64_t value = 0;

    if (!are_over(p, s) || !(lazy_force != NULL ? lazy_force(p, s) : force_all(p, s)))
        return false;
    bool is_choosing = p->causality->user == NULL;
    bool is_synchronous = is_choosing && lazy_force == NULL && returns_synchronous_send(p, s);
    if (is_choosing && (s->choices > 0 || forces_wildcard(p) || is_synchronous))
        value = tick(p);
    if (is_synchronous)
        note_synchronous_sends(p, s, value);
    join_forced(p, value);
    join_others(p, s);
    note_choices(p, s, value);
    return true;
}

static bool follow_step(struct rank *p, const struct step *s)
{
    switch (s->type) {
    case STEP_SEND:
        return follow_send(p, s->message);
    case STEP_POST:
        return follow_post(p, s->receive);
    case STEP_ARRIVE:
        return follow_arrive(p, s->part);
    case STEP_LOCK:
        act_on_poll(p);
        s->section->requested_at = p->time;
        return true;
    case STEP_UNLOCK:
        return follow_unlock(p, s->section);
    case STEP_POST_EPOCH:
        return follow_post_epoch(p, s->epoch);
    case STEP_CALL:
        return ork_causality_follow_call(p, s->call);
    case STEP_POLL:
        return follow_poll(p, &p->poll[s->poll]);
    case STEP_RETURN:
        return follow_return(p, s);
    }
    return true;
}

static void follow_rank(struct rank *p)
{
    while (p->first_step != NULL && !p->causality->failed) {
        ork_causality_act(p, p->first_step);
        if (!follow_step(p, p->first_step))
            return;
        p->time++;
        ork_causality_step_end(p);
    }
    if (ork_causality_is_silent(p))
        ork_causality_wake_all(p->causality); /* they may wait for more of it */
}

void ork_causality_follow(struct ork_causality *c)
{
    while (c->ready != NULL) {
        struct rank *p = c->ready;
        c->ready = p->ready_next;
        p->ready = false;
        follow_rank(p);
    }
}

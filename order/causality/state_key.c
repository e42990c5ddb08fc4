/* SPDX-License-Identifier: BSD-3-Clause */
/* When two states have equal futures: see ork_events_write().
 *
 * Invariant: all that a step or a call can still depend on is written, or the state is
 * incomparable. Epochs and synchronous sends that are not over are incomparable, because they are
 * rare between two iterations of a loop with one-sided communication. Clocks are only
 * compared with clocks, component by component, so of each the order is enough. */
#include "order/causality/internal.h"

/* Values that are only compared with each other. Of each: one for each rank. */
enum axis { AXIS_USER, AXIS_COMPONENT, AXIS_LEARNED, AXIS_CALLS };

struct writer {
    const struct ork_causality *c;
    struct ork_words_writer *to;
};

static void put(const struct writer *w, uint32_t word)
{
    ork_words_put(w->to, word);
}

static void put_ordered(const struct writer *w, enum axis axis, uint32_t rank, uint64_t value)
{
    ork_words_put_ordered(w->to, axis * w->c->nprocs + rank, value);
}

static void put_stamp(const struct writer *w, union stamp stamp)
{
    for (uint32_t r = 0; r < w->c->nprocs && !w->to->failed; r++)
        put_ordered(w, AXIS_COMPONENT, r, w->c->clocks->component(w->c, stamp, r));
}

/* What the rank knows now. */
static void put_now(const struct writer *w, const struct rank *p)
{
    union stamp now = w->c->clocks->take(p->causality, p->number);

    put_stamp(w, now);
    w->c->clocks->release(now);
}

static void put_record(const struct writer *w, const struct ork_record *record,
                       const uint32_t *list)
{
    ork_words_put_all(w->to, record, sizeof(*record) / sizeof(uint32_t));
    ork_words_put_all(w->to, list, record->count);
}

static void put_comm(const struct writer *w, const struct ork_comm *comm)
{
    ork_words_put_long(w->to, comm->context);
    put(w, comm->group->size); /* MPI_COMM_WORLD and MPI_COMM_SELF have one context */
}

/* ---- messages ---- */

/* Receives of a rank; with more, to write them takes too long. */
enum { RECEIVES_MAX = 256 };

/* By its place among those of its rank that are not complete. */
static void put_receive_of(const struct writer *w, const struct receive *r)
{
    uint32_t place = 0;

    for (uint32_t i = 0; i < r->rank->receives; i++)
        place += r->rank->receive[i]->position < r->position;
    put(w, r->rank->number);
    put(w, place);
}

static void put_message(const struct writer *w, const struct message *m)
{
    w->to->failed |= m->is_synchronous;
    put(w, (uint32_t)m->tag);
    put(w, (uint32_t)(m->taker != NULL) << 6 | (uint32_t)m->sent << 5 | (uint32_t)m->failed << 4 |
               (uint32_t)m->is_over << 2 | (uint32_t)m->may_know_more << 1 |
               (uint32_t)m->is_awaited);
    put_stamp(w, m->stamp);
    put_stamp(w, m->received);
}

/* By its place in its channel. RATIONALE: a channel exists until the end of its communicator. */
static void put_message_of(const struct writer *w, const struct message *m)
{
    uint32_t place = 0;

    for (const struct message *i = m->channel->first; i != NULL && i != m; i = i->next)
        place++;
    ork_words_put_long(w->to, (uintptr_t)m->channel);
    put(w, place);
}

static void put_receive(const struct writer *w, const struct receive *r)
{
    ork_words_put_long(w->to, (uintptr_t)r->box);
    put(w, r->from);
    put(w, (uint32_t)r->tag);
    put(w, (uint32_t)r->is_wildcard << 9 | (uint32_t)r->is_probe << 8 | (uint32_t)r->takes << 7 |
               (uint32_t)r->posted << 6 | (uint32_t)r->forced << 5 |
               (uint32_t)r->is_cancelled << 4 | (uint32_t)r->is_nonblocking << 3 |
               (uint32_t)r->is_void << 2 | (uint32_t)r->was_to_cancel << 1 |
               (uint32_t)(r->message != NULL));
    put(w, r->known);
    put(w, r->got_from);
    put(w, (uint32_t)r->got_tag);
    put_stamp(w, r->stamp);
    if (r->message != NULL)
        put_message_of(w, r->message);
}

/* The first one from this position on; NULL: none. */
static const struct receive *receive_from(const struct rank *p, uint64_t position)
{
    const struct receive *first = NULL;

    for (uint32_t i = 0; i < p->receives; i++) {
        const struct receive *r = p->receive[i];
        if (r->position >= position && (first == NULL || r->position < first->position))
            first = r;
    }
    return first;
}

static void put_receives(const struct writer *w, const struct rank *p)
{
    const struct receive *r = receive_from(p, 0);

    put(w, p->receives);
    w->to->failed |= p->receives > RECEIVES_MAX;
    for (; r != NULL && !w->to->failed; r = receive_from(p, r->position + 1))
        put_receive(w, r);
    put(w, p->forced);
    put(w, p->forcings);
    for (uint32_t i = 0; i < p->forcings && !w->to->failed; i++)
        put_receive_of(w, p->forcing[i]);
}

static void put_channel(const struct writer *w, const struct channel *c)
{
    if (c->first == NULL && c->first_waiting == NULL)
        return;
    ork_words_put_long(w->to, (uintptr_t)c);
    for (const struct message *m = c->first; m != NULL && !w->to->failed; m = m->next)
        put_message(w, m);
    put(w, UINT32_MAX);
    for (const struct receive *r = c->first_waiting; r != NULL && !w->to->failed;
         r = r->next_waiting)
        put_receive_of(w, r);
    put(w, UINT32_MAX);
}

static void put_mailbox(const struct writer *w, const struct mailbox *box)
{
    const struct receive *r = box->first_unforced;

    if (r != NULL)
        ork_words_put_long(w->to, (uintptr_t)box);
    for (; r != NULL && !w->to->failed; r = r->next_unforced)
        put_receive_of(w, r);
    for (uint32_t i = 0; i < box->channels; i++)
        put_channel(w, box->channel[i]);
}

/* ---- collective calls ---- */

/* RATIONALE: texts do not name calls by these numbers, and they are only compared with others of
 * the communicator. */
static uint32_t fewest_calls(const struct ork_comm *comm)
{
    const struct place *place = comm->state;
    uint32_t fewest = UINT32_MAX;

    for (uint32_t i = 0; i < comm->group->size; i++)
        fewest = place->calls.calls[i] < fewest ? place->calls.calls[i] : fewest;
    return fewest;
}

static void put_wave_of(const struct writer *w, const struct part *part)
{
    put_comm(w, part->wave->comm);
    put(w, part->wave->index - fewest_calls(part->wave->comm));
}

static void put_part(const struct writer *w, const struct part *part)
{
    w->to->failed |= part->is_retracted || part->needed != NULL;
    put_wave_of(w, part);
    put(w, part->member);
    put(w, (uint32_t)part->merges << 1 | (uint32_t)part->arrived);
    put(w, part->root);
    put_stamp(w, part->stamp);
}

static void put_wave(const struct writer *w, const struct wave *wave)
{
    w->to->failed |= wave->retracted != NULL || wave->crossing != NULL || wave->is_kept;
    put(w, wave->index - fewest_calls(wave->comm));
    put(w, wave->arrived);
    put(w, wave->left);
    put(w, wave->is_awaited);
    put_stamp(w, wave->all);
    for (uint32_t i = 0; i < wave->comm->group->size && !w->to->failed; i++) {
        put(w, wave->part[i] != NULL);
        if (wave->part[i] != NULL)
            put_part(w, wave->part[i]);
    }
}

static bool put_place(void *context, const struct ork_comm *comm)
{
    const struct writer *w = context;
    const struct place *place = comm->state;
    uint32_t fewest = fewest_calls(comm);
    w->to->failed |= place->started != NULL; /* persistent collective operations */
    bool is_even = place->calls.first == NULL && place->calls.end == fewest;

    for (uint32_t i = 0; i < comm->group->size; i++) {
        is_even = is_even && place->calls.calls[i] == fewest;
        if (place->mailbox[i] != NULL)
            put_mailbox(w, place->mailbox[i]);
    }
    if (is_even || w->to->failed)
        return !w->to->failed;
    put_comm(w, comm);
    put(w, place->calls.end - fewest);
    for (uint32_t i = 0; i < comm->group->size; i++)
        put(w, place->calls.calls[i] - fewest);
    for (const struct wave *i = place->calls.first; i != NULL && !w->to->failed; i = i->next)
        put_wave(w, i);
    put(w, UINT32_MAX);
    return !w->to->failed;
}

/* ---- steps ---- */

static void put_op(const struct writer *w, const struct op *op)
{
    bool is_known = op->type == OP_NONE || op->type == OP_DONE || op->type == OP_ACCESS ||
                    (op->type == OP_SEND && op->message == NULL) ||
                    (op->type == OP_RECEIVE && op->receive != NULL) ||
                    (op->type == OP_COLL && op->part != NULL);

    w->to->failed |= !is_known || op->stays_active;
    put(w, op->type);
    put(w, op->request);
    put(w, op->has_buffer);
    if (is_known && op->type == OP_COLL)
        put_part(w, op->part);
    if (is_known && op->type == OP_RECEIVE)
        put_receive_of(w, op->receive);
}

static void put_step(const struct writer *w, uint32_t rank, const struct step *s)
{
    put(w, s->type);
    put_ordered(w, AXIS_CALLS, rank, s->at.number);
    put(w, s->at.call);
    switch (s->type) {
    case STEP_ARRIVE:
        put_part(w, s->part);
        break;
    case STEP_CALL:
        put_comm(w, s->call->ref.comm);
        put(w, s->call->ref.me);
        put_record(w, &s->call->record, s->call->list);
        break;
    case STEP_RETURN:
        put(w, s->ops);
        for (uint32_t i = 0; i < s->ops; i++)
            put_op(w, &s->op[i]);
        break;
    case STEP_SEND:
        ork_words_put_long(w->to, (uintptr_t)s->message->channel);
        put_message(w, s->message);
        break;
    case STEP_POST:
        put_receive_of(w, s->receive);
        break;
    case STEP_LOCK:
    case STEP_UNLOCK:
    case STEP_POST_EPOCH:
    case STEP_POLL:
        w->to->failed = true;
        break;
    }
}

/* ---- ranks ---- */

static void put_requests(const struct writer *w, const struct rank *p)
{
    for (uint32_t i = 0; i < p->requests && !w->to->failed; i++) {
        const struct request *r = &p->request[i];
        if (!r->used || r->op.type == OP_NONE)
            continue;
        put(w, i);
        put(w, r->is_cancelled);
        put_op(w, &r->op);
    }
    put(w, UINT32_MAX);
}

static bool is_plain(const struct rank *p)
{
    return p->lost == NULL && !p->ended && !p->ready && p->epoch == NULL && p->old_epoch == NULL &&
           p->num_tests == 0 && (!p->inside || (p->sending == NULL && p->locking == NULL));
}

static void put_rank(const struct writer *w, const struct rank *p)
{
    if (!is_plain(p)) {
        w->to->failed = true;
        return;
    }
    put(w, (uint32_t)p->has_window << 2 | (uint32_t)p->has_locked << 1 | (uint32_t)p->inside);
    put(w, p->queued);
    ork_words_put_all(w->to, p->queue, p->queued * sizeof(*p->queue) / sizeof(uint32_t));
    put_ordered(w, AXIS_LEARNED, p->number, p->learned + 1);
    put_ordered(w, AXIS_CALLS, p->number, p->calls);
    put_now(w, p);
    if (p->inside) {
        put_record(w, &p->call, p->call_list);
        put(w, p->part != NULL);
        if (p->part != NULL)
            put_part(w, p->part);
        put(w, p->receiving != NULL);
        if (p->receiving != NULL)
            put_receive_of(w, p->receiving);
    }
    put_receives(w, p);
    put_requests(w, p);
    put(w, p->steps);
    for (const struct step *s = p->first_step; s != NULL && !w->to->failed; s = s->next)
        put_step(w, p->number, s);
}

/* ---- for the user of events.h ---- */

static struct writer writer_of(const struct ork_events *e, struct ork_words_writer *to)
{
    return (struct writer){.c = ork_events_causality(e), .to = to};
}

void ork_events_write(const struct ork_events *e, struct ork_words_writer *to)
{
    struct writer w = writer_of(e, to);
    const struct ork_causality *c = w.c;

    to->failed |=
        c->failed || c->is_uncertain || c->lost != NULL || c->crossings != NULL || c->ready != NULL;
    put(&w, c->ticks_sends);
    for (uint32_t r = 0; r < c->nprocs && !to->failed; r++)
        put_rank(&w, &c->rank[r]);
    if (!to->failed)
        ork_comms_visit(c->comms, put_place, &w);
}

void ork_events_write_stamp(const struct ork_events *e, struct ork_words_writer *to,
                            struct ork_stamp stamp)
{
    const struct writer w = writer_of(e, to);

    put_stamp(&w, (union stamp){.vector = stamp.vector});
}

void ork_events_write_component(const struct ork_events *e, struct ork_words_writer *to,
                                uint32_t rank, uint32_t value)
{
    const struct writer w = writer_of(e, to);

    put_ordered(&w, AXIS_COMPONENT, rank, value);
}

void ork_events_write_learned(const struct ork_events *e, struct ork_words_writer *to,
                              uint32_t rank, uint64_t learned)
{
    const struct writer w = writer_of(e, to);

    put_ordered(&w, AXIS_LEARNED, rank, learned + 1);
}

void ork_events_write_call(const struct ork_events *e, struct ork_words_writer *to, uint32_t rank,
                           uint64_t number)
{
    const struct writer w = writer_of(e, to);

    put_ordered(&w, AXIS_CALLS, rank, number);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A state and its certain changes (MPI-3.1 section 3.5): steps, and matches of receives from one
 * source. Their order does not matter. */
#include "detector/interleave/internal.h"

/* ---- the journal ---- */

static void note(struct ork_interleave *p, enum change change, uint32_t a, uint32_t b)
{
    struct entry *e = ork_vector_add(p, &p->journal, sizeof(*e));

    p->statistics.steps++;
    if (e != NULL)
        *e = (struct entry){.change = change, .a = a, .b = b};
}

uint32_t ork_state_mark(const struct ork_interleave *p)
{
    return p->journal.count;
}

static void toggle(struct ork_interleave *p, uint64_t kind, uint64_t what)
{
    uint64_t h = ork_hash_mix(kind << 56 ^ what);

    p->state.a ^= h;
    p->state.b ^= ork_hash_mix(h ^ UINT64_C(0x9e3779b97f4a7c15));
}

static uint64_t step_key(uint32_t rank, uint32_t pc)
{
    return (uint64_t)rank << 32 | pc;
}

/* ---- ranks and destinations to examine ---- */

static void wake(struct ork_interleave *p, uint32_t rank)
{
    struct rank *r = &p->rank[rank];

    if (r->ready)
        return;
    r->ready = true;
    r->ready_next = NIL;
    *(p->ready_first == NIL ? &p->ready_first : &p->rank[p->ready_last].ready_next) = rank;
    p->ready_last = rank;
}

static void disturb(struct ork_interleave *p, uint32_t dest)
{
    struct dest *d = dest_at(p, dest);

    if (d->dirty)
        return;
    d->dirty = true;
    d->dirty_next = NIL;
    *(p->dirty_first == NIL ? &p->dirty_first : &dest_at(p, p->dirty_last)->dirty_next) = dest;
    p->dirty_last = dest;
}

/* ---- posting ---- */

static void list_of(struct ork_interleave *p, const struct posting *op, uint32_t **first,
                    uint32_t **last)
{
    struct dest *d = dest_at(p, op->dest);
    struct chan *c = op->is.is_send ? chan_at(p, op->chan) : NULL;

    *first = c != NULL ? &c->first : &d->first;
    *last = c != NULL ? &c->last : &d->last;
}

static void unlink_op(struct ork_interleave *p, uint32_t number)
{
    struct posting *op = posting_at(p, number);
    uint32_t *first, *last;

    STATE_ASSERT(p, op->posted && !op->matched && p->rank[op->is.rank].pending > 0);
    list_of(p, op, &first, &last);
    *(op->prev == NIL ? first : &posting_at(p, op->prev)->next) = op->next;
    *(op->next == NIL ? last : &posting_at(p, op->next)->prev) = op->prev;
    p->rank[op->is.rank].pending--;
}

/* Put the operation back at its old position: only valid in reverse order. */
static void relink_op(struct ork_interleave *p, uint32_t number)
{
    struct posting *op = posting_at(p, number);
    uint32_t *first, *last;

    STATE_ASSERT(p, op->posted && !op->matched);
    list_of(p, op, &first, &last);
    *(op->prev == NIL ? first : &posting_at(p, op->prev)->next) = number;
    *(op->next == NIL ? last : &posting_at(p, op->next)->prev) = number;
    p->rank[op->is.rank].pending++;
}

/* Has the rank made a call that may have shown it which message the receive took? */
static bool is_shown(const struct ork_interleave *p, uint32_t receive)
{
    const struct posting *op = posting_at(p, receive);

    return op->shown < p->rank[op->is.rank].pc;
}

/* May the rank's steps depend on a message that differs from the run? */
static bool is_telling(const struct ork_interleave *p, uint32_t rank)
{
    uint32_t r = p->rank[rank].differs;

    while (r != NIL && !is_shown(p, r))
        r = posting_at(p, r)->differs_next;
    return p->rank[rank].told || r != NIL;
}

static void post(struct ork_interleave *p, uint32_t number)
{
    struct posting *op = posting_at(p, number);
    uint32_t *first, *last;

    STATE_ASSERT(p, !op->posted);
    list_of(p, op, &first, &last);
    op->posted = true;
    op->prev = *last;
    op->next = NIL;
    relink_op(p, number);
    if (op->is.is_send) {
        STATE_ASSERT(p, chan_at(p, op->chan)->unposted == number); /* in program order */
        op->telling = is_telling(p, op->is.rank);
        chan_at(p, op->chan)->unposted = op->same;
        wake(p, op->is.peer); /* that rank may wait for a message */
    }
    disturb(p, op->dest);
    note(p, DID_POST, number, 0);
}

/* ---- matching ---- */

bool ork_is_different(const struct posting *r, const struct posting *s)
{
    return is_wildcard(r) && r->is.took != ORK_INTERLEAVE_ANY &&
           (r->is.took != s->is.rank || (r->is.took_tag >= 0 && r->is.took_tag != s->is.tag));
}

bool ork_is_allowed(const struct posting *r, const struct posting *s)
{
    return r->is.may_differ || !ork_is_different(r, s);
}

uint32_t ork_state_first_fit(const struct ork_interleave *p, const struct chan *c,
                             const struct posting *r)
{
    uint32_t s = c->first;

    while (s != NIL && !tags_fit(r, posting_at(p, s)))
        s = posting_at(p, s)->next;
    return s;
}

bool ork_state_is_legal(const struct ork_interleave *p, uint32_t send, uint32_t receive)
{
    const struct posting *s = posting_at(p, send);

    for (uint32_t i = dest_at(p, s->dest)->first; i != receive; i = posting_at(p, i)->next) {
        const struct posting *r = posting_at(p, i);
        if ((is_wildcard(r) || r->chan == s->chan) && tags_fit(r, s))
            return false;
    }
    return true;
}

void ork_state_match(struct ork_interleave *p, uint32_t send, uint32_t receive)
{
    struct posting *s = posting_at(p, send);
    struct posting *r = posting_at(p, receive);

    STATE_ASSERT(p, s->is.is_send && !r->is.is_send && s->dest == r->dest);
    unlink_op(p, send);
    unlink_op(p, receive);
    s->matched = r->matched = true;
    s->mate = receive;
    r->mate = send;
    toggle(p, 1, send);
    toggle(p, 1, receive);
    if (ork_is_different(r, s)) {
        struct rank *rank = &p->rank[r->is.rank];
        r->differs_next = rank->differs;
        rank->differs = receive;
        p->rank[r->is.took].missed++;
        toggle(p, 4, (uint64_t)receive << 32 | s->is.rank);
    }
    wake(p, s->is.rank);
    wake(p, r->is.rank);
    disturb(p, s->dest);
    note(p, DID_MATCH, send, receive);
}

/* The source is fixed by the call, or by the run if no other source is to be tried. */
static uint32_t fixed_chan(struct ork_interleave *p, const struct posting *r)
{
    if (!is_wildcard(r))
        return r->chan;
    if (r->is.took == ORK_INTERLEAVE_ANY || r->is.may_differ)
        return NIL;
    return ork_chan_find(p, r->dest, r->is.took);
}

static bool match_one(struct ork_interleave *p, const struct dest *d)
{
    for (uint32_t i = d->first; i != NIL; i = posting_at(p, i)->next) {
        const struct posting *r = posting_at(p, i);
        uint32_t c = fixed_chan(p, r);
        uint32_t s = c == NIL ? NIL : ork_state_first_fit(p, chan_at(p, c), r);
        if (s != NIL && ork_is_allowed(r, posting_at(p, s)) && ork_state_is_legal(p, s, i)) {
            ork_state_match(p, s, i);
            return true;
        }
    }
    return false;
}

/* ---- completion ---- */

bool ork_state_has_arrived(const struct ork_interleave *p, const struct collective *w,
                           uint32_t member)
{
    return w->arrival[member] != NIL &&
           w->arrival[member] <= p->rank[group_at(p, w->group)->rank[member]].pc;
}

bool ork_state_is_complete(const struct ork_interleave *p, const struct ork_interleave_part *part)
{
    if (part->is_wave) {
        const struct collective *w = collective_at(p, part->number);
        return w->arrived == group_at(p, w->group)->count;
    }
    const struct posting *op = posting_at(p, part->number);
    if (!op->is.is_send || !op->matched)
        return op->matched || (op->is.is_send && op->is.buffered);
    ORK_ASSERT(op->mate != NIL);
    const struct posting *mate = posting_at(p, op->mate);
    return !mate->is.extract || mate->released || op->is.buffered;
}

static uint32_t count_complete(const struct ork_interleave *p, const struct step *s, uint32_t parts)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < parts; i++)
        n += ork_state_is_complete(p, part_at(p, s->part + i));
    return n;
}

enum presence { ABSENT, OTHERS, PRESENT };

/* Is there a message for a probe that no posted receive has to take first? OTHERS: only messages
 * that differ from the one that the run found. */
static enum presence look(const struct ork_interleave *p, const struct posting *peek)
{
    enum presence result = ABSENT;

    for (uint32_t c = dest_at(p, peek->dest)->first_chan; c != NIL; c = chan_at(p, c)->next) {
        if (peek->chan != NIL && peek->chan != c)
            continue;
        uint32_t s = ork_state_first_fit(p, chan_at(p, c), peek);
        if (s == NIL)
            continue;
        if (!ork_is_different(peek, posting_at(p, s)) && ork_state_is_legal(p, s, NIL))
            return PRESENT;
        result = OTHERS;
    }
    return result;
}

bool ork_state_is_blocked(const struct ork_interleave *p, uint32_t rank)
{
    const struct rank *r = &p->rank[rank];
    const struct step *s = &r->step[r->pc];

    if (r->stopped || r->pc == r->steps)
        return false;
    if (s->type == STEP_PEEK)
        return look(p, posting_at(p, s->number)) == ABSENT;
    return s->type == STEP_AWAIT && s->mode != ORK_INTERLEAVE_SOFT &&
           (s->mode == ORK_INTERLEAVE_ALL || count_complete(p, s, s->parts) == 0);
}

/* ---- steps ---- */

static void stop(struct ork_interleave *p, uint32_t rank)
{
    p->rank[rank].stopped = true;
    toggle(p, 3, rank);
    note(p, DID_STOP, rank, 0);
}

/* Does the call show the rank that it received another message than in the run? */
static bool is_told(const struct ork_interleave *p, const struct step *s)
{
    for (uint32_t i = 0; i < s->parts; i++) {
        const struct ork_interleave_part *part = part_at(p, s->part + i);
        const struct posting *op = part->is_wave ? NULL : posting_at(p, part->number);
        if (op != NULL && op->matched && !op->is.is_send && !op->is.blind &&
            ork_is_different(op, posting_at(p, op->mate)))
            return true;
    }
    return false;
}

/* The rank knows of a message that differs from the run, and turns to `peer`. If it took a message
 * of `peer` in the run, it would now probably turn to the other sender. If the program read the
 * status, it may also turn to `peer` because it now took a message of `peer`. */
static bool is_answer_to(const struct ork_interleave *p, const struct posting *receive,
                         uint32_t peer)
{
    return receive->is.took == peer ||
           (receive->is.looked && posting_at(p, receive->mate)->is.rank == peer);
}

static bool is_answer(const struct ork_interleave *p, const struct posting *op)
{
    const struct rank *rank = &p->rank[op->is.rank];
    uint32_t r = rank->differs;

    if (op->is.peer == ORK_INTERLEAVE_ANY)
        return false;
    if (rank->told && p->rank[op->is.peer].missed > 0)
        return true;
    while (r != NIL && !(is_shown(p, r) && is_answer_to(p, posting_at(p, r), op->is.peer)))
        r = posting_at(p, r)->differs_next;
    return r != NIL;
}

static bool is_telling_part(const struct ork_interleave *p, const struct ork_interleave_part *part)
{
    const struct posting *op = part->is_wave ? NULL : posting_at(p, part->number);

    if (op == NULL)
        return collective_at(p, part->number)->tellers > 0;
    return !op->is.is_send && op->matched && posting_at(p, op->mate)->telling;
}

/* A received message, or the other members of a collective, may inform the rank of a message that
 * differs from the run, and so determine which rank it turns to. */
static void hear(struct ork_interleave *p, uint32_t rank, const struct step *s, uint32_t parts)
{
    bool told = p->rank[rank].told;

    for (uint32_t i = 0; i < parts && !told; i++)
        told = is_telling_part(p, part_at(p, s->part + i));
    if (told == p->rank[rank].told)
        return;
    p->rank[rank].told = true;
    toggle(p, 5, rank);
    note(p, DID_HEAR, rank, 0);
}

static bool do_await(struct ork_interleave *p, uint32_t rank, const struct step *s)
{
    uint32_t wanted = s->mode == ORK_INTERLEAVE_ANY_OF ? s->took : s->parts;

    if ((s->mode == ORK_INTERLEAVE_ANY_OF && wanted == 0) || count_complete(p, s, wanted) < wanted)
        return false;
    hear(p, rank, s, wanted);
    if (is_told(p, s))
        stop(p, rank);
    return true;
}

static void do_arrive(struct ork_interleave *p, uint32_t rank, uint32_t number)
{
    struct collective *w = collective_at(p, number);
    const struct group *g = group_at(p, w->group);
    bool tells = is_telling(p, rank);

    note(p, DID_ARRIVE, number, tells);
    w->tellers += tells;
    if (++w->arrived < g->count)
        return;
    for (uint32_t i = 0; i < g->count; i++)
        wake(p, g->rank[i]);
}

static void do_release(struct ork_interleave *p, uint32_t number)
{
    struct posting *op = posting_at(p, number);

    op->released = true;
    note(p, DID_RELEASE, number, 0);
    if (op->matched)
        wake(p, posting_at(p, op->mate)->is.rank);
}

/* Make one step; false: not possible yet. */
static bool advance(struct ork_interleave *p, uint32_t rank)
{
    struct rank *r = &p->rank[rank];
    ORK_ASSERT(r->pc < r->steps && !r->stopped);
    const struct step *s = &r->step[r->pc];

    switch ((enum step_type)s->type) {
    case STEP_POST:
        if (is_answer(p, posting_at(p, s->number))) {
            stop(p, rank);
            return false;
        }
        post(p, s->number);
        break;
    case STEP_ARRIVE:
        do_arrive(p, rank, s->number);
        break;
    case STEP_RELEASE:
        do_release(p, s->number);
        break;
    case STEP_AWAIT:
        if (!do_await(p, rank, s))
            return false;
        break;
    case STEP_PEEK:
        if (look(p, posting_at(p, s->number)) != PRESENT)
            return false;
        break;
    }
    note(p, DID_STEP, rank, 0);
    toggle(p, 2, step_key(rank, r->pc));
    r->pc++;
    toggle(p, 2, step_key(rank, r->pc));
    return true;
}

void ork_state_run(struct ork_interleave *p)
{
    while (p->ready_first != NIL || p->dirty_first != NIL) {
        while (p->ready_first != NIL) {
            uint32_t rank = p->ready_first;
            struct rank *r = &p->rank[rank];
            p->ready_first = r->ready_next;
            r->ready = false;
            while (p->status == ORK_OK && !r->stopped && r->pc < r->steps && advance(p, rank))
                continue;
        }
        if (p->dirty_first != NIL) {
            struct dest *d = dest_at(p, p->dirty_first);
            p->dirty_first = d->dirty_next;
            d->dirty = false;
            while (p->status == ORK_OK && match_one(p, d))
                continue;
        }
    }
}

void ork_state_start(struct ork_interleave *p)
{
    for (uint32_t r = 0; r < p->ranks; r++)
        wake(p, r);
    for (uint32_t c = 0; c < p->chan.count; c++)
        chan_at(p, c)->unposted = chan_at(p, c)->all;
    ork_state_run(p);
}

/* ---- undo ---- */

static void undo_match(struct ork_interleave *p, uint32_t send, uint32_t receive)
{
    struct posting *s = posting_at(p, send);
    struct posting *r = posting_at(p, receive);

    STATE_ASSERT(p, s->mate == receive && r->mate == send);
    if (ork_is_different(r, s)) {
        STATE_ASSERT(p, p->rank[r->is.rank].differs == receive && p->rank[r->is.took].missed > 0);
        p->rank[r->is.rank].differs = r->differs_next;
        p->rank[r->is.took].missed--;
        toggle(p, 4, (uint64_t)receive << 32 | s->is.rank);
    }
    s->matched = r->matched = false;
    s->mate = r->mate = NIL;
    toggle(p, 1, send);
    toggle(p, 1, receive);
    relink_op(p, receive);
    relink_op(p, send);
}

static void undo_post(struct ork_interleave *p, uint32_t number)
{
    struct posting *op = posting_at(p, number);

    unlink_op(p, number);
    op->posted = false;
    if (op->is.is_send)
        chan_at(p, op->chan)->unposted = number;
}

static void undo_step(struct ork_interleave *p, uint32_t rank)
{
    struct rank *r = &p->rank[rank];

    ORK_ASSERT(r->pc > 0 && r->pc <= r->steps);
    toggle(p, 2, step_key(rank, r->pc));
    r->pc--;
    toggle(p, 2, step_key(rank, r->pc));
}

void ork_state_undo(struct ork_interleave *p, uint32_t mark)
{
    ORK_ASSERT(mark <= p->journal.count); /* marks are nested */
    p->statistics.steps += p->journal.count - mark;
    while (p->journal.count > mark) {
        struct entry e = AT(p, journal, struct entry, --p->journal.count)[0];
        switch (e.change) {
        case DID_POST:
            undo_post(p, e.a);
            break;
        case DID_MATCH:
            undo_match(p, e.a, e.b);
            break;
        case DID_STEP:
            undo_step(p, e.a);
            break;
        case DID_ARRIVE:
            ORK_ASSERT(collective_at(p, e.a)->arrived > 0 && collective_at(p, e.a)->tellers >= e.b);
            collective_at(p, e.a)->arrived--;
            collective_at(p, e.a)->tellers -= e.b;
            break;
        case DID_RELEASE:
            posting_at(p, e.a)->released = false;
            break;
        case DID_HEAR:
            p->rank[e.a].told = false;
            toggle(p, 5, e.a);
            break;
        case DID_STOP:
            p->rank[e.a].stopped = false;
            toggle(p, 3, e.a);
            break;
        }
    }
}

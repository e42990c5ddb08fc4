/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/causality/program.h"

#include "common/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool program_is_poll(const struct op *o)
{
    return o->type == TEST || o->type == IPROBE;
}

bool program_is_open(const struct state *s, int rank, int op)
{
    return s->outcome[rank][op] == 0 || (s->outcome[rank][op] & FAILED) != 0;
}

bool program_is_left_out(const struct program *p, const struct state *s, int rank, int op)
{
    const struct op *o = p->op[rank];

    for (int k = 0; k < op && o[op].loop != 0; k++) {
        if (o[k].loop == o[op].loop && program_is_poll(&o[k]) && !program_is_open(s, rank, k))
            return true;
    }
    return false;
}

static bool are_equal(const struct op *a, const struct op *b)
{
    return a->loop == b->loop && a->kind == b->kind;
}

unsigned program_place(const struct program *p, int rank, int op)
{
    int k = op;

    for (int i = 0; i < op && p->op[rank][op].loop != 0; i++) {
        if (are_equal(&p->op[rank][i], &p->op[rank][op])) {
            k = i;
            break;
        }
    }
    return (unsigned)k + 1;
}

struct row program_row(const struct program *p, int rank, int op)
{
    const struct op *o = p->op[rank];
    struct row row = {op, op};

    while (o[op].loop != 0 && row.first > 0 && o[row.first - 1].loop == o[op].loop &&
           program_is_poll(&o[row.first - 1]))
        row.first--;
    while (o[op].loop != 0 && row.last + 1 < p->ops[rank] && o[row.last + 1].loop == o[op].loop &&
           program_is_poll(&o[row.last + 1]))
        row.last++;
    return row;
}

/* The second one of its row that is equal to it; the first one, if it is that. */
static int normal_of(const struct program *p, int rank, int op)
{
    int found = 0;

    for (int k = program_row(p, rank, op).first; k < op; k++) {
        found += are_equal(&p->op[rank][k], &p->op[rank][op]);
        if (found == 2)
            return k;
    }
    return op;
}

struct state program_normal(const struct program *p, const struct state *s)
{
    struct state n = *s;

    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r]; k++) {
            const struct op *o = &p->op[r][k];
            if (o->loop == 0 || !program_is_poll(o) || program_is_open(s, r, k))
                continue;
            int to = normal_of(p, r, k);
            for (int i = to; i <= k; i++)
                n.outcome[r][i] = 0;
            n.outcome[r][to] = s->outcome[r][k];
        }
    }
    return n;
}

const struct op *program_poll_at(const struct program *p, int rank, unsigned place)
{
    return place <= OPS ? &p->op[rank][place - 1] : &p->poll[rank][place - OPS - 1];
}

const struct op *program_poll_of(const struct program *p, int rank, const struct op *loop,
                                 unsigned i)
{
    return &p->poll[rank][loop->first_poll + i];
}

unsigned program_failed(const struct op *loop, unsigned outcome)
{
    if (outcome == 0)
        return 0;
    if (outcome & FAILED)
        return outcome & OUTCOME;
    return outcome & LATER ? loop->polls : outcome / POLL_NEXT;
}

/* The requests that it completed, a bit each. */
static unsigned completed_by(const struct program *p, const struct state *s, int rank, int op)
{
    const struct op *o = &p->op[rank][op];
    unsigned outcome = s->outcome[rank][op];

    if (o->type == WAITANY || o->type == TEST)
        return o->is_status ? 0 : outcome & OUTCOME;
    if (o->type != LOOP || program_is_open(s, rank, op))
        return 0;
    o = program_poll_of(p, rank, o, outcome % LATER / POLL_NEXT);
    return o->type == TEST && !o->is_status ? outcome & OUTCOME : 0;
}

int program_tag(const struct program *p, const struct state *s, int rank, int op)
{
    const struct op *o = &p->op[rank][op];

    if (o->depends == 0)
        return o->tag;
    unsigned outcome = s->outcome[rank][o->depends - 1];
    if (p->op[rank][o->depends - 1].type == LOCK)
        return o->tag ^ (outcome != LOCKED);
    return o->tag ^ (outcome == FAILED || (outcome & LATER) != 0);
}

int program_irecv(const struct program *p, int rank, int op, unsigned request)
{
    while (--op >= 0) {
        if (p->op[rank][op].type == IRECV && p->op[rank][op].request == request)
            return op;
    }
    return -1;
}

bool program_is_complete(const struct program *p, const struct state *s, int rank, int op,
                         unsigned request)
{
    while (--op >= 0) {
        const struct op *o = &p->op[rank][op];
        if (o->type == WAIT && o->request == request)
            return true;
        if (completed_by(p, s, rank, op) >> request & 1)
            return true;
    }
    return false;
}

static int barriers_before(const struct program *p, int rank, int op)
{
    int n = 0;

    while (--op >= 0)
        n += p->op[rank][op].type == BARRIER;
    return n;
}

static bool is_barrier_over(const struct program *p, const struct state *s, int rank)
{
    int n = barriers_before(p, rank, s->at[rank]);

    for (int r = 0; r < p->ranks; r++) {
        int at = s->at[r] < p->ops[r] ? s->at[r] + 1 : s->at[r];
        if (barriers_before(p, r, at) <= n)
            return false;
    }
    return true;
}

static bool is_receive(const struct op *o)
{
    return o->type == RECV || o->type == IRECV;
}

static bool is_taken(const struct program *p, const struct state *s, int dest, int send)
{
    for (int i = 0; i < p->ops[dest]; i++) {
        if (is_receive(&p->op[dest][i]) && s->outcome[dest][i] == send + 1)
            return true;
    }
    return false;
}

/* May the rank go on behind its present operation? */
static bool is_over(const struct program *p, const struct state *s, int rank)
{
    int at = s->at[rank];
    const struct op *o = &p->op[rank][at];
    int irecv;

    if (program_is_left_out(p, s, rank, at))
        return true;
    switch (o->type) {
    case SEND:
    case IRECV:
        return true;
    case SSEND:
        return is_taken(p, s, o->peer, rank * OPS + at);
    case RECV:
    case PROBE:
    case IPROBE:
        return s->outcome[rank][at] != 0;
    case WAIT:
        irecv = program_irecv(p, rank, at, o->request);
        return program_is_complete(p, s, rank, at, o->request) || s->outcome[rank][irecv] != 0;
    case WAITANY:
    case TEST:
        if (s->outcome[rank][at] != 0)
            return true;
        for (unsigned r = 0; r < REQUESTS; r++) {
            if ((o->set >> r & 1) && !program_is_complete(p, s, rank, at, r))
                return false;
        }
        return true;
    case LOOP:
        return !program_is_open(s, rank, at);
    case LOCK:
        return s->outcome[rank][at] != 0;
    case UNLOCK:
        return true;
    case BARRIER:
        return is_barrier_over(p, s, rank);
    }
    return false;
}

void program_settle(const struct program *p, struct state *s)
{
    bool moved = true;

    while (moved) {
        moved = false;
        for (int r = 0; r < p->ranks; r++) {
            while (s->at[r] < p->ops[r] && is_over(p, s, r)) {
                s->at[r]++;
                moved = true;
            }
        }
    }
}

/* ---- window locks ---- */

/* The UNLOCK of a LOCK. */
static int unlock_of(const struct program *p, int rank, int op)
{
    int k = op;

    while (p->op[rank][k].type != UNLOCK || p->op[rank][k].peer != p->op[rank][op].peer)
        k++;
    return k;
}

static bool conflict(const struct op *lock, const struct op *other)
{
    return other->type == LOCK && other->peer == lock->peer &&
           (other->is_exclusive || lock->is_exclusive);
}

/* The conflicting sections of other ranks that are over; 0: some rank is in one. */
static unsigned find_sections(const struct program *p, const struct state *s, int rank, int op)
{
    unsigned outcome = LOCKED;

    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r] && r != rank; k++) {
            if (!conflict(&p->op[rank][op], &p->op[r][k]) || s->outcome[r][k] == 0)
                continue;
            if (s->at[r] <= unlock_of(p, r, k))
                return 0;
            outcome += 1u << 3 * r;
        }
    }
    return outcome;
}

unsigned program_num_sections(const struct program *p, int rank, int op, unsigned outcome)
{
    unsigned n = 0;

    for (int r = 0; r < p->ranks; r++)
        n += r != rank ? program_sections(outcome, r) : 0;
    for (int k = 0; k < op; k++)
        n += conflict(&p->op[rank][op], &p->op[rank][k]);
    return n;
}

int program_lock_of(const struct program *p, int rank, int op)
{
    int n = 0;

    for (int k = 0; k <= op; k++)
        n += p->op[rank][k].type == LOCK;
    return n;
}

/* ---- what can happen ---- */

static bool fits(const struct op *o, const struct forced *f, int source, int tag)
{
    int peer = f != NULL && f->is_forced ? f->peer : o->peer;
    int wanted = f != NULL && f->is_forced ? f->tag : o->tag;

    return (peer == ANY || peer == source) && (wanted == ANY || wanted == tag);
}

struct view {
    const struct program *p;
    const struct state *s;
    const struct forced (*forced)[OPS];
};

static const struct forced *forced_of(const struct view *v, int rank, int op)
{
    return v->forced == NULL ? NULL : &v->forced[rank][op];
}

/* Is `o`, the operation of rank `dest` or a poll of it, the first one for the first message that
 * fits it of `source`?
 * Returns the place of that send; -1: none. */
static int find_send(const struct view *v, int dest, int op, const struct op *o, int source)
{
    const struct program *p = v->p;
    int end = v->s->at[source];

    for (int k = 0; k < p->ops[source] && k <= end; k++) {
        const struct op *send = &p->op[source][k];
        if ((send->type != SEND && send->type != SSEND) || send->peer != dest ||
            !fits(o, forced_of(v, dest, op), source, program_tag(p, v->s, source, k)) ||
            is_taken(p, v->s, dest, source * OPS + k) || program_is_left_out(p, v->s, source, k))
            continue;
        for (int e = 0; e < op; e++) {
            if (is_receive(&p->op[dest][e]) && v->s->outcome[dest][e] == 0 &&
                fits(&p->op[dest][e], forced_of(v, dest, e), source,
                     program_tag(p, v->s, source, k)))
                return -1;
        }
        return k;
    }
    return -1;
}

static int add_messages(const struct view *v, int rank, int op, const struct op *o, unsigned also,
                        struct event *event, int n)
{
    for (int source = 0; source < v->p->ranks; source++) {
        int k = find_send(v, rank, op, o, source);
        if (k >= 0)
            event[n++] =
                (struct event){.rank = (uint8_t)rank,
                               .op = (uint8_t)op,
                               .outcome = (uint16_t)((unsigned)(source * OPS + k + 1) | also)};
    }
    return n;
}

/* Those of the set that are complete, but were not completed. */
static unsigned find_complete(const struct view *v, int rank, int op, const struct op *o)
{
    unsigned found = 0;

    must(o->set >> REQUESTS == 0);
    for (unsigned r = 0; r < REQUESTS; r++) {
        int irecv = program_irecv(v->p, rank, op, r);
        if ((o->set >> r & 1) != 0 && irecv >= 0 && v->s->outcome[rank][irecv] != 0 &&
            !program_is_complete(v->p, v->s, rank, op, r))
            found |= 1u << r;
    }
    return found;
}

/* Those of the set that were not completed. */
static unsigned find_active(const struct view *v, int rank, int op, const struct op *o)
{
    unsigned found = 0;

    for (unsigned r = 0; r < REQUESTS; r++)
        found |= (unsigned)!program_is_complete(v->p, v->s, rank, op, r) << r;
    return found & o->set;
}

static int add_failure(const struct view *v, int rank, int op, struct event *event, int n)
{
    const struct forced *f = forced_of(v, rank, op);

    if (f == NULL || !f->is_forced)
        event[n++] = (struct event){.rank = (uint8_t)rank, .op = (uint8_t)op, .outcome = FAILED};
    return n;
}

static int add_requests(const struct view *v, int rank, int op, const struct op *o, unsigned also,
                        struct event *event, int n)
{
    const struct forced *f = forced_of(v, rank, op);
    unsigned complete = find_complete(v, rank, op, o);

    for (unsigned set = 1; set <= complete; set++) {
        bool is_right =
            o->is_some || (o->is_all ? set == find_active(v, rank, op, o) : (set & (set - 1)) == 0);
        if ((set & ~complete) != 0 || !is_right ||
            (f != NULL && f->is_forced && !o->is_all && f->requests != set))
            continue;
        event[n++] = (struct event){
            .rank = (uint8_t)rank, .op = (uint8_t)op, .outcome = (uint16_t)(set | also)};
    }
    return n;
}

static int add_outcomes(const struct view *v, int rank, int op, const struct op *o, unsigned also,
                        struct event *event, int n)
{
    return o->type == TEST || o->type == WAITANY ? add_requests(v, rank, op, o, also, event, n)
                                                 : add_messages(v, rank, op, o, also, event, n);
}

/* RATIONALE: an unsuccessful poll after the first round changes nothing. */
static int add_loop(const struct view *v, int rank, int op, struct event *event, int n)
{
    const struct op *loop = &v->p->op[rank][op];
    const struct forced *f = forced_of(v, rank, op);
    unsigned failed = program_failed(loop, v->s->outcome[rank][op]);
    bool is_later = failed == loop->polls;

    for (unsigned i = 0; i < loop->polls; i++) {
        if ((!is_later && i != failed) || (f != NULL && f->poll != 0 && f->poll != i + 1))
            continue;
        if (f == NULL || !f->fails)
            n = add_outcomes(v, rank, op, program_poll_of(v->p, rank, loop, i),
                             i * POLL_NEXT | (is_later ? LATER : 0u), event, n);
        if (!is_later && (f == NULL || !f->is_forced))
            event[n++] = (struct event){.rank = (uint8_t)rank,
                                        .op = (uint8_t)op,
                                        .outcome = (uint16_t)(FAILED | (failed + 1))};
    }
    return n;
}

/* RATIONALE: a lock is forced by the number of sections before it. */
static int add_lock(const struct view *v, int rank, int op, struct event *event, int n)
{
    const struct forced *f = forced_of(v, rank, op);
    unsigned outcome = find_sections(v->p, v->s, rank, op);
    bool is_early =
        f != NULL && f->is_forced && (int)program_num_sections(v->p, rank, op, outcome) < f->tag;

    if (outcome != 0 && !is_early && (f == NULL || !f->fails))
        event[n++] =
            (struct event){.rank = (uint8_t)rank, .op = (uint8_t)op, .outcome = (uint16_t)outcome};
    return n;
}

int program_events(const struct program *p, const struct state *s,
                   const struct forced (*forced)[OPS], struct event *event)
{
    struct view v = {.p = p, .s = s, .forced = forced};
    int n = 0;

    for (int r = 0; r < p->ranks; r++) {
        for (int k = 0; k < p->ops[r] && k <= s->at[r]; k++) {
            const struct op *o = &p->op[r][k];
            if (s->outcome[r][k] != 0 && o->type != LOOP)
                continue;
            if (!is_receive(o) && k != s->at[r])
                continue;
            if (o->type == LOOP && program_is_open(s, r, k)) {
                n = add_loop(&v, r, k, event, n);
                continue;
            }
            if (o->type == LOCK) {
                n = add_lock(&v, r, k, event, n);
                continue;
            }
            const struct forced *f = forced_of(&v, r, k);
            if (program_is_poll(o))
                n = add_failure(&v, r, k, event, n);
            if (f != NULL && f->fails)
                continue;
            if (is_receive(o) || o->type == PROBE || o->type == IPROBE || o->type == WAITANY ||
                o->type == TEST)
                n = add_outcomes(&v, r, k, o, 0, event, n);
        }
    }
    return n;
}

/* ---- sets of states ---- */

static uint64_t hash_of(const struct state *s)
{
    const uint8_t *byte = (const uint8_t *)s;
    uint64_t h = 0;

    for (size_t i = 0; i < sizeof(*s); i++)
        h = (h ^ byte[i]) * UINT64_C(0x100000001b3);
    return ork_hash_mix(h);
}

static size_t slot_of(const struct states *set, const struct state *s)
{
    size_t i = hash_of(s) % set->slots;

    while (set->slot[i] != 0 && memcmp(&set->item[set->slot[i] - 1], s, sizeof(*s)) != 0)
        i = (i + 1) % set->slots;
    return i;
}

bool states_have(const struct states *set, const struct state *s)
{
    return set->slots > 0 && set->slot[slot_of(set, s)] != 0;
}

static void grow(struct states *set)
{
    set->room = set->room == 0 ? 64 : 2 * set->room;
    set->item = realloc(set->item, set->room * sizeof(*set->item));
    free(set->slot);
    set->slots = 4 * set->room;
    set->slot = calloc(set->slots, sizeof(*set->slot));
    must(set->item != NULL && set->slot != NULL);
    for (size_t i = 0; i < set->count; i++)
        set->slot[slot_of(set, &set->item[i])] = (uint32_t)i + 1;
}

bool states_add(struct states *set, const struct state *s)
{
    if (states_have(set, s))
        return false;
    if (set->count == set->room)
        grow(set);
    set->slot[slot_of(set, s)] = (uint32_t)set->count + 1;
    set->item[set->count++] = *s;
    return true;
}

void states_release(struct states *set)
{
    free(set->item);
    free(set->slot);
    *set = (struct states){0};
}

enum { STATES_MAX = 60000 };

bool program_ends(const struct program *p, struct states *ends)
{
    struct states seen = {0};
    struct event event[EVENTS_MAX];
    struct state s = {0};
    bool good = true;

    program_settle(p, &s);
    states_add(&seen, &s);
    for (size_t i = 0; i < seen.count && good; i++) {
        struct state now = seen.item[i];
        int n = program_events(p, &now, NULL, event);
        struct state end = program_normal(p, &now);
        if (n == 0)
            states_add(ends, &end);
        for (int e = 0; e < n; e++) {
            s = now;
            s.outcome[event[e].rank][event[e].op] = event[e].outcome;
            program_settle(p, &s);
            states_add(&seen, &s);
        }
        good = seen.count <= STATES_MAX;
    }
    states_release(&seen);
    return good;
}

static void print_op(const struct program *p, int rank, const struct op *o)
{
    static const char *const name[] = {"send",    "ssend", "recv",    "irecv", "wait",
                                       "waitany", "probe", "barrier", "test",  "iprobe",
                                       "loop",    "lock",  "unlock"};

    printf("  %s peer %d tag %d request %u set %x%s%s%s%s depends %u", name[o->type], o->peer,
           o->tag, o->request, o->set, o->is_some ? " some" : "", o->is_all ? " all" : "",
           o->is_status ? " status" : "", o->is_test ? " test" : "", o->depends);
    if (o->is_exclusive)
        printf(" exclusive");
    if (o->loop != 0)
        printf(" loop %u kind %u", o->loop, o->kind);
    for (unsigned i = 0; i < o->polls; i++) {
        printf(i == 0 ? " [" : ",");
        print_op(p, rank, program_poll_of(p, rank, o, i));
        printf(i + 1u == o->polls ? " ]" : "");
    }
}

void program_print(const struct program *p)
{
    for (int r = 0; r < p->ranks; r++) {
        printf("rank %d:", r);
        for (int k = 0; k < p->ops[r]; k++)
            print_op(p, r, &p->op[r][k]);
        printf("\n");
    }
}

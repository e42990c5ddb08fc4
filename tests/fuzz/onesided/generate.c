/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs are made step by step in an order in which they can run. */
#include "tests/fuzz/onesided/program.h"

#include "common/hash.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGES_MAX = 8, LENGTHS = 4 };

struct message {
    int from, to, number, length;
};

struct state {
    struct program *p;
    uint64_t *random;
    int numbers;
    struct message message[MESSAGES_MAX];
    int messages;
    int lock[RANKS_MAX][RANKS_MAX]; /* of the window LOCKED, by origin and target: 0: none, 1:
                                     * shared, 2: exclusive */
    bool has_all[RANKS_MAX];
    int posted[RANKS_MAX];  /* by target: origin of its epoch; -1: none */
    int started[RANKS_MAX]; /* by origin: target */
    int epoch[RANKS_MAX];   /* by target: number of the epoch */
    bool is_complete[RANKS_MAX];
    int requests[RANKS_MAX][8]; /* open ones */
    int open[RANKS_MAX];
    int accesses, sites;
    bool few_sites, may_lock, may_touch;
    bool is_real;       /* the MPI library executes it */
    bool has_exclusive; /* is_real: locks may be exclusive */
};

uint32_t program_random(uint64_t *random, uint32_t below)
{
    *random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(ork_hash_mix(*random) % below);
}

static int any(struct state *s, int below)
{
    return (int)program_random(s->random, (uint32_t)below);
}

static struct event *add(struct state *s, int rank, enum event_type type, int window, int peer,
                         int with)
{
    struct event *e = &s->p->event[rank][s->p->events[rank]++];

    *e = (struct event){.type = type,
                        .window = window,
                        .peer = peer,
                        .with = with,
                        .request = -1,
                        .access = -1,
                        .origin = -1,
                        .length = 1,
                        .copies = 1};
    return e;
}

/* A message of this length, from or to the memory of windows, or not. */
static void place_buffer(struct state *s, struct event *e, int length)
{
    e->length = length;
    if (!s->p->has_buffers || s->accesses + 3 > ACCESSES_MAX || any(s, 3) == 0)
        return;
    e->origin = any(s, SIZE + 1 - length);
    e->site = 1 + (s->few_sites ? any(s, 12) : s->sites++);
    s->accesses += 3;
}

static void collective(struct state *s, enum event_type type, int window, int root)
{
    int number = s->numbers++, length = 1 + any(s, LENGTHS);

    for (int r = 0; r < s->p->ranks; r++) {
        struct event *e = add(s, r, type, window, root, number);
        if (type == EVENT_BCAST)
            place_buffer(s, e, length);
    }
}

static void send(struct state *s, int from, int to)
{
    if (s->messages == MESSAGES_MAX || from == to)
        return;
    int length = 1 + any(s, LENGTHS);
    s->message[s->messages++] = (struct message){from, to, s->numbers, length};
    place_buffer(s, add(s, from, EVENT_SEND, 0, to, s->numbers++), length);
}

/* RATIONALE: a synchronous send is received at once, so that its sender may go on. */
static void send_synchronous(struct state *s, int from, int to)
{
    for (int i = 0; i < s->messages; i++) {
        if (s->message[i].from == from && s->message[i].to == to)
            return;
    }
    if (from == to)
        return;
    int length = 1 + any(s, LENGTHS);
    place_buffer(s, add(s, from, EVENT_SSEND, 0, to, s->numbers), length);
    place_buffer(s, add(s, to, EVENT_RECV, 0, from, s->numbers++), length);
}

static void receive(struct state *s)
{
    if (s->messages == 0)
        return;
    int i = any(s, s->messages);
    for (int k = 0; k < i; k++) {
        if (s->message[k].from == s->message[i].from && s->message[k].to == s->message[i].to)
            i = k;
    }
    struct message m = s->message[i];
    enum event_type type = any(s, 3) == 0 ? EVENT_RECV_ANY : EVENT_RECV;
    place_buffer(s, add(s, m.to, type, 0, m.from, m.number), m.length);
    memmove(&s->message[i], &s->message[i + 1], (size_t)(--s->messages - i) * sizeof(m));
}

/* ---- epochs ---- */

static void start(struct state *s, int target, int origin)
{
    if (s->posted[target] >= 0 || s->started[origin] >= 0)
        return;
    s->epoch[target] = s->numbers++;
    s->posted[target] = origin;
    s->started[origin] = target;
    s->is_complete[target] = false;
    if (any(s, 2) == 0 || (s->is_real && target == origin)) {
        add(s, target, EVENT_POST, STARTED, origin, s->epoch[target]);
        add(s, origin, EVENT_START, STARTED, target, s->epoch[target]);
    } else {
        add(s, origin, EVENT_START, STARTED, target, s->epoch[target]);
        add(s, target, EVENT_POST, STARTED, origin, s->epoch[target]);
    }
}

static void complete(struct state *s, int origin)
{
    int target = s->started[origin];

    if (target < 0)
        return;
    add(s, origin, EVENT_COMPLETE, STARTED, target, s->epoch[target]);
    s->started[origin] = -1;
    s->is_complete[target] = true;
}

static void wait_window(struct state *s, int target)
{
    if (s->posted[target] < 0 || !s->is_complete[target])
        return;
    add(s, target, EVENT_WAIT_WINDOW, STARTED, s->posted[target], s->epoch[target]);
    s->posted[target] = -1;
}

static bool is_lockable(const struct state *s, int target, bool exclusive)
{
    for (int r = 0; r < s->p->ranks; r++) {
        if (s->lock[r][target] == 2 || (exclusive && (s->lock[r][target] != 0 || s->has_all[r])))
            return false;
    }
    return true;
}

static void access(struct state *s, int rank, int window, int target);
static void unlock(struct state *s, int origin, int target);

/* RATIONALE: a real lock may be granted in any order. So no rank waits for others while it holds
 * one, if some are exclusive. */
static void lock_and_unlock(struct state *s, int origin, int target, bool exclusive)
{
    s->lock[origin][target] = exclusive ? 2 : 1;
    add(s, origin, EVENT_LOCK, LOCKED, target, 0)->is_exclusive = exclusive;
    for (int n = 1 + any(s, 2); n > 0; n--) {
        access(s, origin, LOCKED, target);
        if (any(s, 3) == 0)
            add(s, origin, any(s, 2) == 0 ? EVENT_FLUSH : EVENT_FLUSH_LOCAL, LOCKED, target, 0);
    }
    unlock(s, origin, target);
}

static void lock(struct state *s, int origin, int target, bool exclusive)
{
    if (s->is_real && s->has_exclusive && s->may_lock) {
        lock_and_unlock(s, origin, target, exclusive);
        return;
    }
    exclusive = exclusive && !s->is_real;
    if (s->lock[origin][target] != 0 || s->has_all[origin] || !is_lockable(s, target, exclusive))
        return;
    s->lock[origin][target] = exclusive ? 2 : 1;
    add(s, origin, EVENT_LOCK, LOCKED, target, 0)->is_exclusive = exclusive;
}

static void lock_all(struct state *s, int origin)
{
    bool good = !s->has_all[origin] && !(s->is_real && s->has_exclusive);

    for (int t = 0; t < s->p->ranks; t++)
        good = good && s->lock[origin][t] == 0 && is_lockable(s, t, false);
    if (!good)
        return;
    s->has_all[origin] = true;
    add(s, origin, EVENT_LOCK_ALL, LOCKED, -1, 0);
}

static void unlock(struct state *s, int origin, int target)
{
    if (s->has_all[origin]) {
        s->has_all[origin] = false;
        add(s, origin, EVENT_UNLOCK, LOCKED, -1, 0);
    } else if (s->lock[origin][target] != 0) {
        s->lock[origin][target] = 0;
        add(s, origin, EVENT_UNLOCK, LOCKED, target, 0);
    }
}

static void flush(struct state *s, int origin, int target)
{
    enum event_type type = any(s, 2) == 0 ? EVENT_FLUSH : EVENT_FLUSH_LOCAL;

    if (s->has_all[origin])
        add(s, origin, type, LOCKED, any(s, 2) == 0 ? -1 : target, 0);
    else if (s->lock[origin][target] != 0)
        add(s, origin, type, LOCKED, target, 0);
}

/* ---- accesses ---- */

/* RATIONALE: the standard has requests in passive epochs only. */
static void add_request(struct state *s, struct event *e, int rank)
{
    if (e->window != LOCKED || e->kind == ORK_ACCESS_SWAP || s->open[rank] == 8 || any(s, 3) > 0)
        return;
    e->request = s->numbers++;
    s->requests[rank][s->open[rank]++] = e->request;
}

static void access(struct state *s, int rank, int window, int target)
{
    if (window == STARTED)
        target = s->started[rank];
    if (window == LOCKED && !s->may_lock)
        window = FENCED;
    if (window == LOCKED && !s->has_all[rank] && s->lock[rank][target] == 0)
        return;
    if (target < 0 || s->accesses + 3 > ACCESSES_MAX)
        return;
    s->p->has_locks |= window == LOCKED;
    struct event *e = add(s, rank, EVENT_ACCESS, window, target, 0);
    e->kind = (enum ork_access)any(s, ORK_ACCESS_MAX);
    e->op = 1 + any(s, 2) * 13; /* MPI_SUM, MPI_NO_OP */
    if (e->kind == ORK_ACCESS_ACCUMULATE)
        e->op = 1 + any(s, 2);
    bool is_word = s->is_real && e->kind == ORK_ACCESS_SWAP; /* MPI has it of one element only */
    bool has_gaps = any(s, 3) == 0 && !is_word;
    e->length = is_word ? 1 : 1 + any(s, has_gaps ? 2 : 4);
    e->copies = has_gaps ? 2 + any(s, 2) : 1;
    e->stride = e->length + 1 + any(s, 2);
    e->offset = any(s, SIZE + 1 - event_extent(e));
    bool is_elsewhere = any(s, 2) == 0 || (s->is_real && (s->may_touch || s->p->has_buffers));
    e->origin = is_elsewhere ? -1 : any(s, SIZE + 1 - event_extent(e));
    e->access = s->accesses;
    e->site = 1 + (s->few_sites ? any(s, 12) : s->sites++);
    s->accesses += 3;
    add_request(s, e, rank);
}

/* Of the rank itself. */
static void touch(struct state *s, int rank)
{
    if (!s->may_touch || s->accesses + 3 > ACCESSES_MAX)
        return;
    struct event *e = add(s, rank, EVENT_TOUCH, any(s, WINDOWS), rank, 0);
    bool has_gaps = any(s, 3) == 0;
    s->p->has_touches = true;
    e->is_store = any(s, 2) == 0;
    e->length = 1 + any(s, has_gaps ? 2 : 4);
    e->copies = has_gaps ? 2 + any(s, 2) : 1;
    e->stride = e->length + 1 + any(s, 2);
    e->offset = any(s, SIZE + 1 - event_extent(e));
    e->site = 1 + (s->few_sites ? any(s, 12) : s->sites++);
    s->accesses += 3;
}

/* RATIONALE: in programs that the MPI library executes, the standard wants a passive epoch. */
static void sync(struct state *s, int rank)
{
    if (s->p->is_separate && !s->is_real)
        add(s, rank, EVENT_SYNC, any(s, WINDOWS), -1, 0);
    else if (s->p->is_separate && s->has_all[rank])
        add(s, rank, EVENT_SYNC, LOCKED, -1, 0);
}

static void wait_request(struct state *s, int rank)
{
    if (s->open[rank] == 0)
        return;
    int i = any(s, s->open[rank]);
    add(s, rank, EVENT_WAIT_REQUEST, 0, 0, 0)->request = s->requests[rank][i];
    s->requests[rank][i] = s->requests[rank][--s->open[rank]];
}

static void step(struct state *s)
{
    int rank = any(s, s->p->ranks), other = any(s, s->p->ranks);

    switch (any(s, 22)) {
    case 0:
        send(s, rank, other);
        break;
    case 1:
        send_synchronous(s, rank, other);
        break;
    case 2:
        receive(s);
        break;
    case 3:
        if (any(s, 3) == 0)
            collective(s, any(s, 2) == 0 ? EVENT_BARRIER : EVENT_BCAST, 0, other);
        break;
    case 4:
        if (any(s, 3) > 0)
            return;
        collective(s, EVENT_FENCE, FENCED, -1);
        break;
    case 5:
    case 6:
        start(s, other, rank);
        break;
    case 7:
        complete(s, rank);
        break;
    case 8:
        wait_window(s, rank);
        break;
    case 9:
    case 10:
        lock(s, rank, other, any(s, 2) == 0);
        break;
    case 11:
        lock_all(s, rank);
        break;
    case 12:
        unlock(s, rank, other);
        break;
    case 13:
        flush(s, rank, other);
        break;
    case 14:
        wait_request(s, rank);
        break;
    case 15:
    case 16:
        touch(s, rank);
        break;
    case 17:
    case 18:
        sync(s, rank);
        break;
    default:
        access(s, rank, any(s, WINDOWS), other);
        break;
    }
}

static bool is_full(const struct program *p)
{
    for (int r = 0; r < p->ranks; r++) {
        if (p->events[r] + 18 > EVENTS_MAX)
            return true;
    }
    return false;
}

/* Close all that is open. */
static void finish(struct state *s)
{
    while (s->messages > 0)
        receive(s);
    for (int r = 0; r < s->p->ranks; r++) {
        complete(s, r);
        for (int t = 0; t < s->p->ranks; t++)
            unlock(s, r, t);
    }
    for (int r = 0; r < s->p->ranks; r++)
        wait_window(s, r);
    for (int r = 0; r < s->p->ranks && s->is_real; r++) {
        while (s->open[r] > 0)
            wait_request(s, r);
    }
    if (s->is_real)
        collective(s, EVENT_FENCE, FENCED, -1);
}

static void generate(struct state *s)
{
    struct program *p = s->p;

    memset(p, 0, sizeof(*p));
    p->ranks = 2 + any(s, RANKS_MAX - 1);
    s->may_lock = any(s, 2) == 0;
    s->may_touch = any(s, 2) == 0;
    p->has_buffers = any(s, 2) == 0;
    p->is_separate = (s->may_touch || p->has_buffers) && any(s, 2) == 0;
    for (int r = 0; r < RANKS_MAX; r++)
        s->posted[r] = s->started[r] = -1;
    if (s->is_real)
        collective(s, EVENT_FENCE, FENCED, -1);
    int steps = 5 + any(s, 75);
    for (int i = 0; i < steps && !is_full(p); i++)
        step(s);
    finish(s);
}

void program_generate(struct program *p, uint64_t *random, bool few_sites)
{
    generate(&(struct state){.p = p, .random = random, .few_sites = few_sites});
}

void program_generate_real(struct program *p, uint64_t *random)
{
    struct state s = {.p = p, .random = random, .is_real = true};

    s.has_exclusive = any(&s, 2) == 0;
    generate(&s);
}

void program_print(const struct program *p)
{
    static const char *const name[] = {"send",       "ssend", "recv",    "recv*",  "barrier",
                                       "bcast",      "fence", "post",    "start",  "complete",
                                       "waitwin",    "lock",  "lockall", "unlock", "flush",
                                       "flushlocal", "wait",  "access",  "touch",  "sync"};
    for (int r = 0; r < p->ranks; r++) {
        printf("rank %d%s:\n", r, p->is_separate ? ", separate memory model" : "");
        for (int i = 0; i < p->events[r]; i++) {
            const struct event *e = &p->event[r][i];
            printf("  %s window %d peer %d with %d request %d", name[e->type], e->window, e->peer,
                   e->with, e->request);
            if (e->type == EVENT_ACCESS)
                printf(" site %d kind %d op %d bytes %d-%d origin %d", e->site, (int)e->kind, e->op,
                       e->offset, e->offset + e->length - 1, e->origin);
            if (event_has_buffer(e))
                printf(" site %d bytes %d-%d", e->site, e->origin, e->origin + e->length - 1);
            if (e->type == EVENT_TOUCH)
                printf(" site %d %s bytes %d-%d", e->site, e->is_store ? "store" : "load",
                       e->offset, e->offset + event_extent(e) - 1);
            printf("\n");
        }
    }
}

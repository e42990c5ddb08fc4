/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs are made step by step in an order in which they can run. */
#include "tests/fuzz/onesided/generate.h"

#include "common/hash.h"

#include <string.h>

uint32_t program_random(uint64_t *random, uint32_t below)
{
    *random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(ork_hash_mix(*random) % below);
}

int any(struct state *s, int below)
{
    return (int)program_random(s->random, (uint32_t)below);
}

int any_site(struct state *s)
{
    return 1 + (s->few_sites ? any(s, 12) : s->sites++);
}

bool has_room(const struct state *s)
{
    return s->accesses + USES_MAX <= ACCESSES_MAX;
}

struct event *add_event(struct state *s, int rank, enum event_type type, int window, int peer,
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
                        .sent = -1,
                        .length = 1,
                        .copies = 1};
    return e;
}

/* ---- requests ---- */

bool open_request(struct state *s, struct event *e, int rank, int message)
{
    if (s->opened[rank] == OPEN_MAX)
        return false;
    e->request = s->numbers++;
    s->open[rank][s->opened[rank]++] = (struct open){
        .request = e->request, .message = message, .is_access = e->type == EVENT_ACCESS};
    return true;
}

/* Is the message sent and received? */
static bool is_matched(const struct state *s, int message)
{
    for (int i = 0; i < s->messages; i++) {
        if (s->message[i].number == message)
            return false;
    }
    for (int i = 0; i < s->num_expected; i++) {
        if (s->expected[i].number == message)
            return false;
    }
    return true;
}

void wait_request(struct state *s, int rank)
{
    if (s->opened[rank] == 0)
        return;
    int i = any(s, s->opened[rank]);
    struct open *o = &s->open[rank][i];
    if (!is_matched(s, o->message))
        return;
    add_event(s, rank, EVENT_WAIT_REQUEST, 0, 0, 0)->request = o->request;
    *o = s->open[rank][--s->opened[rank]];
}

/* ---- the whole ---- */

static void step_of_messages(struct state *s, int what, int rank, int other)
{
    switch (what) {
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
        if (any(s, 2) == 0)
            expect(s, other, rank);
        else
            send_expected(s);
        break;
    }
}

static void step_together(struct state *s, int what, int other)
{
    if (what == 4 && any(s, 6) == 0)
        collective(s, EVENT_BARRIER, 0, -1);
    else if (what == 4 && any(s, 2) == 0)
        exchange(s, other);
    else if (what == 5 && any(s, 3) == 0)
        collective(s, EVENT_FENCE, FENCED, -1);
}

static void step_of_window(struct state *s, int what, int rank, int other)
{
    switch (what) {
    case 6:
    case 7:
        start(s, other, rank);
        break;
    case 8:
        complete(s, rank);
        break;
    case 9:
        wait_window(s, rank);
        break;
    case 10:
    case 11:
        lock(s, rank, other, any(s, 2) == 0);
        break;
    case 12:
        lock_all(s, rank);
        break;
    case 13:
        unlock(s, rank, other);
        break;
    case 14:
        flush(s, rank, other);
        break;
    case 15:
        wait_request(s, rank);
        break;
    case 16:
    case 17:
        make_touch(s, rank);
        break;
    case 18:
    case 19:
        sync_window(s, rank);
        break;
    default:
        make_access(s, rank, any(s, WINDOWS), other);
        break;
    }
}

static void step(struct state *s)
{
    int rank = any(s, s->p->ranks), other = any(s, s->p->ranks), what = any(s, 24);

    if (what < 4 && !s->has_no_messages)
        step_of_messages(s, what, rank, other);
    else if (what == 4 || what == 5)
        step_together(s, what, other);
    else if (what >= 6 && !(what <= 9 && s->has_no_groups))
        step_of_window(s, what, rank, other);
}

static bool is_full(const struct program *p)
{
    for (int r = 0; r < p->ranks; r++) {
        if (p->events[r] + 32 > EVENTS_MAX)
            return true;
    }
    return false;
}

/* Accesses need not be waited for: other calls complete them. */
static bool has_waits(const struct state *s, int rank)
{
    for (int i = 0; i < s->opened[rank]; i++) {
        if (s->is_real || s->is_part || !s->open[rank][i].is_access)
            return true;
    }
    return false;
}

/* Close all that is open. */
static void finish(struct state *s)
{
    s->may_pend = false;
    while (s->num_expected > 0)
        send_expected(s);
    while (s->messages > 0)
        receive(s);
    for (int r = 0; r < s->p->ranks; r++) {
        complete(s, r);
        for (int t = 0; t < s->p->ranks; t++)
            unlock(s, r, t);
    }
    for (int r = 0; r < s->p->ranks; r++)
        wait_window(s, r);
    for (int r = 0; r < s->p->ranks; r++) {
        while (has_waits(s, r))
            wait_request(s, r);
    }
    if (s->is_real || s->is_synchronized)
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
    s->may_pend = any(s, 2) == 0;
    s->keeps_distance = any(s, 2) == 0;
    p->is_separate = !s->is_unified && (s->may_touch || p->has_buffers) && any(s, 2) == 0;
    for (int r = 0; r < RANKS_MAX; r++)
        s->posted[r] = s->started[r] = -1;
    if (s->is_real)
        collective(s, EVENT_FENCE, FENCED, -1);
    int steps = s->most_steps > 0 ? 1 + any(s, s->most_steps) : 5 + any(s, 75);
    for (int i = 0; i < steps && !is_full(p); i++)
        step(s);
    finish(s);
}

void program_generate(struct program *p, uint64_t *random, bool few_sites)
{
    generate(&(struct state){.p = p, .random = random, .few_sites = few_sites});
}

void program_generate_part(struct program *p, uint64_t *random)
{
    struct state s = {.p = p, .random = random, .is_part = true};

    s.is_unified = any(&s, 8) > 0;
    s.has_no_groups = any(&s, 3) > 0;
    s.has_no_messages = any(&s, 2) > 0;
    s.is_synchronized = any(&s, 4) > 0;
    s.most_steps = any(&s, 4) > 0 ? 20 : 0;
    generate(&s);
}

void program_generate_real(struct program *p, uint64_t *random)
{
    struct state s = {.p = p, .random = random, .is_real = true};

    s.has_exclusive = any(&s, 2) == 0;
    generate(&s);
}

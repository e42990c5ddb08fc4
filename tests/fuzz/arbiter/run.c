/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/arbiter/run.h"

#include "order/arbiter/internal.h"
#include "tests/fuzz/arbiter/process.h"

enum { RANK_STEP, DELIVER, FEED, DECIDE, ACTIONS };

struct run {
    const struct program *p;
    struct wfg_random random;
    struct library library;
    struct process process[MAX_RANKS];
    struct ork_arbiter *arbiter; /* NULL: a free run */
    bool fed_all[MAX_RANKS];
    uint32_t weight[ACTIONS], slowness[MAX_RANKS];
    struct outcome *out;
};

static void fail(struct run *r, const char *problem)
{
    if (r->out->problem == NULL)
        r->out->problem = problem;
}

/* No rank that may send has a lower time than the arbiter assumed. */
static void check_bounds(struct run *r)
{
    for (uint32_t i = 0; i < r->p->ranks; i++) {
        const struct rank *p = &r->arbiter->rank[i];
        if (p->lost)
            fail(r, "true records are invalid");
        const struct times *bound = &r->arbiter->bound[i];
        if (p->inside || p->ask.open || p->ended)
            continue;
        if (p->clock.message + 1 < bound->message || p->clock.lock + 1 < bound->lock)
            fail(r, "a message or lock may be earlier than its lower bound");
    }
}

static bool have_all_ended(const struct run *r)
{
    for (uint32_t i = 0; i < r->p->ranks; i++) {
        if (!r->process[i].ended)
            return false;
    }
    return true;
}

/* In pieces of any size. */
static bool feed(struct run *r, uint32_t rank)
{
    struct process *p = &r->process[rank];
    uint32_t n = p->records - p->fed;

    if (r->arbiter == NULL || r->fed_all[rank])
        return false;
    if (n == 0 && have_all_ended(r)) {
        r->fed_all[rank] = true;
        ork_arbiter_end(r->arbiter, rank);
        return true;
    }
    if (n == 0)
        return false;
    n = 1 + wfg_random_below(&r->random, n);
    if (ork_arbiter_feed(r->arbiter, rank, &p->record[p->fed], n) != ORK_OK)
        abort();
    p->fed += n;
    check_bounds(r);
    return true;
}

static void pass(struct run *r, uint32_t rank, const struct ork_decision *decision)
{
    struct process *p = &r->process[rank];

    if (p->inbox_count == MAX_INBOX)
        abort();
    p->inbox[p->inbox_count++] = *decision;
    r->out->decisions++;
}

static bool decide(struct run *r)
{
    struct ork_decision decision;
    uint32_t rank;

    if (r->arbiter == NULL || ork_arbiter_decide(r->arbiter, &rank, &decision) != ORK_OK)
        return false;
    pass(r, rank, &decision);
    check_bounds(r);
    return true;
}

static uint32_t some_rank(struct run *r)
{
    uint32_t rank = 0;

    do {
        rank = wfg_random_below(&r->random, r->p->ranks);
    } while (wfg_random_below(&r->random, r->slowness[rank]) != 0);
    return rank;
}

static bool act(struct run *r, uint32_t action, uint32_t rank)
{
    switch (action) {
    case RANK_STEP:
        return process_step(&r->process[rank]);
    case DELIVER:
        return library_deliver(&r->library, &r->random);
    case FEED:
        return feed(r, rank);
    default:
        return decide(r);
    }
}

static bool act_somehow(struct run *r)
{
    uint32_t total = 0, action = 0;

    for (uint32_t i = 0; i < ACTIONS; i++)
        total += r->weight[i];
    uint32_t at = wfg_random_below(&r->random, total);
    while (at >= r->weight[action])
        at -= r->weight[action++];
    return act(r, action, some_rank(r));
}

static bool act_at_all(struct run *r)
{
    for (uint32_t i = 0; i < ACTIONS; i++) {
        for (uint32_t rank = 0; rank < r->p->ranks; rank++) {
            if (act(r, i, rank))
                return true;
        }
    }
    return false;
}

static bool break_quiescence(struct run *r)
{
    struct ork_decision decision;
    uint32_t rank;

    if (r->arbiter == NULL || ork_arbiter_break(r->arbiter, &rank, &decision) != ORK_OK)
        return false;
    pass(r, rank, &decision);
    check_bounds(r);
    r->out->breaks++;
    return true;
}

static void random_speeds(struct run *r)
{
    static const uint32_t speed[] = {1, 4, 16, 64};

    for (uint32_t i = 0; i < ACTIONS; i++)
        r->weight[i] = speed[wfg_random_below(&r->random, 4)];
    for (uint32_t i = 0; i < r->p->ranks; i++)
        r->slowness[i] = speed[wfg_random_below(&r->random, 3)];
}

static void go(struct run *r)
{
    uint32_t idle = 0, steps = 0;

    while (r->out->problem == NULL) {
        if (wfg_random_below(&r->random, 64) == 0)
            random_speeds(r);
        idle = act_somehow(r) ? 0 : idle + 1;
        if (++steps > 200000)
            fail(r, "the run does not end");
        if (idle < 40)
            continue;
        idle = 0;
        if (!act_at_all(r) && !break_quiescence(r))
            return;
    }
}

static void end(struct run *r)
{
    for (uint32_t i = 0; i < r->p->ranks; i++) {
        const struct process *p = &r->process[i];
        r->out->hash[i] = p->hash;
        r->out->pc[i] = p->pc;
        r->out->stopped |= !p->ended;
        if (p->problem != NULL)
            fail(r, p->problem);
        if (r->arbiter != NULL && process_is_locked_out(p))
            fail(r, "a rank waits for a lock that is free, or an atomic");
        if (r->arbiter != NULL && process_is_starved(p, &r->out->is_known))
            fail(r, "a receive or probe waits although there is a message for it");
    }
    if (r->arbiter != NULL && !r->out->stopped && ork_arbiter_is_waiting(r->arbiter))
        fail(r, "a rank waits although all have ended");
}

void run_program(const struct program *p, uint64_t schedule, bool is_free, struct outcome *out)
{
    static struct run run;
    struct run *r = &run;

    memset(r, 0, sizeof(*r));
    memset(out, 0, sizeof(*out));
    r->p = p;
    r->out = out;
    r->random.state = schedule * UINT64_C(0xd1342543de82ef95) + p->seed;
    r->library.p = p;
    for (uint32_t i = 0; i < p->ranks; i++)
        process_init(&r->process[i], &r->library, &r->random, i, is_free);
    if (!is_free && ork_arbiter_create(p->ranks, &r->arbiter) != ORK_OK)
        abort();
    random_speeds(r);
    go(r);
    end(r);
    ork_arbiter_destroy(r->arbiter);
}

bool outcome_is_same(const struct program *p, const struct outcome *a, const struct outcome *b)
{
    for (uint32_t i = 0; i < p->ranks; i++) {
        if (a->hash[i] != b->hash[i] || a->pc[i] != b->pc[i])
            return false;
    }
    return true;
}

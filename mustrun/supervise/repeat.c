/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/repeat.h"

#include "common/log.h"
#include "common/lower_bound.h"
#include "common/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The different orders that were seen: their hashes, sorted. */
struct orders {
    uint64_t *hash;
    uint32_t count, room;
};

struct repetition {
    struct ork_options options; /* of the present run */
    unsigned runs;              /* begun */
    struct orders orders;
    bool is_uncounted; /* out of memory */
};

static void add_order(struct repetition *r, uint64_t hash)
{
    struct orders *o = &r->orders;

    ORK_LOWER_BOUND(to, o->count, i, o->hash[i] < hash);
    if (hash == 0 || (to < o->count && o->hash[to] == hash))
        return;
    if (!ork_vec_reserve(&o->hash, &o->room, o->count + 1, sizeof(*o->hash))) {
        r->is_uncounted = true;
        return;
    }
    memmove(&o->hash[to + 1], &o->hash[to], (o->count - to) * sizeof(*o->hash));
    o->hash[to] = hash;
    o->count++;
}

/* RATIONALE: standard error is that of the program, too: each line in one piece. */
static void print_run(const struct repetition *r, const struct ork_run_end *end, int code)
{
    const struct ork_noise_option *noise = &r->options.noise;
    char how[64] = "no error";

    if (end->is_interrupted)
        snprintf(how, sizeof(how), "interrupted");
    else if (end->is_bad)
        snprintf(how, sizeof(how), "ended with an error (exit code %d)", code);
    fprintf(stderr, "orknot: run %u of %u, noise %" PRIu64 ":%u, %.1f s: %s\n", r->runs,
            r->options.repeat, noise->seed, noise->max_us, end->seconds, how);
}

static void print_end(const struct repetition *r, const struct ork_run_end *end)
{
    const struct ork_noise_option *noise = &r->options.noise;
    const char *plural = r->runs == 1 ? "" : "s";
    char orders[64] = "";

    if (r->orders.count > 0 && !r->is_uncounted)
        snprintf(orders, sizeof(orders), ", %" PRIu32 " different order%s", r->orders.count,
                 r->orders.count == 1 ? "" : "s");
    if (end->is_interrupted)
        fprintf(stderr, "orknot: %u run%s%s; interrupted\n", r->runs, plural, orders);
    else if (end->is_bad)
        fprintf(stderr,
                "orknot: %u run%s%s; the last one ended with an error, with --must:noise %" PRIu64
                ":%u\n",
                r->runs, plural, orders, noise->seed, noise->max_us);
    else
        fprintf(stderr, "orknot: %u run%s%s; no error\n", r->runs, plural, orders);
}

static int run_next(struct repetition *r, const struct ork_invocation *invocation,
                    struct ork_run_end *end)
{
    bool is_first = r->runs++ == 0;
    bool is_last = r->runs == r->options.repeat;
    int code = ork_once_run(invocation, &r->options, is_first, !is_last, end);

    add_order(r, end->order_hash);
    if (end->is_started && !r->options.quiet)
        print_run(r, end, code);
    return code;
}

int ork_repeat(const struct ork_invocation *invocation, const struct ork_options *options)
{
    struct repetition r = {.options = *options};
    struct ork_run_end end;
    int code = run_next(&r, invocation, &end);

    while (r.runs < options->repeat && end.is_started && !end.is_bad && !end.is_interrupted) {
        r.options.noise.seed++;
        code = run_next(&r, invocation, &end);
    }
    if (end.is_started && (!options->quiet || end.is_bad))
        print_end(&r, &end);
    free(r.orders.hash);
    return code;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random looping programs with receives from any source: the history of the whole run, and one that
 * forgets what repeats, mostly behind a fold. What is searched for other matches in parts finds no
 * deadlock that the search of all does not find, and nearly all of them, unless it says that it
 * lacks something. The same in every run. fold_history [first seed [programs]]; the environment
 * variable ORK_FUZZ_PROGRAMS is another number of programs. */
#include "detector/fold/fold.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/detector/looping.h"
#include "tests/fuzz/wfg_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROGRAMS = 1500, BATCH = 12, STEPS = 1 << 21 };

struct pair {
    struct ork_detector *whole, *parts;
    struct ork_fold *fold; /* before `parts` */
    struct wfg_random *random;
    struct looping *p;
    uint32_t at[LOOPING_RANKS];
    bool ended[LOOPING_RANKS];
    bool is_stopped; /* some search was */
    bool is_partial; /* some calls may have been left out */
    bool is_found;   /* in some part */
};

struct totals {
    uint64_t searches, cuts, renewals, deadlocks, safe, stopped, partial, missed, folded, knows_all;
};

static uint64_t seed; /* of the present program */

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz.fold.history: seed %" PRIu64 ": %s\n", seed, what);
    abort();
}

static enum ork_interleave_result search(struct ork_detector *d, bool *knows_all)
{
    const struct ork_interleave_options options = {.max_steps = STEPS};
    struct ork_interleaving *f;
    enum ork_interleave_result result;

    require(ork_interleaving_create(d, ORK_OTHERWISE_ANYHOW, &f) == ORK_OK &&
                ork_interleaving_search(f, &options, &result) == ORK_OK,
            "no memory");
    *knows_all = ork_interleaving_view(f).knows_all;
    ork_interleaving_destroy(f);
    return result;
}

static void search_part(struct pair *t, struct totals *all)
{
    bool knows_all;
    enum ork_interleave_result result = search(t->parts, &knows_all);

    all->searches++;
    t->is_found |= result == ORK_INTERLEAVE_DEADLOCK;
    t->is_stopped |= result == ORK_INTERLEAVE_STOPPED;
    ork_detector_history_is_searched(t->parts);
}

/* As the root does. */
static void follow(struct pair *t, struct totals *all)
{
    struct ork_detector *d = t->parts;
    bool is_full = ork_detector_is_history_full(d);

    if (!ork_detector_has_wildcards(d) || !(is_full || ork_detector_history_repeats(d)))
        return;
    if (ork_detector_has_history_news(d)) {
        t->is_partial |= is_full;
        search_part(t, all);
    }
    if (is_full) {
        all->renewals += ork_detector_renew_history(d);
    } else {
        ork_detector_cut_history(d);
        all->cuts++;
    }
}

static enum ork_status feed_parts(void *context, uint32_t rank, const struct ork_record *record,
                                  size_t n)
{
    struct pair *t = context;

    return ork_detector_feed(t->parts, rank, record, n);
}

static void feed_some(struct pair *t, uint32_t r)
{
    struct looping *p = t->p;
    uint32_t left = p->count[r] - t->at[r], n = 1 + wfg_random_below(t->random, BATCH);

    n = n < left ? n : left;
    require(ork_detector_feed(t->whole, r, p->record[r] + t->at[r], n) == ORK_OK &&
                ork_fold_take(t->fold, r, p->record[r] + t->at[r], n) == ORK_OK,
            "no memory");
    t->at[r] += n;
    if (t->at[r] < p->count[r] || !p->is_over[r] || t->ended[r])
        return;
    t->ended[r] = true;
    require(ork_fold_unfold(t->fold) == ORK_OK, "no memory");
    ork_detector_end(t->whole, r, p->end[r]);
    ork_detector_end(t->parts, r, p->end[r]);
}

static bool is_left(const struct pair *t)
{
    bool is = false;

    for (uint32_t r = 0; r < t->p->ranks && !is; r++)
        is = t->at[r] < t->p->count[r];
    return is;
}

/* The rank that is farthest behind, mostly: in a run, messages keep the ranks together. */
static uint32_t next_rank(struct pair *t)
{
    uint32_t r = wfg_random_below(t->random, t->p->ranks);

    for (uint32_t i = 0; i < t->p->ranks && wfg_random_percent(t->random, 80); i++) {
        if (t->at[i] < t->p->count[i] && (t->at[r] == t->p->count[r] || t->at[i] < t->at[r]))
            r = i;
    }
    return r;
}

/* Are ranks deadlocked where the run is, by strict semantics? RATIONALE: the search of the whole
 * gives up where a test was true only because of buffering, and a part may begin after it. */
static bool is_deadlocked(struct ork_detector *d)
{
    struct ork_search *s;

    require(ork_detector_search(d, ORK_STRICT, &s) == ORK_OK, "no memory");
    bool is = ork_wfg_num_deadlocked(s->wfg) > 0;
    ork_search_destroy(s);
    return is;
}

static void compare(struct pair *t, struct totals *all)
{
    require(ork_fold_stop(t->fold) == ORK_OK, "no memory");
    bool knows_all;
    enum ork_interleave_result result = search(t->whole, &knows_all);
    search_part(t, all);
    t->is_partial |= ork_detector_lacks_wildcards(t->parts);
    t->is_stopped |= result == ORK_INTERLEAVE_STOPPED;
    all->stopped += t->is_stopped;
    if (t->is_stopped)
        return;
    /* RATIONALE: a part may begin after a call that cannot be followed. */
    require(!t->is_found || !knows_all || result == ORK_INTERLEAVE_DEADLOCK ||
                is_deadlocked(t->whole),
            "a part has a deadlock that the run does not have");
    all->knows_all += knows_all;
    all->deadlocks += t->is_found;
    all->partial += t->is_partial;
    all->safe += result == ORK_INTERLEAVE_SAFE;
    all->missed += !t->is_partial && !t->is_found && result == ORK_INTERLEAVE_DEADLOCK;
}

static void run(struct wfg_random *random, struct totals *all)
{
    static struct looping p;
    struct pair t = {.p = &p, .random = random};
    const struct ork_fold_sink sink = {.context = &t, .feed = feed_parts};
    bool is_steady;

    looping_random(random, &p);
    require(ork_detector_create(p.ranks, &t.whole) == ORK_OK &&
                ork_detector_create(p.ranks, &t.parts) == ORK_OK &&
                ork_fold_create(t.parts, p.ranks, &sink, &t.fold) == ORK_OK,
            "no memory");
    if (wfg_random_percent(random, 30))
        require(ork_fold_stop(t.fold) == ORK_OK, "no memory");
    ork_detector_set_history(t.whole, UINT64_MAX);
    ork_detector_set_history(t.parts, wfg_random_percent(random, 50) ? 512 : 4096);
    while (is_left(&t)) {
        feed_some(&t, next_rank(&t));
        if (wfg_random_percent(random, 10))
            require(ork_fold_step(t.fold, wfg_random_percent(random, 90), &is_steady) == ORK_OK,
                    "no memory");
        follow(&t, all);
    }
    if (ork_detector_has_wildcards(t.whole))
        compare(&t, all);
    all->folded += ork_fold_counts(t.fold).records;
    ork_fold_destroy(t.fold);
    ork_detector_destroy(t.whole);
    ork_detector_destroy(t.parts);
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("ORK_FUZZ_PROGRAMS");
    uint64_t first = wfg_random_argument(argc, argv, 1, 1);
    uint64_t programs =
        wfg_random_argument(argc, argv, 2, wanted != NULL ? strtoull(wanted, NULL, 10) : PROGRAMS);
    struct totals all = {0};

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)); i++) {
        seed = first + i;
        struct wfg_random random = {.state = seed};
        uint64_t missed = all.missed;
        run(&random, &all);
        if (all.missed > missed)
            printf("seed %" PRIu64 ": a deadlock is not found\n", seed);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " records folded, %" PRIu64
           " searches of parts, %" PRIu64 " cuts, %" PRIu64 " times begun anew; %" PRIu64
           " programs known to their ends, %" PRIu64 " deadlocks found, %" PRIu64
           " programs safe, %" PRIu64 " searches stopped, %" PRIu64 " partial, %" PRIu64
           " missed\n",
           programs, all.folded, all.searches, all.cuts, all.renewals, all.knows_all, all.deadlocks,
           all.safe, all.stopped, all.partial, all.missed);
    /* RATIONALE: a choice may lead to a deadlock only after more calls than those that are kept. */
    bool is_rare = all.missed * 1000 <= all.deadlocks;
    return is_rare && all.cuts > 0 && all.folded > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

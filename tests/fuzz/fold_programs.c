/* SPDX-License-Identifier: BSD-3-Clause */
/* Random looping programs, folded and not. Two detectors get the same records of each rank in
 * random batches, one of them through a fold. At random moments, after unfolding, nothing that a
 * verdict rests on may tell them apart; nor may what follows one-sided accesses and races.
 * fold_programs [first seed [programs]]; the environment variable ORK_FUZZ_PROGRAMS is another
 * number of programs. */
#include "detector/fold/fold.h"
#include "detector/issues.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/detector/looping.h"
#include "tests/fuzz/fold_followers.h"
#include "tests/fuzz/wfg_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 1500 };

struct pair {
    struct ork_detector *plain, *folded;
    struct ork_fold *fold;
    struct followers followers;
    struct wfg_random *random;
    struct looping *p;
    uint32_t at[LOOPING_RANKS];
    bool ended[LOOPING_RANKS];
    bool has_choice;   /* a receive or probe with a wildcard has come */
    bool was_deadlock; /* in the latest steady step, since when nothing was released */
};

struct totals {
    uint64_t records, folded, walked, folding, looks, deadlocks, steady, conflicts, races;
};

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz.fold.programs: %s\n", what);
    abort();
}

static bool is_choice(const struct ork_record *r)
{
    bool is_exchange = r->kind == ORK_KIND_SENDRECV;
    int32_t peer = is_exchange ? r->peer2 : r->peer, tag = is_exchange ? r->tag2 : r->tag;

    return (r->kind == ORK_KIND_RECV || r->kind == ORK_KIND_PROBE || r->kind == ORK_KIND_PROBED ||
            is_exchange) &&
           (peer == ORK_ANY_SOURCE || tag == ORK_ANY_TAG);
}

/* As in the tool: who looks for races needs all that follows the first choice. */
static bool may_fold(void *context)
{
    const struct pair *t = context;

    return t->followers.ranks == 0 || !t->has_choice;
}

static enum ork_status feed_folded(void *context, uint32_t rank, const struct ork_record *record,
                                   size_t n)
{
    struct pair *t = context;

    for (size_t i = 0; i < n && !t->has_choice; i++)
        t->has_choice = is_choice(&record[i]);
    follower_feed(&t->followers.folded, rank, record, n);
    return ork_detector_feed(t->folded, rank, record, n);
}

static void pair_init(struct pair *t, struct looping *p, struct wfg_random *random)
{
    uint64_t history = wfg_random_percent(random, 50) ? 0 : UINT64_MAX;

    *t = (struct pair){.p = p, .random = random};
    const struct ork_fold_sink sink = {.context = t, .feed = feed_folded, .may_fold = may_fold};
    require(ork_detector_create(p->ranks, &t->plain) == ORK_OK &&
                ork_detector_create(p->ranks, &t->folded) == ORK_OK &&
                ork_fold_create(t->folded, p->ranks, &sink, &t->fold) == ORK_OK,
            "no memory");
    const struct ork_model model = {.buffered = wfg_random_percent(random, 20),
                                    .eager_bytes = wfg_random_percent(random, 50) ? 8 : UINT64_MAX,
                                    .dataflow = wfg_random_percent(random, 20)};
    if (wfg_random_percent(random, 35))
        ork_fold_set_walk_after(t->fold, 1 + wfg_random_below(random, 2000));
    if (wfg_random_percent(random, 8))
        followers_create(&t->followers, p->ranks);
    ork_detector_set_model(t->plain, &model);
    ork_detector_set_model(t->folded, &model);
    ork_detector_set_history(t->plain, history);
    ork_detector_set_history(t->folded, history);
}

static void pair_release(struct pair *t)
{
    ork_fold_destroy(t->fold);
    followers_destroy(&t->followers);
    ork_detector_destroy(t->plain);
    ork_detector_destroy(t->folded);
}

/* ---- comparing ---- */

/* RATIONALE: communicators are numbered in the order in which their definitions came, which may be
 * another one if they are made by different ranks. */
static uint64_t sum_of_calls(const struct ork_detector *d, uint32_t rank)
{
    uint64_t sum = 0;

    for (uint32_t comm = 0; comm < 8; comm++) {
        uint32_t calls = 0;
        if (ork_detector_collectives(d, comm, rank, &calls))
            sum += (uint64_t)calls * calls + 1;
    }
    return sum;
}

static bool is_same_comm(const struct pair *t, uint32_t a, uint32_t b)
{
    struct ork_comm_view x, y;

    if (a == ORK_COMM_UNKNOWN || b == ORK_COMM_UNKNOWN)
        return a == b;
    x = ork_detector_comm(t->plain, a);
    y = ork_detector_comm(t->folded, b);
    return x.made_by == y.made_by && x.size == y.size && x.inter == y.inter &&
           ork_detector_comm_member(t->plain, a, 0) == ork_detector_comm_member(t->folded, b, 0);
}

static bool are_matches_certain(const struct pair *t)
{
    return ork_detector_compared_all(t->plain) && ork_detector_compared_all(t->folded);
}

/* RATIONALE: while a receive from any source is pending, whether a later one may have taken its
 * message depends on the order in which the records of the ranks come. */
static bool is_sure_of_same(const struct pair *t, const struct ork_rank_view *a,
                            const struct ork_rank_view *b)
{
    return !are_matches_certain(t) || a->depends_on_buffering == b->depends_on_buffering;
}

static bool is_same_view(const struct pair *t, uint32_t rank)
{
    struct ork_rank_view a = ork_detector_rank(t->plain, rank);
    struct ork_rank_view b = ork_detector_rank(t->folded, rank);

    return a.status == b.status && a.end == b.end && is_same_comm(t, a.comm, b.comm) &&
           a.moved == b.moved && is_sure_of_same(t, &a, &b) && a.quiet == b.quiet &&
           a.call.site == b.call.site && a.call.kind == b.call.kind &&
           sum_of_calls(t->plain, rank) == sum_of_calls(t->folded, rank) &&
           ork_detector_queued(t->plain, rank) == ork_detector_queued(t->folded, rank) &&
           ork_detector_fault(t->plain, rank) == ork_detector_fault(t->folded, rank);
}

static bool has_same_counts(const struct pair *t)
{
    struct ork_counts a = ork_detector_counts(t->plain);
    struct ork_counts b = ork_detector_counts(t->folded);

    return a.records == b.records && a.calls == b.calls && a.messages == b.messages &&
           a.collectives == b.collectives && a.queued == b.queued;
}

/* RATIONALE: the issues have another order, and another one of the ranks of a side is named, if the
 * records of the ranks came in another order; also, other ones were withdrawn because calls failed,
 * and the match of other messages was certain, so that more or fewer were compared.
 */
static uint64_t sum_of_issues(const struct ork_detector *d, bool with_repeats)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < ork_detector_num_issues(d); i++) {
        const struct ork_issue *issue = ork_detector_issue(d, i);
        uint64_t ranks = 0;
        if (issue->withdrawn)
            continue;
        for (unsigned k = 0; k < issue->num_sides; k++) {
            for (uint32_t r = 0; r < issue->side[k].num_ranks; r++)
                ranks += UINT64_C(1) << 8 * issue->side[k].ranks[r];
        }
        sum += (ranks * 31 + issue->kind + 1) * 1009 + (with_repeats ? issue->repeats : 0);
    }
    return sum;
}

static bool has_same_issues(const struct pair *t)
{
    bool are_all = are_matches_certain(t);

    return sum_of_issues(t->plain, are_all) == sum_of_issues(t->folded, are_all);
}

static bool is_same_search(const struct pair *t, const struct ork_search *a,
                           const struct ork_search *b)
{
    bool same = ork_wfg_num_deadlocked(a->wfg) == ork_wfg_num_deadlocked(b->wfg) &&
                ork_wfg_num_bottom(a->wfg) == ork_wfg_num_bottom(b->wfg);

    for (uint32_t r = 0; r < t->p->ranks && same; r++)
        same = ork_wfg_is_deadlocked(a->wfg, r) == ork_wfg_is_deadlocked(b->wfg, r);
    return same;
}

static const char *search(struct pair *t, bool relax, struct totals *totals)
{
    struct ork_search *a, *b;
    uint32_t passed[2] = {0, 0};
    enum ork_semantics semantics =
        relax || wfg_random_percent(t->random, 80) ? ORK_STRICT : ORK_PERMISSIVE;

    require(ork_detector_search(t->plain, semantics, &a) == ORK_OK &&
                ork_detector_search(t->folded, semantics, &b) == ORK_OK,
            "a search failed");
    bool same = is_same_search(t, a, b);
    totals->deadlocks += ork_wfg_num_deadlocked(a->wfg) > 0;
    if (relax)
        require(ork_detector_relax(t->plain, a, &passed[0]) == ORK_OK &&
                    ork_detector_relax(t->folded, b, &passed[1]) == ORK_OK,
                "relaxing failed");
    ork_search_destroy(a);
    ork_search_destroy(b);
    if (!same)
        return "the deadlocks differ";
    return passed[0] == passed[1] ? NULL : "relaxing differs";
}

static const char *compare(struct pair *t)
{
    for (uint32_t r = 0; r < t->p->ranks; r++) {
        if (!is_same_view(t, r))
            return "a rank is somewhere else";
    }
    if (!has_same_counts(t))
        return "the counts differ";
    return has_same_issues(t) ? NULL : "the issues differ";
}

/* RATIONALE: what several threads of a rank do may depend on the order in which the records of
 * other ranks come. What is kept back comes in another order, and is the same only without them. */
static bool has_threads(const struct pair *t)
{
    bool any = false;

    for (uint32_t r = 0; r < t->p->ranks; r++)
        any |= ork_detector_queued(t->plain, r) == UINT64_MAX;
    return any;
}

static const char *look(struct pair *t, struct totals *totals)
{
    require(ork_fold_unfold(t->fold) == ORK_OK, "unfolding failed");
    t->was_deadlock = false;
    if (has_threads(t))
        return NULL;
    totals->looks++;
    const char *problem = compare(t);
    if (problem == NULL)
        problem = search(t, wfg_random_percent(t->random, 30), totals);
    return problem == NULL ? compare(t) : problem;
}

/* Iterations that are counted have no deadlock; if other choices are only looked up, there was none
 * the time before. */
static const char *step(struct pair *t, struct totals *totals)
{
    const bool is_walk = ork_fold_is_on(t->fold) && !ork_fold_is_counting(t->fold);
    bool is_steady;
    struct ork_search *s;
    const char *problem = NULL;

    require(ork_fold_step(t->fold, wfg_random_percent(t->random, 50), &is_steady) == ORK_OK,
            "a step failed");
    if (!is_steady)
        return NULL;
    totals->steady++;
    require(ork_detector_search(t->plain, ORK_STRICT, &s) == ORK_OK, "a search failed");
    const bool is_deadlock = ork_wfg_num_deadlocked(s->wfg) > 0;
    if (is_walk ? t->was_deadlock : is_deadlock)
        problem = "a deadlock in a steady state";
    t->was_deadlock = is_deadlock;
    ork_search_destroy(s);
    return problem;
}

/* ---- feeding ---- */

static void end_rank(struct pair *t, uint32_t r)
{
    require(ork_fold_unfold(t->fold) == ORK_OK, "unfolding failed");
    ork_detector_end(t->plain, r, t->p->end[r]);
    ork_detector_end(t->folded, r, t->p->end[r]);
    t->ended[r] = true;
}

static void feed(struct pair *t, uint32_t r, uint32_t n)
{
    const struct ork_record *record = t->p->record[r] + t->at[r];

    follower_feed(&t->followers.plain, r, record, n);
    require(ork_detector_feed(t->plain, r, record, n) == ORK_OK &&
                ork_fold_take(t->fold, r, record, n) == ORK_OK,
            "feeding failed");
    t->at[r] += n;
}

/* RATIONALE: more of them would let one rank run far ahead of the others. */
enum { BLOCK_MAX = 256, TOGETHER_MAX = 300 };

/* Records that come several times in a row, as a leaf sends them. False: there are none. */
static bool feed_repeated(struct pair *t, uint32_t r)
{
    const struct ork_record *record = t->p->record[r] + t->at[r];
    uint32_t left = t->p->count[r] - t->at[r], times = 1, n = 1;

    while (n < BLOCK_MAX && 2 * n <= left && memcmp(record, record + n, n * sizeof(*record)) != 0)
        n++;
    while ((times + 1) * n <= left && memcmp(record, record + times * n, n * sizeof(*record)) == 0)
        times++;
    if (times == 1)
        return false;
    uint32_t most = 2 * n < TOGETHER_MAX ? TOGETHER_MAX / n : 2;
    times = 2 + wfg_random_below(t->random, (times < most ? times : most) - 1);
    follower_feed(&t->followers.plain, r, record, times * n);
    require(ork_detector_feed(t->plain, r, record, times * n) == ORK_OK &&
                ork_fold_take_repeated(t->fold, r, record, n, times) == ORK_OK,
            "feeding failed");
    t->at[r] += times * n;
    return true;
}

/* Are all ranks at a collective call without a list? Then they may be fed at once. */
static bool find_wave(const struct pair *t, struct ork_group_record *group_record,
                      struct ork_span *span, uint32_t *n)
{
    *n = 0;
    for (uint32_t r = 0; r < t->p->ranks; r++) {
        const struct ork_record *next = t->p->record[r] + t->at[r];
        if (t->at[r] == t->p->count[r] || next->kind != ORK_KIND_COLL || next->count > 0 ||
            (next->flags & ORK_F_NONBLOCKING) != 0)
            return false;
        if (*n > 0 && memcmp(next, &group_record[*n - 1].call, sizeof(*next)) == 0) {
            span[*n - 1].count++;
            continue;
        }
        span[*n] = (struct ork_span){r, 1};
        group_record[*n] =
            (struct ork_group_record){.call = *next, .span = &span[*n], .num_spans = 1};
        ++*n;
    }
    return true;
}

static bool feed_wave(struct pair *t)
{
    struct ork_group_record wave[LOOPING_RANKS];
    struct ork_span span[LOOPING_RANKS];
    uint32_t n;

    if (!find_wave(t, wave, span, &n))
        return false;
    require(ork_detector_feed_bulk(t->plain, wave, n) == ORK_OK, "feeding failed");
    bool is_on = ork_fold_is_on(t->fold);
    if (!is_on) {
        require(ork_detector_feed_bulk(t->folded, wave, n) == ORK_OK, "feeding failed");
        ork_fold_note_wave(t->fold, wave, n);
    }
    for (uint32_t r = 0; r < t->p->ranks; r++) {
        follower_feed(&t->followers.plain, r, t->p->record[r] + t->at[r], 1);
        if (!is_on)
            follower_feed(&t->followers.folded, r, t->p->record[r] + t->at[r], 1);
        else
            require(ork_fold_take(t->fold, r, t->p->record[r] + t->at[r], 1) == ORK_OK,
                    "feeding failed");
        t->at[r]++;
    }
    return true;
}

static void feed_some(struct pair *t)
{
    static const uint32_t batch[] = {1, 3, 20, 60, 60, 300};
    uint32_t r = wfg_random_below(t->random, t->p->ranks);
    uint32_t left = t->p->count[r] - t->at[r];
    uint32_t n = 1 + wfg_random_below(t->random, batch[wfg_random_below(t->random, 6)]);

    if (wfg_random_percent(t->random, 30) && feed_wave(t))
        return;
    if (wfg_random_percent(t->random, 30) && feed_repeated(t, r))
        return;
    if (left > 0)
        feed(t, r, n < left ? n : left);
    else if (t->p->is_over[r] && !t->ended[r] && wfg_random_percent(t->random, 10))
        end_rank(t, r);
}

static bool is_done(const struct pair *t)
{
    for (uint32_t r = 0; r < t->p->ranks; r++) {
        if (t->at[r] < t->p->count[r])
            return false;
    }
    return true;
}

static const char *run(struct pair *t, struct totals *totals)
{
    const char *problem = NULL;
    uint32_t looks = wfg_random_below(t->random, 4); /* of a thousand batches */
    uint32_t steps = wfg_random_below(t->random, 100);

    while (!is_done(t) && problem == NULL) {
        feed_some(t);
        if (wfg_random_below(t->random, 1000) < steps)
            problem = step(t, totals);
        if (problem == NULL && wfg_random_below(t->random, 1000) < looks)
            problem = look(t, totals);
    }
    for (unsigned i = 0; i < 4 && problem == NULL; i++)
        problem = look(t, totals);
    if (problem == NULL)
        problem = followers_compare(&t->followers, t->random);
    totals->conflicts += t->followers.conflicts;
    totals->races += t->followers.races;
    return problem;
}

static const char *check(uint64_t seed, struct totals *totals)
{
    static struct looping p;
    struct wfg_random random = {seed};
    struct pair t;

    looping_random(&random, &p);
    pair_init(&t, &p, &random);
    const char *problem = run(&t, totals);
    totals->records += ork_detector_counts(t.plain).records;
    totals->folded += ork_fold_counts(t.fold).records;
    totals->walked += ork_fold_counts(t.fold).walked;
    totals->folding += ork_fold_counts(t.fold).records > 0;
    pair_release(&t);
    return problem;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("ORK_FUZZ_PROGRAMS");
    uint64_t seed = wfg_random_argument(argc, argv, 1, 1);
    uint64_t programs =
        wfg_random_argument(argc, argv, 2, wanted != NULL ? strtoull(wanted, NULL, 10) : PROGRAMS);
    struct totals totals = {0};

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)); i++) {
        const char *problem = check(seed + i, &totals);
        if (problem != NULL) {
            printf("seed %" PRIu64 ": folded, %s\n", seed + i, problem);
            return EXIT_FAILURE;
        }
    }
    printf("%" PRIu64 " programs, %" PRIu64 " of which folded; %" PRIu64 " records, %" PRIu64
           " of them folded, %" PRIu64 " with other choices; %" PRIu64 " looks, %" PRIu64
           " of them saw a deadlock; %" PRIu64 " steady steps; %" PRIu64 " conflicts, %" PRIu64
           " races\n",
           programs, totals.folding, totals.records, totals.folded, totals.walked, totals.looks,
           totals.deadlocks, totals.steady, totals.conflicts, totals.races);
    return totals.folded > totals.records / 80 && totals.walked > totals.records / 800 &&
                   totals.conflicts > 0 && totals.races > 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}

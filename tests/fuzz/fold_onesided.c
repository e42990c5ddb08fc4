/* SPDX-License-Identifier: BSD-3-Clause */
/* Random looping one-sided programs, folded and not. The conflicts have to be the same, and what is
 * told of them, also if iterations of all ranks are only counted. With locks, data may order some
 * pairs, and what is found depends on the order in which the records come; then a conflict that is
 * found with folding has to be one of the graph of an iteration, or to be found without folding in
 * some order, or with fewer iterations. If nothing was counted, all records came, in another order;
 * which of some windows is told of a pair of calls depends on it, too.
 * fold_onesided [first seed [programs]]; the environment variable ORK_FUZZ_PROGRAMS is another
 * number of programs. */
#include "detector/fold/fold.h"
#include "windows/onesided/onesided.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/onesided/program.h"
#include "tests/fuzz/wfg_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROGRAMS = 600,
    PARTS = 3,
    RECORDS = 1 << 17,
    TOLD_MAX = 4096,
    SITES = 1000,
    FEW = 4,
    ORDERS = 12
};

struct looping {
    uint32_t ranks;
    bool has_locks;
    struct program part[PARTS];
    uint32_t count[RANKS_MAX];
    uint32_t window; /* that is locked, and the numbers of the latest locks: origin, target, kind */
    uint32_t locked[RANKS_MAX][RANKS_MAX][2];
    struct ork_record record[RANKS_MAX][RECORDS];
};

struct found {
    uint32_t count;
    struct ork_conflict told[TOLD_MAX];
};

struct pair {
    struct ork_detector *detector;
    struct ork_onesided *plain, *folded;
    struct ork_fold *fold;
};

struct totals {
    uint64_t records, folded, folding, conflicts, with_locks, numbered, differ;
};

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz.fold.onesided: %s\n", what);
    abort();
}

/* ---- programs ---- */

static void append(struct looping *p, uint32_t rank, const struct ork_record *record, uint32_t n)
{
    require(p->count[rank] + n <= RECORDS, "a program is too long");
    memcpy(p->record[rank] + p->count[rank], record, n * sizeof(*record));
    p->count[rank] += n;
}

/* Records before those of the first event: see records.c. */
enum { PROLOGUE = 3 * WINDOWS };

/* The records are in the program: draw the number of each lock, mostly as in the iteration before.
 */
static void draw_numbers(struct looping *p, struct wfg_random *random, uint32_t rank,
                         struct ork_record *record, uint32_t n, bool is_first)
{
    bool differs = is_first || wfg_random_percent(random, 3);

    for (uint32_t i = 0; i + 1 < n; i++) {
        const struct ork_record *lock = &record[i];
        struct ork_record *exit = &record[i + 1];
        if (lock->kind != ORK_KIND_WIN_LOCK || lock->peer == ORK_NO_PEER)
            continue;
        require(exit->kind == ORK_KIND_EXIT, "a lock without a number");
        if (differs)
            exit->tag = (int32_t)wfg_random_below(random, 4);
        uint32_t *latest = &p->locked[rank][lock->peer][lock->mode];
        *latest += (uint32_t)exit->tag;
        p->window = lock->comm;
    }
}

/* Some iterations of a part; the windows are made before the first one. */
static void append_part(struct looping *p, struct wfg_random *random, const struct program *part,
                        uint32_t number, uint32_t times)
{
    static struct ork_record record[RECORDS_MAX];

    for (uint32_t r = 0; r < p->ranks; r++) {
        uint32_t n = program_records(part, (int)r, record) - 1; /* without MPI_Finalize */
        for (uint32_t i = 0; i < n; i++) {
            if (record[i].kind != ORK_KIND_CONT)
                record[i].site += number * SITES;
        }
        if (number == 0)
            append(p, r, record, PROLOGUE);
        for (uint32_t i = 0; i < times; i++) {
            draw_numbers(p, random, r, record + PROLOGUE, n - PROLOGUE, i == 0);
            append(p, r, record + PROLOGUE, n - PROLOGUE);
        }
    }
}

/* `few`: with few iterations of each loop. */
static void generate(struct looping *p, struct wfg_random *random, bool few)
{
    static const uint32_t most[] = {FEW, FEW, 30, 60, 60, 60, 60, 200};
    uint32_t parts = 1 + wfg_random_below(random, PARTS);

    memset(p->count, 0, sizeof(p->count));
    memset(p->locked, 0, sizeof(p->locked));
    p->window = 0;
    p->has_locks = false;
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t times = 1 + wfg_random_below(random, most[wfg_random_below(random, 8)]);
        struct program *part = &p->part[i];
        do {
            uint64_t seed = wfg_random_next(random);
            program_generate_part(part, &seed);
        } while (i > 0 && (uint32_t)part->ranks != p->ranks);
        p->ranks = (uint32_t)part->ranks;
        p->has_locks |= part->has_locks;
        append_part(p, random, part, i, few && times > FEW ? FEW : times);
    }
}

/* ---- feeding ---- */

static enum ork_status feed_folded(void *context, uint32_t rank, const struct ork_record *record,
                                   size_t n)
{
    struct pair *t = context;

    require(ork_onesided_feed(t->folded, rank, record, n) == ORK_OK, "feeding failed");
    return ork_detector_feed(t->detector, rank, record, n);
}

static bool write_state(void *context, size_t limit, struct ork_words *state)
{
    const struct pair *t = context;

    return ork_onesided_state(t->folded, limit, state);
}

static void pair_init(struct pair *t, uint32_t ranks)
{
    const struct ork_fold_sink sink = {.context = t, .feed = feed_folded, .state = write_state};

    require(ork_onesided_create(ranks, &t->plain) == ORK_OK &&
                ork_onesided_create(ranks, &t->folded) == ORK_OK &&
                ork_detector_create(ranks, &t->detector) == ORK_OK &&
                ork_fold_create(t->detector, ranks, &sink, &t->fold) == ORK_OK,
            "no memory");
}

static void pair_release(struct pair *t)
{
    ork_fold_destroy(t->fold);
    ork_detector_destroy(t->detector);
    ork_onesided_destroy(t->plain);
    ork_onesided_destroy(t->folded);
}

/* How often the next n records come in a row, of at most `left`. */
static uint32_t times_of(const struct ork_record *record, uint32_t n, uint32_t left)
{
    uint32_t times = 1;

    while ((times + 1) * n <= left && memcmp(record, record + times * n, n * sizeof(*record)) == 0)
        times++;
    return times;
}

/* As a leaf sends what a rank repeats. */
static uint32_t feed_repeated(struct pair *t, struct wfg_random *random, uint32_t r,
                              const struct ork_record *record, uint32_t left)
{
    uint32_t n = 1, times = 1, most = wfg_random_percent(random, 50) ? 5 : 60;

    for (; n < 64 && 2 * n <= left && times == 1; n++)
        times = times_of(record, n, left);
    n -= times > 1;
    times = times < most ? times : most;
    require(ork_onesided_feed(t->plain, r, record, (size_t)times * n) == ORK_OK &&
                ork_fold_take_repeated(t->fold, r, record, n, times) == ORK_OK,
            "feeding failed");
    return times * n;
}

static uint32_t feed_some(struct pair *t, struct wfg_random *random, uint32_t r,
                          const struct ork_record *record, uint32_t left)
{
    uint32_t n = 1 + wfg_random_below(random, wfg_random_percent(random, 50) ? 12 : 300);

    if (left > 0 && wfg_random_percent(random, 20))
        return feed_repeated(t, random, r, record, left);
    n = n < left ? n : left;
    require(ork_onesided_feed(t->plain, r, record, n) == ORK_OK &&
                ork_fold_take(t->fold, r, record, n) == ORK_OK,
            "feeding failed");
    return n;
}

static void feed(struct pair *t, const struct looping *p, struct wfg_random *random)
{
    uint32_t next[RANKS_MAX] = {0}, left = 0;
    uint32_t stops = wfg_random_below(random, 20); /* of a thousand batches */
    bool is_steady;

    for (uint32_t r = 0; r < p->ranks; r++)
        left += p->count[r];
    while (left > 0) {
        uint32_t r = wfg_random_below(random, p->ranks);
        uint32_t n = feed_some(t, random, r, p->record[r] + next[r], p->count[r] - next[r]);
        next[r] += n;
        left -= n;
        if (wfg_random_below(random, 1000) < stops)
            require(ork_fold_step(t->fold, wfg_random_percent(random, 50), &is_steady) == ORK_OK,
                    "a step failed");
        if (wfg_random_below(random, 2000) < stops)
            require(ork_fold_unfold(t->fold) == ORK_OK, "unfolding failed");
    }
    require(ork_fold_unfold(t->fold) == ORK_OK, "unfolding failed");
    for (uint32_t r = 0; r < p->ranks; r++)
        require(ork_onesided_end(t->plain, r) == ORK_OK && ork_onesided_end(t->folded, r) == ORK_OK,
                "the end failed");
}

/* ---- the numbers of locks ---- */

static void call(struct pair *t, uint32_t rank, const struct ork_record *record)
{
    require(ork_detector_feed(t->detector, rank, record, 1) == ORK_OK, "feeding failed");
}

static bool are_running(const struct pair *t, uint32_t ranks)
{
    bool are = true;

    for (uint32_t r = 0; r < ranks; r++)
        are = are && ork_detector_rank(t->detector, r).status == ORK_RANK_RUNNING;
    return are;
}

/* One more lock of each kind and target by each rank, for which another one waits: its number. */
static void check_numbers(struct pair *t, struct looping *p)
{
    struct ork_record lock = {.kind = ORK_KIND_WIN_LOCK, .comm = p->window, .call = 1};
    struct ork_record unlock = {.kind = ORK_KIND_WIN_UNLOCK, .comm = p->window, .call = 1};
    const struct ork_record exit = {.kind = ORK_KIND_EXIT, .tag = 1, .extra = 1, .call = 1};

    for (uint32_t i = 0; i < p->ranks * p->ranks * 2; i++) {
        uint32_t rank = i / 2 / p->ranks, other = (rank + 1) % p->ranks;
        struct ork_lock_holder holder;
        lock.peer = unlock.peer = (int32_t)(i / 2 % p->ranks);
        lock.mode = i % 2;
        call(t, rank, &lock);
        call(t, rank, &exit);
        lock.mode = 1;
        call(t, other, &lock);
        require(ork_detector_lock_holder(t->detector, other, 0, &holder), "the lock is not held");
        require(holder.rank == rank && holder.is_counted &&
                    holder.before == ++p->locked[rank][lock.peer][i % 2],
                "the number of a lock is wrong");
        call(t, rank, &unlock);
        call(t, other, &exit);
        p->locked[other][lock.peer][1]++;
        call(t, other, &unlock);
    }
}

/* ---- comparing ---- */

static bool take(void *context, const struct ork_conflict *c)
{
    struct found *f = context;

    require(f->count < TOLD_MAX, "too many conflicts");
    f->told[f->count++] = *c;
    return true;
}

static bool is_same_access(const struct ork_touched *x, const struct ork_touched *y)
{
    return x->rank == y->rank && x->site == y->site && x->call == y->call && x->touch == y->touch &&
           x->epoch == y->epoch && x->is_exclusive == y->is_exclusive && x->is_over == y->is_over &&
           x->is_read == y->is_read && x->op == y->op && x->type == y->type && x->low == y->low &&
           x->high == y->high && x->is_address == y->is_address && x->has_gaps == y->has_gaps;
}

static bool is_same(const struct found *f, const struct found *g)
{
    bool same = f->count == g->count;

    for (uint32_t i = 0; same && i < f->count; i++) {
        const struct ork_conflict *x = &f->told[i], *y = &g->told[i];
        same = is_same_access(&x->first, &y->first) && is_same_access(&x->second, &y->second) &&
               x->target == y->target && x->window == y->window && x->kind == y->kind &&
               x->is_portable == y->is_portable && x->is_second_earlier == y->is_second_earlier;
    }
    return same;
}

static void find(struct ork_onesided *o, struct found *f)
{
    f->count = 0;
    require(ork_onesided_conflicts(o, take, f) == ORK_OK, "no memory");
}

static bool has(const struct found *f, const struct ork_touched *a, const struct ork_touched *b)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const struct ork_touched *x = &f->told[i].first, *y = &f->told[i].second;
        if (a->rank == x->rank && a->site == x->site && b->rank == y->rank && b->site == y->site)
            return true;
    }
    return false;
}

/* Is it a conflict in the graph of an iteration? */
static bool is_expected(const struct looping *p, const struct ork_touched *a,
                        const struct ork_touched *b)
{
    static struct expected e;
    uint32_t part = a->site / SITES;

    if (part != b->site / SITES)
        return false;
    program_conflicts(&p->part[part], &e);
    return e.conflict[a->site % SITES][b->site % SITES] ||
           e.conflict[b->site % SITES][a->site % SITES];
}

static bool are_possible(const struct looping *p, const struct found *f, const struct found *g)
{
    bool good = true;

    for (uint32_t i = 0; i < f->count && good; i++) {
        const struct ork_touched *a = &f->told[i].first, *b = &f->told[i].second;
        good = has(g, a, b) || is_expected(p, a, b);
    }
    return good;
}

/* Those of the program, and of the one with few iterations, with the records in several orders. */
static void find_possible(const struct looping *p, uint64_t seed, struct found *possible)
{
    static struct looping few;
    struct wfg_random random = {seed};

    generate(&few, &random, true);
    possible->count = 0;
    for (unsigned i = 0; i < ORDERS; i++) {
        struct pair t;
        pair_init(&t, p->ranks);
        feed(&t, i % 3 == 0 ? p : &few, &random);
        require(ork_onesided_conflicts(t.plain, take, possible) == ORK_OK, "no memory");
        pair_release(&t);
    }
}

static bool is_right(const struct looping *p, uint64_t seed, const struct found *plain,
                     const struct found *folded, bool has_folded, struct totals *totals)
{
    static struct found possible;

    if (is_same(plain, folded))
        return true;
    totals->differ++;
    if (!p->has_locks || !has_folded)
        return !has_folded;
    find_possible(p, seed, &possible);
    return are_possible(p, folded, &possible);
}

static bool check(uint64_t seed, struct totals *totals)
{
    static struct looping p;
    static struct found plain, folded;
    struct wfg_random random = {seed};
    struct pair t;

    generate(&p, &random, false);
    pair_init(&t, p.ranks);
    feed(&t, &p, &random);
    find(t.plain, &plain);
    find(t.folded, &folded);
    bool is_lost = ork_onesided_lost(t.plain) != NULL || ork_onesided_lost(t.folded) != NULL;
    uint64_t records = 0, counted = ork_fold_counts(t.fold).records;
    for (uint32_t r = 0; r < p.ranks; r++)
        records += p.count[r];
    bool good = !is_lost && is_right(&p, seed, &plain, &folded, counted > 0, totals);
    require(ork_detector_counts(t.detector).records == records, "records are lost, or come twice");
    if (p.window != 0 && are_running(&t, p.ranks)) {
        totals->numbered += counted > 0;
        check_numbers(&t, &p);
    }
    totals->folded += counted;
    totals->folding += counted > 0;
    totals->conflicts += plain.count;
    totals->with_locks += p.has_locks;
    totals->records += records;
    if (!good)
        printf("seed %" PRIu64 ": %u conflicts, with folding %u%s\n", seed, plain.count,
               folded.count, is_lost ? ", or some accesses were not compared" : "");
    pair_release(&t);
    return good;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("ORK_FUZZ_PROGRAMS");
    uint64_t seed = wfg_random_argument(argc, argv, 1, 1);
    uint64_t programs =
        wfg_random_argument(argc, argv, 2, wanted != NULL ? strtoull(wanted, NULL, 10) : PROGRAMS);
    struct totals totals = {0};
    uint64_t bad = 0;

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)) && bad < 10; i++)
        bad += !check(seed + i, &totals);
    printf("%" PRIu64 " programs, %" PRIu64 " of which folded, %" PRIu64 " with locks, %" PRIu64
           " folded ones with numbers, %" PRIu64 " differ; %" PRIu64 " records, %" PRIu64
           " folded; %" PRIu64 " conflicts\n",
           programs, totals.folding, totals.with_locks, totals.numbered, totals.differ,
           totals.records, totals.folded, totals.conflicts);
    return bad > 0 || totals.folded == 0 || totals.numbered == 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes records and collective calls of all ranks, and decides whether to keep them back. */
#include "detector/fold/walk.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORTH = 16,         /* fewer folded iterations in a row are not worth the attempt */
    PERIOD_MAX = 8192,  /* records */
    PERIOD_MIN = 16,    /* is always looked for */
    REPEATED_MIN = 256, /* records that come as one block and a number are a period */
    DOUBT_MIN = 32,     /* records; it doubles with each attempt in vain */
};
/* Of all blocks together. */
#define BLOCK_BYTES (UINT64_C(64) << 20)

enum ork_status ork_fold_create(struct ork_detector *d, uint32_t nprocs,
                                const struct ork_fold_sink *sink, struct ork_fold **out)
{
    struct ork_fold *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return ORK_NOMEM;
    f->rank = aligned_alloc(_Alignof(struct rank), nprocs * sizeof(*f->rank));
    if (f->rank == NULL) {
        free(f);
        return ORK_NOMEM;
    }
    f->d = d;
    f->multiple = 1;
    f->walk_after = f->walk_first = WALK_AFTER;
    f->nprocs = nprocs;
    f->sink = *sink;
    uint64_t longest = BLOCK_BYTES / sizeof(struct ork_record) / nprocs;
    longest = longest > PERIOD_MAX ? PERIOD_MAX : longest;
    f->longest = longest < PERIOD_MIN ? PERIOD_MIN : (uint32_t)longest;
    for (uint32_t r = 0; r < nprocs; r++)
        f->rank[r] = (struct rank){.period = {.stage = PERIOD_BEGIN}};
    *out = f;
    return ORK_OK;
}

void ork_fold_destroy(struct ork_fold *f)
{
    if (f == NULL)
        return;
    for (uint32_t r = 0; r < f->nprocs; r++) {
        ork_period_release(&f->rank[r].period);
        ork_fold_forget_alone(f, &f->rank[r]);
    }
    free(f->rank);
    ork_walk_destroy(f);
    for (unsigned i = 0; i < 2; i++) {
        ork_detector_release_state(&f->state[i].detector);
        ork_words_release(&f->state[i].other);
    }
    free(f);
}

void ork_fold_set_walk_after(struct ork_fold *f, uint64_t records)
{
    f->walk_after = f->walk_first = records;
}

struct ork_fold_counts ork_fold_counts(const struct ork_fold *f)
{
    return f->counts;
}

/* ---- records ---- */

/* The rank goes on otherwise, and most likely the others will, too. */
static enum ork_status break_off(struct ork_fold *f, uint32_t r)
{
    enum ork_status status = ork_fold_unfold(f);

    if (f->folded >= WORTH)
        f->doubt = 0;
    else if (f->doubt < f->longest)
        f->doubt = f->doubt < DOUBT_MIN ? DOUBT_MIN : 2 * f->doubt;
    for (uint32_t i = 0; i < f->nprocs; i++) {
        struct period *p = &f->rank[i].period;
        if (f->folded >= WORTH)
            p->failures = p->breaks = p->beyond = 0;
        if (i == r)
            ork_period_break(p);
        else
            ork_period_doubt(p, f->doubt);
    }
    f->num_found = 0;
    f->folded = 0;
    return status;
}

/* So many more whole repetitions of the rank are kept back. */
static enum ork_status count_wholes(struct ork_fold *f, struct rank *rank, uint64_t wholes)
{
    if (wholes == 0)
        return ORK_OK;
    uint64_t enough = ork_fold_enough(f);
    f->num_ready += rank->wholes < enough && rank->wholes + wholes >= enough;
    rank->wholes += wholes;
    return ork_fold_go_on(f);
}

/* The rank has a period, and all others have one. *taken: the records that were fed or kept. */
static enum ork_status keep(struct ork_fold *f, uint32_t r, const struct ork_record *record,
                            size_t n, size_t *taken)
{
    struct rank *rank = &f->rank[r];
    struct period *p = &rank->period;
    uint32_t at = p->at;

    if (rank->fed > 0) { /* the rest of a repetition that was begun before */
        uint32_t rest = p->length - at;
        ORK_ASSERT(rank->wholes == 0 && rank->fed == at);
        *taken = ork_period_match(p, record, n < rest ? n : rest);
        rank->fed = p->at;
        return ork_fold_feed(f, r, record, *taken);
    }
    *taken = ork_period_match(p, record, n);
    return count_wholes(f, rank, (at + *taken) / p->length);
}

/* The same for n records that are known to go on with the period. */
static enum ork_status keep_many(struct ork_fold *f, uint32_t r, uint64_t n)
{
    struct rank *rank = &f->rank[r];
    uint64_t wholes = (rank->period.at + n) / rank->period.length;

    ORK_ASSERT(rank->fed == 0);
    ork_period_skip(&rank->period, n);
    return count_wholes(f, rank, wholes);
}

/* All of its records so far are fed. */
static void begin_period(struct ork_fold *f, struct rank *rank)
{
    rank->wholes = 0;
    rank->fed = rank->period.at;
    f->folded = 0;
    ork_fold_forget_state(f);
}

/* Look at records that are fed at once, until all ranks have a period. Returns their number. */
static size_t watch(struct ork_fold *f, uint32_t r, const struct ork_record *record, size_t n)
{
    struct rank *rank = &f->rank[r];
    struct period *p = &rank->period;

    if (p->stage == PERIOD_FOUND) { /* RATIONALE: if it has ended, this comes out when it counts */
        ork_period_skip(p, n);
        rank->fed = p->at;
        return n;
    }
    size_t taken = ork_period_watch(p, record, n, f->longest);
    if (p->stage == PERIOD_FOUND) {
        f->num_found++;
        begin_period(f, rank);
    }
    return taken;
}

/* ---- collective calls that all ranks made at once ---- */

static const struct ork_record *call_in(const struct logged *l, uint32_t rank)
{
    for (uint32_t i = 0; i < l->num_spans; i++) {
        if (rank - l->span[i].first < l->span[i].count)
            return &l->some;
    }
    return &l->others;
}

/* RATIONALE: the detector takes them in one step, however many ranks there are. So a rank looks at
 * them when its next other record comes. */
static void catch_up(struct ork_fold *f, uint32_t r)
{
    struct rank *rank = &f->rank[r];
    struct period *p = &rank->period;
    uint64_t behind = f->waves - rank->waves;

    if (p->stage == PERIOD_FOUND) {
        ork_period_skip(p, behind);
        rank->fed = p->at;
    } else if (behind <= LOGGED && rank->waves >= f->unlogged) {
        for (uint64_t i = rank->waves; i < f->waves; i++)
            watch(f, r, call_in(&f->wave[i % LOGGED], r), 1);
    } else if (p->stage != PERIOD_REST) {
        p->stage = PERIOD_BEGIN;
    }
    rank->waves = f->waves;
}

/* All records that came have been fed. */
static void begin_folding(struct ork_fold *f)
{
    if (!ork_fold_is_on(f))
        return;
    for (uint32_t r = 0; r < f->nprocs; r++)
        catch_up(f, r);
    if (!ork_detector_may_repeat(f->d)) {
        ork_fold_rest(f);
    } else if (f->sink.may_fold != NULL && !f->sink.may_fold(f->sink.context)) {
        f->num_found = 0;
        for (uint32_t r = 0; r < f->nprocs; r++)
            ork_period_wait(&f->rank[r].period);
    }
}

/* Is it a call of few ranks, and another one of all others? Typically one of them is the root. */
static bool log_wave(struct logged *l, const struct ork_group_record *group_record, uint32_t n)
{
    unsigned few = n == 2 && group_record[1].num_spans < group_record[0].num_spans;

    if (n > 2 || (n == 2 && group_record[few].num_spans > LOGGED_SPANS))
        return false;
    l->others = group_record[n == 2 ? !few : 0].call;
    l->num_spans = n == 2 ? group_record[few].num_spans : 0;
    if (l->num_spans == 0)
        return true;
    l->some = group_record[few].call;
    memcpy(l->span, group_record[few].span, l->num_spans * sizeof(l->span[0]));
    return true;
}

void ork_fold_note_wave(struct ork_fold *f, const struct ork_group_record *group_record, uint32_t n)
{
    if (f->is_stopped)
        return;
    ORK_ASSERT(!ork_fold_is_on(f));
    if (!log_wave(&f->wave[f->waves % LOGGED], group_record, n))
        f->unlogged = f->waves + 1;
    f->waves++;
    f->fed++;
}

/* ---- all records ---- */

/* Most records of a program that is not folded: they are not even looked at. */
static inline bool pass(struct ork_fold *f, struct rank *rank, size_t n)
{
    struct period *p = &rank->period;

    if (rank->waves != f->waves || f->num_found == f->nprocs)
        return false;
    if (p->stage == PERIOD_FOUND) {
        ork_period_skip(p, n);
        rank->fed = p->at;
        return true;
    }
    if (p->stage != PERIOD_REST || p->left <= n)
        return false;
    p->left -= (uint32_t)n;
    return true;
}

/* RATIONALE: after a search, a potential deadlock may have been released, or a rank may have ended.
 * From then on, records must come in the order of the run. */
static void close_fold(struct ork_fold *f)
{
    f->is_open = false;
    if (ork_fold_is_on(f) && !ork_detector_may_repeat(f->d))
        ork_fold_rest(f);
}

/* Not every rank has a period, and iterations do not differ in choices only. */
static enum ork_status take_plain(struct ork_fold *f, uint32_t rank,
                                  const struct ork_record *record, size_t n)
{
    size_t fed = 0, i = 0;
    enum ork_status status = ORK_OK;

    if (f->is_open)
        close_fold(f);
    if (pass(f, &f->rank[rank], n))
        return ork_fold_feed(f, rank, record, n);
    if (f->rank[rank].waves != f->waves) {
        catch_up(f, rank);
        begin_folding(f);
    }
    while (i < n && status == ORK_OK) {
        if (!ork_fold_is_on(f)) {
            i += watch(f, rank, record + i, n - i);
            if (i < n && !ork_fold_is_on(f))
                continue;
            status = ork_fold_feed(f, rank, record + fed, i - fed);
            fed = i;
            begin_folding(f);
            continue;
        }
        size_t taken;
        status = keep(f, rank, record + i, n - i, &taken);
        fed = i += taken;
        if (status == ORK_OK && i < n && taken == 0)
            status = break_off(f, rank);
    }
    return status;
}

enum ork_status ork_fold_take(struct ork_fold *f, uint32_t rank, const struct ork_record *record,
                              size_t n)
{
    size_t walked = 0;

    if (f->is_stopped)
        return ork_fold_feed(f, rank, record, n);
    ORK_ASSERT(rank < f->nprocs);
    if (f->walk != NULL || (!ork_fold_is_on(f) && ork_walk_begins(f, n))) {
        enum ork_status status = ork_walk_take(f, rank, record, n, &walked);
        if (status != ORK_OK || walked == n)
            return status;
    }
    return take_plain(f, rank, record + walked, n - walked);
}

/* Do `times` times these records go on with the period, which every rank has? RATIONALE: two
 * sequences with periods p and q that agree in p + q places are equal (Fine and Wilf, Uniqueness
 * theorems for periodic functions, 1965). */
static bool goes_on(const struct ork_fold *f, const struct rank *rank,
                    const struct ork_record *record, size_t n, uint64_t times)
{
    const struct period *p = &rank->period;

    if (f->is_open || !ork_fold_is_on(f) || rank->waves != f->waves || rank->fed > 0 ||
        n * times < n + p->length)
        return false;
    return ork_period_repeats(p, record, n);
}

/* Not every rank has a period, and this one has its own, or looks for none at present. */
static bool may_go_alone(const struct ork_fold *f, const struct rank *rank)
{
    const struct period *p = &rank->period;

    return !f->is_open && !f->is_stopped && !ork_fold_is_on(f) && rank->waves == f->waves &&
           (p->stage == PERIOD_FOUND || p->stage == PERIOD_REST);
}

static bool may_be_period(const struct ork_fold *f, const struct period *p,
                          const struct ork_record *record, size_t n, uint64_t times)
{
    /* RATIONALE: so many repetitions are worth an attempt, whatever came of earlier ones. */
    uint64_t doubt = f->doubt < WORTH * n ? f->doubt : WORTH * n;
    uint64_t least = p->least > doubt ? p->least : doubt;

    if (times < 4 || n * times < REPEATED_MIN || n * times < least || n > f->longest)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!ork_record_may_repeat(&record[i]))
            return false;
    }
    return ork_period_may_begin(record) && ork_wildcards_may_repeat(record, (uint32_t)n, NULL);
}

/* The rank looks for its period, or has one which may have ended: is this one? RATIONALE: the rank
 * has found it. */
static void adopt(struct ork_fold *f, uint32_t r, const struct ork_record *record, size_t n,
                  uint64_t times)
{
    if (f->is_open || f->is_stopped || ork_fold_is_on(f))
        return;
    struct rank *rank = &f->rank[r];
    struct period *p = &rank->period;
    bool had = p->stage == PERIOD_FOUND;
    if (rank->waves != f->waves || p->stage == PERIOD_REST ||
        !may_be_period(f, p, record, n, times) || (had && ork_period_repeats(p, record, n)) ||
        !ork_period_set(p, record, (uint32_t)n))
        return;
    f->num_found += !had;
    begin_period(f, rank);
    begin_folding(f);
}

static enum ork_status go_alone(struct ork_fold *f, uint32_t r, const struct ork_record *record,
                                size_t n, uint64_t times)
{
    struct rank *rank = &f->rank[r];
    struct period *p = &rank->period;

    if (p->stage == PERIOD_FOUND) {
        ork_period_skip(p, n * times);
        rank->fed = p->at;
    } else if (p->left > n * times) {
        p->left -= (uint32_t)(n * times);
    } else {
        p->stage = PERIOD_BEGIN;
    }
    return ork_fold_feed_times(f, r, record, n, times);
}

enum ork_status ork_fold_take_repeated(struct ork_fold *f, uint32_t rank,
                                       const struct ork_record *record, size_t n, uint64_t times)
{
    enum ork_status status = ORK_OK;

    if (!f->is_stopped && f->walk == NULL && f->rank[rank].period.stage == PERIOD_FOUND)
        adopt(f, rank, record, n, times);
    for (; times > 0 && status == ORK_OK; times--) {
        if (f->walk == NULL && goes_on(f, &f->rank[rank], record, n, times))
            return keep_many(f, rank, n * times);
        if (f->walk == NULL && may_go_alone(f, &f->rank[rank]))
            return go_alone(f, rank, record, n, times);
        status = ork_fold_take(f, rank, record, n);
        if (status == ORK_OK && f->walk == NULL)
            adopt(f, rank, record, n, times - 1);
    }
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Why this is right: the detector's state depends only on how many records of each rank it got, and
 * one repetition of all blocks, fed in the order of the ranks, led from a state to an equal one. So
 * each further repetition would, too. Invariant: while `is_known`, the detector is in that state;
 * whatever is fed or looked at otherwise ends it. */
#include "fold/fold.h"

#include "common/assert.h"
#include "fold/period.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRIES = 8,  /* repetitions that are fed to find an equal state */
    STALLS = 8, /* steps in a row without an equal state, although something was fed for it */
    WORTH = 16, /* fewer folded iterations in a row are not worth the attempt */
    PERIOD_MAX = 8192, /* records */
    PERIOD_MIN = 16,   /* is always looked for */
    LOGGED = 64,       /* collective calls of all ranks */
    LOGGED_SPANS = 4,
    STATE_WORDS = 1 << 18, /* and for each rank, up to a limit */
    STATE_WORDS_OF_RANK = 1 << 11,
    STATE_WORDS_MAX = 1 << 24,
};
/* Of all blocks together. */
#define BLOCK_BYTES (UINT64_C(64) << 20)

/* RATIONALE: what nearly every record needs is in the first cache line. */
struct rank {
    uint64_t wholes; /* repetitions that are kept back; after them, the block's records fed .. at */
    uint64_t waves;  /* it has looked at so many; all while the fold is on */
    uint32_t fed;    /* records of the present repetition that were fed; then wholes is 0 */
    struct period period;
};

/* A collective call of all ranks: `some` made this one, in the spans. */
struct logged {
    struct ork_record some, others;
    uint32_t num_spans;
    struct ork_span span[LOGGED_SPANS];
};

struct ork_fold {
    struct ork_detector *d;
    struct ork_fold_sink sink;
    uint32_t nprocs, longest;
    struct rank *rank;
    uint32_t num_found; /* ranks with a period */
    uint32_t num_ready; /* ranks with `multiple` whole repetitions */
    bool is_stopped;
    /* A state before a repetition of all ranks, and the latest one. If they are known to be equal,
     * there are `multiple` repetitions between them; else this is 1. */
    struct ork_detector_state state[2];
    bool has_state, is_known;
    uint32_t multiple;
    uint32_t noted; /* try at which the first state was written */
    uint32_t tries, stalls;
    uint64_t block_records; /* of all ranks */
    uint64_t waves;         /* collective calls of all ranks, of which the latest are here, */
    uint64_t unlogged;      /* but none up to this one */
    struct logged wave[LOGGED];
    uint64_t folded; /* iterations since the blocks were found */
    bool has_moved;  /* since the latest step, all ranks gave a repetition */
    struct ork_fold_counts counts;
};

enum ork_status ork_fold_create(struct ork_detector *d, uint32_t nprocs,
                                const struct ork_fold_sink *sink, struct ork_fold **out)
{
    struct ork_fold *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return ORK_NOMEM;
    f->rank = calloc(nprocs, sizeof(*f->rank));
    if (f->rank == NULL) {
        free(f);
        return ORK_NOMEM;
    }
    f->d = d;
    f->multiple = 1;
    f->nprocs = nprocs;
    f->sink = *sink;
    uint64_t longest = BLOCK_BYTES / sizeof(struct ork_record) / nprocs;
    longest = longest > PERIOD_MAX ? PERIOD_MAX : longest;
    f->longest = longest < PERIOD_MIN ? PERIOD_MIN : (uint32_t)longest;
    for (uint32_t r = 0; r < nprocs; r++)
        f->rank[r].period.stage = PERIOD_BEGIN;
    *out = f;
    return ORK_OK;
}

void ork_fold_destroy(struct ork_fold *f)
{
    if (f == NULL)
        return;
    for (uint32_t r = 0; r < f->nprocs; r++)
        period_release(&f->rank[r].period);
    free(f->rank);
    ork_detector_release_state(&f->state[0]);
    ork_detector_release_state(&f->state[1]);
    free(f);
}

bool ork_fold_is_on(const struct ork_fold *f)
{
    return !f->is_stopped && f->num_found == f->nprocs;
}

struct ork_fold_counts ork_fold_counts(const struct ork_fold *f)
{
    return f->counts;
}

static enum ork_status feed(struct ork_fold *f, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    return n > 0 ? f->sink.feed(f->sink.context, rank, record, n) : ORK_OK;
}

static void forget_state(struct ork_fold *f)
{
    f->has_state = f->is_known = false;
    f->tries = f->noted = 0;
    f->multiple = 1;
}

/* ---- feeding what is kept back ---- */

static enum ork_status unfold_rank(struct ork_fold *f, uint32_t r)
{
    struct rank *rank = &f->rank[r];
    const struct period *p = &rank->period;
    enum ork_status status = ORK_OK;

    if (p->stage != PERIOD_FOUND)
        return ORK_OK;
    ORK_ASSERT(rank->wholes == 0 || rank->fed == 0);
    for (; rank->wholes > 0 && status == ORK_OK; rank->wholes--)
        status = feed(f, r, p->block, p->length);
    if (status == ORK_OK)
        status = feed(f, r, p->block + rank->fed, p->at - rank->fed);
    rank->fed = p->at;
    return status;
}

enum ork_status ork_fold_unfold(struct ork_fold *f)
{
    enum ork_status status = ORK_OK;

    forget_state(f);
    if (!ork_fold_is_on(f))
        return ORK_OK;
    for (uint32_t r = 0; r < f->nprocs && status == ORK_OK; r++)
        status = unfold_rank(f, r);
    f->num_ready = 0;
    return status;
}

/* Nothing comes of these blocks. */
static void rest(struct ork_fold *f)
{
    f->counts.given_up++;
    f->stalls = 0;
    f->num_found = 0;
    for (uint32_t r = 0; r < f->nprocs; r++)
        period_give_up(&f->rank[r].period);
}

static enum ork_status give_up(struct ork_fold *f)
{
    enum ork_status status = ork_fold_unfold(f);

    rest(f);
    return status;
}

enum ork_status ork_fold_stop(struct ork_fold *f)
{
    enum ork_status status = ork_fold_unfold(f);

    f->is_stopped = true;
    return status;
}

enum ork_status ork_fold_step(struct ork_fold *f, bool *is_steady)
{
    bool has_moved = f->has_moved;

    f->has_moved = false;
    *is_steady = f->is_known && has_moved;
    if (*is_steady || !ork_fold_is_on(f))
        return ORK_OK;
    /* RATIONALE: to write the state of many ranks takes time, and is lost if they are slow. */
    f->stalls += f->tries > 0;
    return f->stalls > STALLS ? give_up(f) : ork_fold_unfold(f);
}

/* ---- repetitions of all ranks ---- */

static void count_ready(struct ork_fold *f)
{
    f->num_ready = 0;
    for (uint32_t r = 0; r < f->nprocs; r++)
        f->num_ready += f->rank[r].wholes >= f->multiple;
}

/* Take so many repetitions from each rank. */
static void consume(struct ork_fold *f, uint64_t repetitions)
{
    for (uint32_t r = 0; r < f->nprocs; r++) {
        ORK_ASSERT(f->rank[r].wholes >= repetitions);
        f->rank[r].wholes -= repetitions;
    }
    count_ready(f);
    f->has_moved = true;
}

static void fold_some(struct ork_fold *f)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t r = 0; r < f->nprocs; r++)
        least = f->rank[r].wholes < least ? f->rank[r].wholes : least;
    uint64_t times = least / f->multiple, repetitions = times * f->multiple;
    consume(f, repetitions);
    ork_detector_repeat(f->d, &f->state[0], &f->state[1], times);
    f->folded += repetitions;
    f->stalls = 0;
    f->counts.iterations += repetitions;
    f->counts.records += repetitions * f->block_records;
}

static enum ork_status feed_one_each(struct ork_fold *f)
{
    enum ork_status status = ORK_OK;

    f->block_records = 0;
    for (uint32_t r = 0; r < f->nprocs && status == ORK_OK; r++) {
        status = feed(f, r, f->rank[r].period.block, f->rank[r].period.length);
        f->block_records += f->rank[r].period.length;
    }
    consume(f, 1);
    return status;
}

static bool write_state(struct ork_fold *f, struct ork_detector_state *state)
{
    uint64_t limit = STATE_WORDS + (uint64_t)STATE_WORDS_OF_RANK * f->nprocs;

    return ork_detector_state(f->d, limit < STATE_WORDS_MAX ? limit : STATE_WORDS_MAX, state);
}

/* The latest state becomes the one that later ones are compared with. */
static void note_state(struct ork_fold *f)
{
    const struct ork_detector_state older = f->state[0];

    f->state[0] = f->state[1];
    f->state[1] = older;
    f->noted = f->tries;
}

/* Feed one repetition of each rank. Is the state then equal to the one that was noted? RATIONALE:
 * ranks that wait for the same collective call continue in the opposite order, so two repetitions
 * may be needed. */
static enum ork_status try_one(struct ork_fold *f)
{
    bool had_state = f->has_state;
    if (!had_state) {
        had_state = write_state(f, &f->state[0]);
        f->noted = f->tries;
    }
    enum ork_status status = feed_one_each(f);

    if (status != ORK_OK)
        return status;
    f->has_state = write_state(f, &f->state[1]);
    f->tries += f->has_state ? 1 : TRIES / 3;
    if (had_state && f->has_state && ork_detector_is_same_state(&f->state[0], &f->state[1])) {
        f->is_known = true;
        f->multiple = f->tries - f->noted;
        f->counts.blocks++;
        count_ready(f);
        return ORK_OK;
    }
    if (f->has_state && (!had_state || f->tries >= 2 * f->noted + 1))
        note_state(f);
    return f->tries >= TRIES ? give_up(f) : ORK_OK;
}

static enum ork_status go_on(struct ork_fold *f)
{
    enum ork_status status = ORK_OK;

    while (f->num_ready == f->nprocs && status == ORK_OK) {
        if (f->is_known)
            fold_some(f);
        else
            status = try_one(f);
    }
    return status;
}

/* ---- records ---- */

/* The rank goes on otherwise, and most likely the others will, too. */
static enum ork_status break_off(struct ork_fold *f, uint32_t r)
{
    enum ork_status status = ork_fold_unfold(f);

    for (uint32_t i = 0; i < f->nprocs; i++) {
        struct period *p = &f->rank[i].period;
        p->failures = f->folded >= WORTH ? 0 : p->failures;
        if (i == r)
            period_break(p);
        else
            period_doubt(p);
    }
    f->num_found = 0;
    f->folded = 0;
    return status;
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
        *taken = period_match(p, record, n < rest ? n : rest);
        rank->fed = p->at;
        return feed(f, r, record, *taken);
    }
    *taken = period_match(p, record, n);
    uint64_t wholes = (at + *taken) / p->length;
    if (wholes == 0)
        return ORK_OK;
    f->num_ready += rank->wholes < f->multiple && rank->wholes + wholes >= f->multiple;
    rank->wholes += wholes;
    return go_on(f);
}

/* Look at records that are fed at once, until all ranks have a period. Returns their number. */
static size_t watch(struct ork_fold *f, uint32_t r, const struct ork_record *record, size_t n)
{
    struct rank *rank = &f->rank[r];
    struct period *p = &rank->period;

    if (p->stage == PERIOD_FOUND) { /* RATIONALE: if it has ended, this comes out when it counts */
        period_skip(p, n);
        rank->fed = p->at;
        return n;
    }
    size_t taken = period_watch(p, record, n, f->longest);
    if (p->stage == PERIOD_FOUND) {
        rank->wholes = 0;
        rank->fed = p->at;
        f->num_found++;
        f->folded = 0;
        forget_state(f);
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
        period_skip(p, behind);
        rank->fed = p->at;
    } else if (behind <= LOGGED && rank->waves >= f->unlogged) {
        for (uint64_t i = rank->waves; i < f->waves; i++)
            watch(f, r, call_in(&f->wave[i % LOGGED], r), 1);
    } else if (p->stage != PERIOD_REST) {
        p->stage = PERIOD_BEGIN;
    }
    rank->waves = f->waves;
}

/* There is little to save then. */
static bool is_mostly_collective(const struct ork_fold *f)
{
    uint64_t records = 0, collective = 0;

    for (uint32_t r = 0; r < f->nprocs && f->waves > 0; r++) {
        const struct period *p = &f->rank[r].period;
        records += p->length;
        for (uint32_t i = 0; i < p->length; i++)
            collective += p->block[i].kind == ORK_KIND_COLL;
    }
    return collective > records / 4 * 3;
}

/* All records that came have been fed. */
static void begin_folding(struct ork_fold *f)
{
    if (!ork_fold_is_on(f))
        return;
    for (uint32_t r = 0; r < f->nprocs; r++)
        catch_up(f, r);
    if (!ork_detector_may_repeat(f->d) || is_mostly_collective(f) ||
        (f->sink.may_fold != NULL && !f->sink.may_fold(f->sink.context)))
        rest(f);
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
}

/* ---- all records ---- */

enum ork_status ork_fold_take(struct ork_fold *f, uint32_t rank, const struct ork_record *record,
                              size_t n)
{
    size_t fed = 0, i = 0;
    enum ork_status status = ORK_OK;

    if (f->is_stopped)
        return feed(f, rank, record, n);
    ORK_ASSERT(rank < f->nprocs);
    if (f->rank[rank].waves != f->waves) {
        catch_up(f, rank);
        begin_folding(f);
    }
    while (i < n && status == ORK_OK) {
        if (!ork_fold_is_on(f)) {
            i += watch(f, rank, record + i, n - i);
            if (i < n && !ork_fold_is_on(f))
                continue;
            status = feed(f, rank, record + fed, i - fed);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions of all ranks.
 *
 * Why counting is right: the detector's next state depends only on its state and on the records
 * that it gets, and one repetition of all blocks, fed in the order of the ranks, led from a state
 * to an equal one. So each further repetition would, too. Invariant: while `is_known`, the detector
 * is in that state; whatever is fed or looked at otherwise ends it. */
#include "detector/fold/internal.h"

enum {
    TRIES = 8,     /* repetitions that are fed to find an equal state */
    QUEUED = 1024, /* records behind calls, and of each block, with which an attempt is made */
    QUEUED_BLOCKS = 4,
    KEPT = 2, /* equal states */
};

static void count_ready(struct ork_fold *f)
{
    f->num_ready = 0;
    for (uint32_t r = 0; r < f->nprocs; r++)
        f->num_ready += f->rank[r].wholes >= ork_fold_enough(f);
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
    uint64_t times = (least - f->kept) / f->multiple, repetitions = times * f->multiple;
    consume(f, repetitions);
    ork_detector_rest_history(f->d);
    ork_detector_repeat(f->d, &f->state[0].detector, &f->state[1].detector, times);
    f->folded += repetitions;
    f->stalls = 0;
    f->plain = 0;
    f->counts.iterations += repetitions;
    f->counts.records += repetitions * f->block_records;
}

static enum ork_status feed_one_each(struct ork_fold *f)
{
    enum ork_status status = ORK_OK;

    f->block_records = 0;
    for (uint32_t r = 0; r < f->nprocs && status == ORK_OK; r++) {
        status = ork_fold_feed(f, r, f->rank[r].period.block, f->rank[r].period.length);
        f->block_records += f->rank[r].period.length;
    }
    consume(f, 1);
    return status;
}

/* The latest state becomes the one that later ones are compared with. */
static void note_state(struct ork_fold *f)
{
    const struct folded_state older = f->state[0];

    f->state[0] = f->state[1];
    f->state[1] = older;
    f->noted = f->tries;
}

static bool starts_may_repeat(struct ork_fold *f)
{
    bool may = true;

    for (uint32_t r = 0; r < f->nprocs && may; r++) {
        const struct period *p = &f->rank[r].period;
        may = ork_fold_starts_may_repeat(f, r, p->block, p->length);
    }
    return may;
}

/* Feed one repetition of each rank. Is the state then equal to the one that was noted? RATIONALE:
 * ranks that wait for the same collective call continue in the opposite order, so two repetitions
 * may be needed. */
static enum ork_status try_one(struct ork_fold *f)
{
    bool had_state = f->has_state;
    if (!had_state) {
        had_state = ork_fold_write_state(f, &f->state[0]);
        f->noted = f->tries;
    }
    enum ork_status status = feed_one_each(f);

    if (status != ORK_OK)
        return status;
    f->has_state = ork_fold_write_state(f, &f->state[1]);
    f->tries += f->has_state ? 1 : TRIES / 3;
    if (had_state && f->has_state && ork_fold_is_same(&f->state[0], &f->state[1])) {
        if (!starts_may_repeat(f))
            return ork_fold_give_up(f);
        f->is_known = true;
        f->multiple = f->tries - f->noted;
        /* RATIONALE: the history begins anew after the repetitions. Receives with wildcards in the
         * latest ones may decide what comes of the calls after the loop. */
        f->kept = ork_detector_has_wildcards(f->d) ? KEPT * f->multiple : 0;
        f->counts.blocks++;
        count_ready(f);
        return ORK_OK;
    }
    if (f->has_state && (!had_state || f->tries >= 2 * f->noted + 1))
        note_state(f);
    return f->tries >= TRIES ? ork_fold_give_up(f) : ORK_OK;
}

/* RATIONALE: the records of a rank come in large batches, so when the last rank gets its period,
 * others are far ahead. The state would be long, and stay so. */
static bool is_far_apart(const struct ork_fold *f)
{
    uint64_t records = 0;

    for (uint32_t r = 0; r < f->nprocs; r++)
        records += f->rank[r].period.length;
    return ork_detector_counts(f->d).queued > QUEUED + QUEUED_BLOCKS * records;
}

/* Feed one repetition of each rank that has little behind its calls. *has_fed: there is one. */
static enum ork_status feed_those_behind(struct ork_fold *f, bool *has_fed)
{
    enum ork_status status = ORK_OK;

    *has_fed = false;
    for (uint32_t r = 0; r < f->nprocs && status == ORK_OK; r++) {
        struct rank *rank = &f->rank[r];
        const struct period *p = &rank->period;
        if (rank->wholes == 0 || ork_detector_queued(f->d, r) > p->length)
            continue;
        rank->wholes--;
        *has_fed = f->has_moved = true;
        status = ork_fold_feed(f, r, p->block, p->length);
    }
    return status;
}

/* RATIONALE: to feed what all ranks have would leave them as far apart as they are. */
static enum ork_status bring_together(struct ork_fold *f)
{
    enum ork_status status = ORK_OK;
    bool has_fed = true;

    ORK_ASSERT(!f->has_state);
    while (status == ORK_OK && has_fed && is_far_apart(f))
        status = feed_those_behind(f, &has_fed);
    count_ready(f);
    return status == ORK_OK && f->num_ready == f->nprocs && !has_fed ? ork_fold_unfold(f) : status;
}

enum ork_status ork_fold_go_on(struct ork_fold *f)
{
    enum ork_status status = ORK_OK;

    while (f->num_ready == f->nprocs && status == ORK_OK) {
        if (f->is_known)
            fold_some(f);
        else if (!f->has_state && is_far_apart(f))
            status = bring_together(f);
        else
            status = try_one(f);
    }
    return status;
}

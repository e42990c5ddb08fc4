/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a fold: fold.c takes records, repetition.c folds, alone.c folds what one rank repeats,
 * walk.c what differs in choices, state.c compares states, unfold.c feeds what was kept back. */
#ifndef ORK_FOLD_INTERNAL_H
#define ORK_FOLD_INTERNAL_H

#include "common/assert.h"
#include "detector/fold/fold.h"
#include "detector/fold/period.h"

enum {
    LOGGED = 64, /* collective calls of all ranks */
    LOGGED_SPANS = 4,
    WALK_AFTER = 1 << 16, /* records that were only fed, since something was counted */
};

/* A repetition of one rank alone that leads from a state to an equal one: see alone.c. */
struct alone {
    struct ork_record *block;
    size_t length;
    uint64_t fed;                            /* that state: as in struct ork_fold */
    struct ork_detector_state before, after; /* of the counts, without their words */
    uint64_t words;                          /* of all that, in memory */
};

/* RATIONALE: what nearly every record needs is in the first cache line: with thousands of ranks,
 * each line is fetched. */
struct rank {
    /* repetitions that are kept back; after them, the block's records fed .. at */
    _Alignas(64) uint64_t wholes;
    uint64_t waves; /* it has looked at so many; all while the fold is on */
    uint32_t fed;   /* records of the present repetition that were fed; then wholes is 0 */
    /* see alone.c: so often without a try; and after the next one that is in vain */
    uint32_t pause, next_pause;
    uint64_t untried; /* repeated records of this rank alone that were fed since the latest try */
    struct alone *alone; /* NULL: none */
    struct period period;
};

/* A collective call of all ranks: `some` made this one, in the spans. */
struct logged {
    struct ork_record some, others;
    uint32_t num_spans;
    struct ork_span span[LOGGED_SPANS];
};

/* Of the detector, and of what else follows the records. */
struct folded_state {
    struct ork_detector_state detector;
    struct ork_words other;
};

struct walk;
struct ork_fold {
    struct ork_detector *d;
    struct ork_fold_sink sink;
    uint32_t nprocs, longest;
    struct rank *rank;
    uint32_t num_found; /* ranks with a period */
    uint32_t num_ready; /* ranks with enough whole repetitions */
    bool is_stopped;
    bool is_open; /* nothing is kept back, and since then the detector may have been changed */
    /* A state before a repetition of all ranks, and the latest one. If they are known to be equal,
     * there are `multiple` repetitions between them; else this is 1. */
    struct folded_state state[2];
    bool has_state, is_known;
    uint32_t multiple;
    uint32_t kept;  /* repetitions of each rank that are not counted, but fed when it goes on */
    uint32_t noted; /* try at which the first state was written */
    uint32_t tries, stalls;
    uint64_t words;         /* of the state that was written last */
    uint64_t fed;           /* changes with the state: feeds, and looks from outside */
    uint64_t alone_words;   /* of what is known of all ranks alone */
    uint64_t block_records; /* of all ranks */
    uint64_t waves;         /* collective calls of all ranks, of which the latest are here, */
    uint64_t unlogged;      /* but none up to this one */
    struct logged wave[LOGGED];
    uint64_t folded;   /* iterations since the blocks were found */
    uint32_t doubt;    /* records for which a period has to go on when that of another rank ends */
    bool has_moved;    /* since the latest step, some ranks or all gave a repetition */
    struct walk *walk; /* NULL: there is none; then one begins after so many records, */
    uint64_t walk_after, walk_first; /* at first */
    uint64_t plain;                  /* if so many more were only fed */
    struct ork_fold_counts counts;
};

static inline enum ork_status ork_fold_feed(struct ork_fold *f, uint32_t rank,
                                            const struct ork_record *record, size_t n)
{
    f->fed += n > 0;
    return n > 0 ? f->sink.feed(f->sink.context, rank, record, n) : ORK_OK;
}

/* Repetitions that each rank must have before they are used. */
static inline uint64_t ork_fold_enough(const struct ork_fold *f)
{
    return (uint64_t)f->multiple + f->kept;
}

/* False: incomparable. */
bool ork_fold_write_state(struct ork_fold *f, struct folded_state *state);
bool ork_fold_is_same(const struct folded_state *a, const struct folded_state *b);
/* One repetition of the block led to an equal state. Will further ones, whichever order the records
 * of other ranks come in? RATIONALE: only now it is known by which calls the persistent requests
 * were made, because nothing else than the block is queued. */
bool ork_fold_starts_may_repeat(struct ork_fold *f, uint32_t r, const struct ork_record *block,
                                size_t n);

/* What is known of the rank alone. */
void ork_fold_forget_alone(struct ork_fold *f, struct rank *rank);
/* Feed these records of a rank so many times, or count them if they lead to an equal state. No
 * state is known. */
enum ork_status ork_fold_feed_times(struct ork_fold *f, uint32_t r, const struct ork_record *record,
                                    size_t n, uint64_t times);

/* Something else than a repetition of all ranks comes, or may have come. */
void ork_fold_forget_state(struct ork_fold *f);
/* Nothing comes of these blocks: look for others, later and later. Nothing is kept back. */
void ork_fold_rest(struct ork_fold *f);
/* The same after unfolding. */
enum ork_status ork_fold_give_up(struct ork_fold *f);

/* Use what all ranks have. */
enum ork_status ork_fold_go_on(struct ork_fold *f);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Folding: repeated iterations of a program are counted instead of analysed. It stands before a
 * detector, and keeps records back as long as each rank repeats its block of records and the
 * detector would return to an equal state. Pure: no MPI, no I/O, no clock.
 * docs/explanation/folding.md. */
#ifndef ORK_FOLD_H
#define ORK_FOLD_H

#include "detector/detector.h"

struct ork_fold;

struct ork_fold_sink {
    void *context;
    /* Feed records to the detector, and to whatever else follows them. */
    enum ork_status (*feed)(void *context, uint32_t rank, const struct ork_record *record,
                            size_t n);
    /* May records be left out now? Asked when each rank has a period. NULL: always. */
    bool (*may_fold)(void *context);
    /* Write what else follows the records, as ork_detector_state() writes the detector. NULL:
     * nothing that matters. */
    bool (*state)(void *context, size_t limit, struct ork_words *state);
};

/* `d` has `nprocs` ranks, and gets no record otherwise, except for ork_fold_note_wave(). The caller
 * owns *out and gives it back with ork_fold_destroy(). ORK_NOMEM. */
enum ork_status ork_fold_create(struct ork_detector *d, uint32_t nprocs,
                                const struct ork_fold_sink *sink, struct ork_fold **out);
/* Look for iterations that differ in choices after so many records that were only fed. */
void ork_fold_set_walk_after(struct ork_fold *f, uint64_t records);
/* NULL is allowed. */
void ork_fold_destroy(struct ork_fold *f);

/* Take the next records of a rank: feed them, keep them back, or count them. Returns what feeding
 * returns. */
enum ork_status ork_fold_take(struct ork_fold *f, uint32_t rank, const struct ork_record *record,
                              size_t n);
/* The same records so many times in a row. */
enum ork_status ork_fold_take_repeated(struct ork_fold *f, uint32_t rank,
                                       const struct ork_record *record, size_t n, uint64_t times);
/* Does each rank repeat a block? Then every record has to come to ork_fold_take(). */
bool ork_fold_is_on(const struct ork_fold *f);
/* Is it on, and do further repetitions lead to equal states, so that they are counted? */
bool ork_fold_is_counting(const struct ork_fold *f);
/* A collective call that all ranks made, and that was fed at once. Not while the fold is on. */
void ork_fold_note_wave(struct ork_fold *f, const struct ork_group_record *group_record,
                        uint32_t n);

/* Feed all that is kept back: the detector then is where it would be without folding. To be called
 * before it is examined or changed. What feeding returns. */
enum ork_status ork_fold_unfold(struct ork_fold *f);
/* Since the latest step, has something been taken away of what is kept back? */
bool ork_fold_has_moved(const struct ork_fold *f);
/* Some time has passed. *is_steady: since the latest step, all ranks have repeated what leads to an
 * equal state, so none of them is deadlocked; or each rank has made a call, so none of them was
 * deadlocked at the latest steady step. If not, all that was kept back is fed now, or with
 * `may_wait` later. Returns what feeding returns. */
enum ork_status ork_fold_step(struct ork_fold *f, bool may_wait, bool *is_steady);
/* Unfold, and fold no more. Records may name any rank from now on. */
enum ork_status ork_fold_stop(struct ork_fold *f);

struct ork_fold_counts {
    uint64_t records;    /* that were counted only */
    uint64_t iterations; /* of all ranks, that were counted only */
    uint64_t blocks;     /* different iterations that lead to an equal state */
    uint64_t given_up;   /* attempts without one */
    uint64_t walked;     /* records of `records` that belong to iterations with other choices */
};
struct ork_fold_counts ork_fold_counts(const struct ork_fold *f);

#endif

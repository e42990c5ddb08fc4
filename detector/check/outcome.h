/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that are longer than their receives, until the run shows the outcome of the receive: one
 * that returned MPI_SUCCESS took another message than the detector supposed. */
#ifndef ORK_DETECTOR_OUTCOME_H
#define ORK_DETECTOR_OUTCOME_H

#include "detector/state/state.h"

struct open_issue {
    uint32_t issue;
    /* One of these two: a call of the thread will show the outcome, or already completes it; or a
     * call that completes the request will. */
    struct mpi_thread *thread;
    struct request *request;
};

/* Does the run show already that `receive` took a message that was not too long? */
bool ork_outcome_is_success(const struct op *receive);
/* Issue number `issue`, or one of its repeats, is about `receive`. */
void ork_outcome_await(struct ork_detector *d, uint32_t issue, const struct op *receive);

void ork_outcome_settle(struct mpi_thread *th, bool has_failed);
void ork_outcome_hand_over(struct mpi_thread *th, struct request *r);
void ork_outcome_forget(struct ork_detector *d, const struct request *r);

/* The latest call of `th` has returned. */
static inline void ork_outcome_of_call(struct mpi_thread *th, bool has_failed)
{
    if (__builtin_expect(th->proc->d->issues.num_open > 0, 0))
        ork_outcome_settle(th, has_failed);
}
/* The call of `th` completes the request. */
static inline void ork_outcome_complete(struct mpi_thread *th, struct request *r)
{
    if (__builtin_expect(th->proc->d->issues.num_open > 0, 0))
        ork_outcome_hand_over(th, r);
}
/* No call will show the outcome of the operation of this request. */
static inline void ork_outcome_end(struct ork_detector *d, const struct request *r)
{
    if (__builtin_expect(d->issues.num_open > 0, 0))
        ork_outcome_forget(d, r);
}

#endif

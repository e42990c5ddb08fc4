/* SPDX-License-Identifier: BSD-3-Clause */
/* Choice points of this rank (docs/explanation/order.md): numbers them, records their outcomes, and
 * compares them with the recorded ones in a replay. All functions are called with the recorder's
 * lock held. */
#ifndef ORK_CHOICE_H
#define ORK_CHOICE_H

#include "interceptor/site/places.h"
#include "interceptor/site/site.h"
#include "order/file/order.h"

#include <mpi.h>

/* Call once, when the ring exists. If there is no memory, no order is recorded. */
void ork_choice_init(void);
bool ork_choices_are_recorded(void);

/* A call of the calling thread posted a wildcard receive with this request; or is about to cancel
 * an operation that is none. `ordinal`: of a nonblocking receive; 0: it is none of them. */
void ork_choice_posted(uint32_t request);
void ork_choice_cancels(uint32_t request, uint32_t ordinal);
/* The outcome of such an operation in the recording of a replay, or NULL. */
const struct ork_choice *ork_choice_recorded(enum ork_choice_kind kind, uint32_t request);

/* Is it the outcome of this request? */
bool ork_choice_names(const struct ork_choice *choice, uint32_t request);

/* A call that received without a request has returned; status NULL: it failed, and got no message.
 * RATIONALE: a call that fails is a choice, too, because in a replay it must not get the outcome of
 * the one that follows. */
void ork_choice_received(const struct ork_call *call, const MPI_Status *status);
/* A completing call has returned: this request was a posted wildcard receive; or is none, and
 * MPI_Cancel had been called for it. */
void ork_choice_completed(const struct ork_call *call, uint32_t request, const MPI_Status *status,
                          bool cancelled);
void ork_choice_cancelled(const struct ork_call *call, uint32_t request, bool cancelled);
/* A probe was successful. */
void ork_choice_probed(const struct ork_call *call, int source, int tag);
/* A Test call, or MPI_Waitany or MPI_Waitsome, has completed these requests of its array. */
void ork_choice_tested(const struct ork_call *call, const int *index, int count);
void ork_choice_waited(const struct ork_call *call, const int *index, int count);

/* A window lock was taken (ORK_CHOICE_LOCK), or is released (ORK_CHOICE_LATE_LOCK). `thread` has
 * taken it, as its lock with this ordinal, from 1; target: ORK_NO_PEER: all; `number`: of the
 * conflicting sections that were granted before (locks.h). */
void ork_choice_locked(const struct ork_call *call, enum ork_choice_kind kind, uint32_t thread,
                       uint64_t ordinal, int32_t target, int32_t number);
/* The calling thread's next lock, or ordered atomic, has failed. `number`: it was counted all the
 * same, because others wait for that; or ORK_CHOICE_FAILED. */
void ork_choice_lock_failed(const struct ork_call *call, int32_t target, int32_t number);

/* `extra` of a record that names this choice of the calling thread, the first one of its call; it
 * is written next. 0: none. RATIONALE: not its number, because then no iteration of a loop would
 * have the records of another one. */
static inline uint64_t ork_choice_name(uint64_t number)
{
    if (number == 0)
        return 0;
    uint64_t since = number - ork_thread.named;
    ork_thread.named = number;
    return since;
}

/* The calling thread ends; MPI_Finalize is called. */
void ork_choice_end_thread(void);
void ork_choice_end(void);

#endif

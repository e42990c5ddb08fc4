/* SPDX-License-Identifier: BSD-3-Clause */
/* Which message of a matched probe a number means, in a process that may have several threads.
 *
 * A number is used again when its message is received. The strict analysis may follow the thread
 * that received it later than another thread whose probe got the number afterwards, and the thread
 * that receives a message earlier than the one that probed it. So the numbers are replaced when the
 * records arrive, in their order, by numbers that stay in use until the analysis has got there. */
#ifndef ORK_DETECTOR_MESSAGE_NAMES_H
#define ORK_DETECTOR_MESSAGE_NAMES_H

#include "detector/state/state.h"

/* `rec` has arrived, in the stream of `th`. */
void ork_message_name(struct mpi_thread *th, struct ork_record *rec);

/* May the record have to be replaced? */
static inline bool ork_message_has_name(const struct mpi_thread *th, const struct ork_record *rec)
{
    return th->proc->several_may_call &&
           (rec->kind == ORK_KIND_PROBE || rec->kind == ORK_KIND_PROBED ||
            rec->kind == ORK_KIND_MRECV || (rec->kind == ORK_KIND_EXIT && th->probes_matched));
}

/* The analysis has reached the receive of this message, and its probe. */
void ork_message_end(struct proc *p, uint32_t message);
/* `th` has reached the receive of a message, but its probe is not reached yet. */
void ork_message_receive_early(struct mpi_thread *th, const struct ork_record *rec);
/* Now it is: was it received early? */
bool ork_message_take_early(struct proc *p, uint32_t message, struct early_receive *early);
void ork_message_names_release(struct proc *p);

#endif

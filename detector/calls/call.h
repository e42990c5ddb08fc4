/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a call, see struct call_type. */
#ifndef ORK_DETECTOR_CALL_H
#define ORK_DETECTOR_CALL_H

#include "detector/graph/graph.h"
#include "detector/program/program.h"

void ork_call_enter(struct mpi_thread *th);
/* `exit` is the record of its outcome; its list is th->outcome. */
void ork_call_apply_exit(struct mpi_thread *th, const struct ork_record *exit);
/* EXIT with an error, for a call that the thread may already have left. */
void ork_call_apply_late_exit(struct mpi_thread *th, const struct ork_record *exit);
bool ork_call_is_over(struct mpi_thread *th);
void ork_call_leave(struct mpi_thread *th);
/* The run continued after the call that `th` is still in. */
void ork_call_confirm(struct mpi_thread *th);
bool ork_call_relax(struct mpi_thread *th);
bool ork_call_release_completed(struct mpi_thread *th);
/* Emit what the call waits for; returns whether it is open. */
bool ork_call_emit(struct wait_graph_builder *b, struct mpi_thread *th);
/* Append the steps of the reader's record; false if its effect is unknown. */
bool ork_call_to_steps(struct reader *r);
/* Take a record that is not a call. */
void ork_call_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a call, see struct call_type. */
#ifndef ORK_DETECTOR_CALL_H
#define ORK_DETECTOR_CALL_H

#include "detector/graph/graph.h"
#include "detector/program/program.h"

void ork_call_enter(struct mpi_thread *th);
/* `exit` is the record of its outcome; the list is th->outcome. */
void ork_call_apply_exit(struct mpi_thread *th, const struct ork_record *exit);
/* EXIT with an error, of a call that the thread may have left. */
void ork_call_apply_late_exit(struct mpi_thread *th, const struct ork_record *exit);
bool ork_call_is_over(struct mpi_thread *th);
void ork_call_leave(struct mpi_thread *th);
/* The run went past the call, in which `th` still is. */
void ork_call_confirm(struct mpi_thread *th);
bool ork_call_relax(struct mpi_thread *th);
bool ork_call_release_completed(struct mpi_thread *th);
/* Emit what it waits for; returns whether that is open. */
bool ork_call_emit(struct wait_graph_builder *b, struct mpi_thread *th);
/* The steps of the reader's record; false: what it does is not known. */
bool ork_call_to_steps(struct reader *r);
/* A record that is no call. */
void ork_call_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);

#endif

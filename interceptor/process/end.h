/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes the end of this process in its ring's memory (record/note.h): a signal that ends it, its
 * exit status, a fatal MPI error, MPI_Abort. The end itself does not change: exit status, core dump
 * and messages are the same as without a note. See docs/explanation/ends.md. */
#ifndef ORK_END_H
#define ORK_END_H

#include "record/ring.h"

#include <signal.h>

/* From now on note the exit status in this ring. Once, in the process that made it. */
void ork_end_watch(struct ork_ring *ring);

/* From now on also note signals whose disposition ends the process. RATIONALE: after MPI_Init has
 * returned, because the MPI library does not install its handler for a signal that has one. */
void ork_end_watch_signals(void);

/* The process exits with this status. */
void ork_end_note_exit(int status);
/* MPI_Abort with this error code. */
void ork_end_note_abort(int code);
/* An MPI call failed, and its error handler is MPI_ERRORS_ARE_FATAL. `call` and `text` may be
 * NULL. */
void ork_end_note_error(const char *call, uint32_t error_class, const char *text);

#endif

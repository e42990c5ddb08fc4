/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for which no receive has been posted. In a replay and in a deterministic run a rank that
 * receives may be much slower than without the tool, and the library keeps what was sent to it
 * meanwhile: its memory would grow with the length of the run. So a rank that has sent many such
 * messages to another one waits a little before its next call.
 *
 * The counts are in memory that the ranks share (record/sections.h), of communicators whose members
 * all share it. Invariant: such a wait ends by itself, and changes when a call is made, never its
 * outcome: the tool counts the rank as one that runs. */
#ifndef ORK_BACKLOG_H
#define ORK_BACKLOG_H

#include <mpi.h>
#include <stdbool.h>

/* The program's own call has sent a message, or posts a receive. Without the recorder's lock. */
void ork_backlog_sent(MPI_Comm comm, int dest);
void ork_backlog_posted(MPI_Comm comm);

/* Is a wait due? */
extern bool ork_backlog_is_long;
/* Before the next call, outside of any other. */
void ork_backlog_wait(void);

#endif

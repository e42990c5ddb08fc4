/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of the loops of a random program (loops_real.c): messages (loops_messages.c) and
 * accesses to windows (loops_windows.c). */
#ifndef ORK_FUZZ_LOOPS_REAL_H
#define ORK_FUZZ_LOOPS_REAL_H

#include <mpi.h>
#include <stdbool.h>

enum { BODY_MAX = 5, WORDS = 32, BUFFERS = 24, BATCH_MAX = 5 };
enum { OPEN_MAX = BODY_MAX * 2 * BATCH_MAX };

/* What an element of the body is, and how it differs in its special iterations. */
struct element {
    unsigned kind, batch, order, how, words, tag, buffer, turns;
    unsigned twist;
    long from, every; /* special iterations; every: 0: only one */
};

/* ---- messages ---- */

extern int rank, size, left, right;
extern double memory[BUFFERS][WORDS];
extern MPI_Request open_request[OPEN_MAX]; /* completed at the end of an iteration, */
extern MPI_Request former[2];              /* or in the next one */
extern int num_open;
extern MPI_Request never; /* a receive of a message that nobody sends */
extern MPI_Datatype column;
extern MPI_Comm own; /* of with_wildcard() */
extern MPI_Comm grid;

double *buffer_of(const struct element *e, unsigned which, long i);
void exchange(const struct element *e, long i, int source, int twist);
void make_persistent(void);
void free_persistent(void);
/* Some receives and as many sends, beginning with one of them. `order` is not 0: each with a call
 * of its own. */
void with_persistent(const struct element *e, unsigned first);
void ordered(const struct element *e, long i);
void probed(const struct element *e, long i);
void collective(const struct element *e, long i, bool is_other);
/* A collective call, and perhaps a message, before it is complete. */
void nonblocking_collective(const struct element *e, long i, bool is_other);
/* A message of any source and tag; there is only one. */
void with_wildcard(const struct element *e, long i, int tag);
void with_type(const struct element *e, bool makes);
void with_comm(const struct element *e);
void with_former(const struct element *e, long i);
void with_nobody(const struct element *e);
void with_status(const struct element *e, long i);

/* ---- windows ---- */

/* One for each way to synchronise: see window_element(). The first half of the memory is accessed
 * by the left neighbour, the second one has buffers of messages. */
enum { FENCED, LOCKED, ALL_LOCKED, STARTED, WINDOWS };
extern bool has_windows;
extern MPI_Win win[WINDOWS];
extern double *shared[WINDOWS];

void make_windows(void);
void free_windows(void);
void access_one(const struct element *e, long i, MPI_Win w, unsigned k);
void window_element(const struct element *e, unsigned kind, long i);

#endif

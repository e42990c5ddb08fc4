/* SPDX-License-Identifier: BSD-3-Clause */
/* Deferred receives of a deterministic run: posted by the application, but not yet given to the MPI
 * library, because the tool has not decided their source, or that of an earlier receive that could
 * take the same message. The application's request is a persistent one that is never started, or
 * its own persistent one. Any thread may call these functions. */
#ifndef ORK_DEFERRED_H
#define ORK_DEFERRED_H

#include "record/decision.h"

#include <mpi.h>
#include <stdbool.h>

/* Arguments of a receive, as the application gave them. */
struct ork_receive {
    void *buffer;
    int count;
    MPI_Datatype datatype;
    int source, tag;
    MPI_Comm comm;
};

/* Number of the next receive from MPI_ANY_SOURCE: see record/decision.h. */
uint32_t ork_deferred_number(void);

/* Defer a receive, which gets a number if its source is not named. *request: for the application.
 * An error of the library: nothing was done. */
int ork_deferred_add(const struct ork_receive *receive, MPI_Request *request);
/* The same for a persistent request that the application starts. */
int ork_deferred_start(const struct ork_receive *receive, MPI_Request request);

/* Is there any receive that was deferred and is not complete, or not given to the library? */
bool ork_deferred_any(void);
bool ork_deferred_any_waiting(void);
/* Could a waiting one take a message that this receive or probe could take? */
bool ork_deferred_overlaps(MPI_Comm comm, int source, int tag);

/* Receive `number` takes the message of this source and tag. False: there is no such receive. */
bool ork_deferred_decide(uint32_t number, int source, int tag);
/* Give the library what can be given. */
void ork_deferred_give(void);
/* Give all, or all of a communicator, with the arguments of the application. */
void ork_deferred_give_all(void);
void ork_deferred_give_comm(MPI_Comm comm);

/* The library's request behind an application's: itself if it was not deferred; MPI_REQUEST_NULL
 * with *waits = true if the library does not have it yet. */
MPI_Request ork_deferred_real(MPI_Request request, bool *waits);
/* A call of the library has changed the real request to `real`: change the application's. */
void ork_deferred_settle(MPI_Request *request, MPI_Request real);
/* The application cancelled a waiting one, which will be completed as cancelled. */
void ork_deferred_cancel(MPI_Request request);
/* The application frees it: it stays, and is forgotten when the library has it. */
void ork_deferred_free(MPI_Request request);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent wildcard receives in a replay. The source of a persistent request cannot be changed,
 * so each start becomes a nonblocking receive from the recorded source, the stand-in; calls that
 * complete the persistent request complete the stand-in. */
#ifndef ORK_FORCE_REQUESTS_H
#define ORK_FORCE_REQUESTS_H

#include <mpi.h>
#include <stdbool.h>

struct ork_persistent {
    MPI_Request handle;
    void *buffer;
    int count;
    MPI_Datatype datatype;
    int source, tag; /* as the application gave them */
    MPI_Comm comm;
    MPI_Request stand_in; /* MPI_REQUEST_NULL: not active, or started with its wildcards */
};

/* Remember a request, or forget it. False: out of memory. */
bool ork_persistent_add(const struct ork_persistent *request);
void ork_persistent_remove(MPI_Request handle);
/* A copy. False: not such a request. */
bool ork_persistent_find(MPI_Request handle, struct ork_persistent *found);
void ork_persistent_started(MPI_Request handle, MPI_Request stand_in);

/* The requests of a completing call with stand-ins in their places. */
enum { ORK_SWAP_FEW = 32 };
struct ork_swap {
    MPI_Request *own; /* the application's */
    MPI_Request *request;
    int count;
    MPI_Request few[ORK_SWAP_FEW];
};

/* Prepare, and give the results back. If no stand-in is active, `request` is `own`. */
void ork_swap_in(struct ork_swap *swap, int count, MPI_Request *own);
void ork_swap_out(struct ork_swap *swap);

#endif

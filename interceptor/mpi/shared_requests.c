/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation that is complete at once may get a handle that all such operations share. A library
 * may have several: for receives, for sends, and for what a component of it sends (UCX). */
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"

/* What is found, without repetitions. */
struct shared {
    MPI_Request *request;
    unsigned room, count;
};

/* Two operations that are complete at once and not yet waited for: equal handles are shared
 * ones. */
static void compare(struct shared *out, MPI_Request a, MPI_Request b)
{
    bool is_new = a == b && out->count < out->room;

    for (unsigned i = 0; i < out->count; i++)
        is_new &= out->request[i] != a;
    if (is_new)
        out->request[out->count++] = a;
    ORK_NEXT(MPI_Wait)(&a, MPI_STATUS_IGNORE);
    ORK_NEXT(MPI_Wait)(&b, MPI_STATUS_IGNORE);
}

/* RATIONALE: to the process itself, so that nothing of the program can match. The receives come
 * first: then the messages are sent at once. */
static void send_to_self(struct shared *out)
{
    MPI_Request receive[2], sent[2];

    for (int i = 0; i < 2; i++)
        ORK_NEXT(MPI_Irecv)(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &receive[i]);
    for (int i = 0; i < 2; i++)
        ORK_NEXT(MPI_Isend)(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &sent[i]);
    compare(out, sent[0], sent[1]);
    for (int i = 0; i < 2; i++)
        ORK_NEXT(MPI_Wait)(&receive[i], MPI_STATUS_IGNORE);
}

unsigned ork_library_shared_requests(MPI_Request *request, unsigned room)
{
    struct shared out = {.request = request, .room = room};
    MPI_Request a;
    MPI_Request b;

    ORK_NEXT(MPI_Irecv)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &a);
    ORK_NEXT(MPI_Irecv)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &b);
    compare(&out, a, b);
    ORK_NEXT(MPI_Isend)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &a);
    ORK_NEXT(MPI_Isend)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &b);
    compare(&out, a, b);
    send_to_self(&out);
    return out.count;
}

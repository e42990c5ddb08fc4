/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers in the memory of devices: two receives into the same bytes, and buffers that are freed
 * while their operations are pending. That a send buffer is changed is not seen, and the report
 * says which buffers were not read. The runtimes are stand-ins (tests/e2e/devices).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * FINDING: memory-released error
 * SAYS: MPI_Irecv \(wrong.c:\d+\) of rank 0 writes bytes 0 to 39 of a buffer that the pending MPI_Irecv \(wrong.c:\d+\) writes
 * SAYS: the CUDA device memory of the buffer of MPI_Irecv \(wrong.c:\d+\) of rank 0 was freed before the operation was complete
 * SAYS: the HIP managed memory of the buffer of MPI_Issend \(wrong.c:\d+\) of rank 0 was freed before the operation was complete
 * SAYS: the tool did not read buffers in CUDA device memory, so it did not look whether they were changed too early, only whether they overlap and were freed; they are those of MPI_Isend \(wrong.c:\d+\)
 * SAYS: the tool did not read buffers in HIP managed memory, .* they are those of MPI_Issend \(wrong.c:\d+\)
 * EXIT: 66
 */
#include "../../devices/runtimes.h"

#include <mpi.h>

enum { WORDS = 10 };

static int rank;

static int *cuda_take(void)
{
    uintptr_t address = 0;

    cuMemAlloc_v2(&address, WORDS * sizeof(int));
    return (int *)address;
}

static void overlap(void)
{
    int *words = cuda_take();
    MPI_Request request[2];

    if (rank == 0) {
        MPI_Irecv(words, WORDS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(words, WORDS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Send(words, WORDS, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    cuMemFree_v2((uintptr_t)words);
}

static void change(void)
{
    int *words = cuda_take();
    MPI_Request request;

    if (rank == 0) {
        MPI_Isend(words, WORDS, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        words[0] = 1; /* a kernel, or a copy from the host */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(words, WORDS, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    cuMemFree_v2((uintptr_t)words);
}

static void release(void)
{
    int *words = cuda_take();
    void *managed;
    MPI_Request request[2];

    hipMallocManaged(&managed, WORDS * sizeof(int), 0);
    if (rank == 0) {
        MPI_Irecv(words, WORDS, MPI_INT, 1, 2, MPI_COMM_WORLD, &request[0]);
        MPI_Issend(managed, WORDS, MPI_INT, 1, 3, MPI_COMM_WORLD, &request[1]);
        cuMemFree_v2((uintptr_t)words);
        hipFree(managed);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(words, WORDS, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(managed, WORDS, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    overlap();
    change();
    release();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers in the memory of devices and of the host in turns. Each is changed and freed when its
 * operation is complete; and the tool's questions leave no error behind that the program would see.
 * The runtimes are stand-ins (tests/e2e/devices).
 *
 * RANKS: 2
 * EXPECT: clean
 * SAYS: the tool did not read buffers in HIP device memory, .* they are those of MPI_Isend \(right.c:\d+\)
 */
#include "../../devices/runtimes.h"

#include <mpi.h>
#include <stdlib.h>

enum { WORDS = 5000, ROUNDS = 10 };

static int other;

static void exchange(int *in, int *out)
{
    MPI_Request request[2];

    MPI_Irecv(in, WORDS, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, WORDS, MPI_INT, other, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    out[0]++;
    in[0]++;
    if (hipGetLastError() != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (int i = 0; i < ROUNDS; i++) {
        int *host = calloc(WORDS, sizeof(*host));
        void *device, *second;
        uintptr_t managed = 0;
        hipMalloc(&device, WORDS * sizeof(int));
        hipMalloc(&second, WORDS * sizeof(int));
        cuMemAllocManaged(&managed, WORDS * sizeof(int), 1);
        exchange(device, host);
        exchange(host, second);
        exchange((int *)managed, device);
        hipFree(device);
        hipFree(second);
        cuMemFree_v2(managed);
        free(host);
    }
    MPI_Finalize();
    return 0;
}

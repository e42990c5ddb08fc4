/* SPDX-License-Identifier: BSD-3-Clause */
/* Two functions receive from any source through one wrapper: each of them races.
 *
 * RANKS: 3
 * OPTIONS: --must:callers 2 --must:races on
 * EXPECT: no-deadlock
 * FINDING: message-race note
 * FINDING: message-race note
 * SAYS: MPI_Recv at \S+:20 in take\n        called from first \(races.c:26\), main \(races.c:44\)
 * SAYS: MPI_Recv at \S+:20 in take\n        called from second \(races.c:32\), main \(races.c:46\)
 */
#include <mpi.h>

#define WRAPPER static __attribute__((noinline)) void

static int value, depth;

WRAPPER take(int tag)
{
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    depth++;
}

WRAPPER first(void)
{
    take(1);
    depth++;
}

WRAPPER second(void)
{
    take(2);
    depth++;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            first();
        for (int i = 0; i < 2; i++)
            second();
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

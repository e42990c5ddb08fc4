/* SPDX-License-Identifier: BSD-3-Clause */
/* The program has an allocator that does not say how large its blocks are (tests/e2e/released).
 * That a block is released is found all the same, if the buffer begins with it; and the neighbours
 * of a buffer may be released (MPI-3.1 section 3.7.2).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: memory-released error
 * SAYS: free \(arena.c:\d+\) of rank 0 releases the buffer that the pending MPI_Irecv \(arena.c:\d+\) writes\n
 * EXIT: 66
 */
#include <mpi.h>
#include <stdlib.h>

enum { WORDS = 100, BLOCKS = 5 };

int main(int argc, char **argv)
{
    int *block[BLOCKS], rank;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < BLOCKS; i++)
        block[i] = malloc(WORDS * sizeof(*block[i]));
    for (int round = 0; round < 2; round++) {
        if (rank == 0) {
            MPI_Irecv(block[2], WORDS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
            for (int i = 0; i < BLOCKS; i++) {
                if (i != 2)
                    free(block[i]);
            }
            if (round == 1)
                free(block[2]);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Send(block[0], WORDS, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Sendrecv_replace around a ring, with wildcards, with oneself, and along a line that ends in
 * MPI_PROC_NULL.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: ring 3, wild 2, self 2, line 2
 */
#include <mpi.h>
#include <stdio.h>

static int replace(int word, int to, int from, int tag, MPI_Status *status)
{
    MPI_Sendrecv_replace(&word, 1, MPI_INT, to, 5, from, tag, MPI_COMM_WORLD, status);
    return word;
}

int main(int argc, char **argv)
{
    int rank;
    int word[4];
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int right = (rank + 1) % 4;
    int left = (rank + 3) % 4;

    word[0] = replace(rank, right, left, 5, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD); /* a wildcard must not take the message of another round */
    word[1] = replace(word[0], right, MPI_ANY_SOURCE, MPI_ANY_TAG, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    word[2] = replace(word[1], rank, rank, 5, MPI_STATUS_IGNORE);
    word[3] = replace(word[2], rank == 3 ? MPI_PROC_NULL : right, rank == 0 ? MPI_PROC_NULL : left,
                      5, MPI_STATUS_IGNORE);
    if (rank == 0 && status.MPI_SOURCE == left)
        printf("ring %d, wild %d, self %d, line %d\n", word[0], word[1], word[2], word[3]);
    MPI_Finalize();
    return 0;
}

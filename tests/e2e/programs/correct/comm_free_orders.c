/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_free is expected to be local in effect (MPI-3.1 section 6.4.3): ranks free communicators
 * in different orders, before and after a collective call and a message.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 7
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 7;
    MPI_Comm comm[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    MPI_Comm_free(&comm[rank]);
    MPI_Comm_free(&comm[1 - rank]);
    if (rank == 0)
        MPI_Comm_free(&comm[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Comm_free(&comm[2]);
    if (rank == 0) {
        MPI_Comm_free(&comm[3]);
        MPI_Ssend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm[3]);
        printf("%d\n", word);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 never receives what rank 2 sends. The send is buffered and rank 2 is in its receive: that
 * is what the state says first, and then what MPI may hold it in.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * INTERRUPT: 3
 * SAYS: rank 0: running \[outside MPI,( uses no CPU time,)? last in MPI_Init at .*state_behind_a_send.c:\d+\]
 * SAYS: rank 2: in MPI_Recv at .*state_behind_a_send.c:\d+ in main; MPI allows it to block in MPI_Send\(peer 0, tag 7
 * SAYS_LINE: SEND
 * SAYS_LINE: HERE
 * PLAIN: hangs
 * EXIT: 130
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    puts("started");
    fflush(stdout);
    while (rank == 0)
        sleep(100);
    if (rank == 2) {
        MPI_Send(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD); /* SEND */
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Tickets by MPI_Fetch_and_op inside MPI_Win_lock_all, with every form of flush.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: tickets 19900
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 50 };

int main(int argc, char **argv)
{
    int rank;
    int one = 1;
    int ticket = 0;
    int sum = 0;
    int all = 0;
    int *next;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(*next), sizeof(*next), MPI_INFO_NULL, MPI_COMM_WORLD, &next, &window);
    MPI_Win_lock_all(0, window);
    *next = 0;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, window);
        if (i % 2 == 0)
            MPI_Win_flush(0, window);
        else
            MPI_Win_flush_all(window);
        sum += ticket;
    }
    MPI_Win_flush_local(0, window);
    MPI_Win_flush_local_all(window);
    MPI_Win_unlock_all(window);
    MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("tickets %d\n", all);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}

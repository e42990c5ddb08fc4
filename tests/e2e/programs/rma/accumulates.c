/* SPDX-License-Identifier: BSD-3-Clause */
/* Every accumulating operation of a window, with and without requests.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: count 18, swapped 1
 */
#include <mpi.h>
#include <stdio.h>

static void count_up(MPI_Win window)
{
    int one = 1;
    int before = 0;
    MPI_Request request[2];

    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Get_accumulate(&one, 1, MPI_INT, &before, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Raccumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window, &request[0]);
    MPI_Rget_accumulate(&one, 1, MPI_INT, &before, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window,
                        &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Raccumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    int *cells;
    int won;
    int winner = 0;
    int mine;
    int nobody = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(*cells), sizeof(*cells), MPI_INFO_NULL, MPI_COMM_WORLD, &cells,
                     &window);
    cells[0] = cells[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    count_up(window);
    mine = rank + 1;
    MPI_Compare_and_swap(&mine, &nobody, &winner, MPI_INT, 0, 1, window);
    MPI_Win_unlock_all(window);
    won = winner == 0;
    MPI_Allreduce(MPI_IN_PLACE, &won, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    if (rank == 0)
        printf("count %d, swapped %d\n", mine, won);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}

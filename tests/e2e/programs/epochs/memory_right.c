/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions beside each other, attached again after they were detached, and empty ones; accesses to
 * the whole of the own window, and by address to a dynamic one (MPI-3.1 sections 11.2.3
 * and 11.2.4).
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 7 7
 * OUTPUT: 7 7
 */
#include <mpi.h>
#include <stdio.h>

static int memory[8], pair[2], rank;

static int dynamic_window(void)
{
    int seven = 7, seen = 0;
    MPI_Aint address;
    MPI_Win win;

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, 4 * sizeof(int));
    MPI_Win_attach(win, &memory[4], 4 * sizeof(int));
    MPI_Win_detach(win, memory);
    MPI_Win_attach(win, &memory[1], 3 * sizeof(int));
    MPI_Get_address(&memory[2], &address);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Put(&seven, 1, MPI_INT, rank, address, 1, MPI_INT, win);
    MPI_Win_flush(rank, win);
    MPI_Get(&seen, 1, MPI_INT, rank, address, 1, MPI_INT, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_detach(win, &memory[1]);
    MPI_Win_free(&win);
    return seen;
}

static int shared_window(void)
{
    int disp_unit, seven = 7, result;
    int *cells, *again;
    MPI_Aint size;
    MPI_Win win;

    MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cells,
                            &win);
    MPI_Win_shared_query(win, rank, &size, &disp_unit, (void *)&again);
    MPI_Win_fence(0, win);
    pair[0] = pair[1] = seven;
    MPI_Put(pair, 2, MPI_INT, rank, 0, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    result = again[1];
    MPI_Win_free(&win);
    return result;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d %d\n", dynamic_window(), shared_window());
    MPI_Finalize();
    return 0;
}

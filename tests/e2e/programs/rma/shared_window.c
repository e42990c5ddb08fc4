/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads of the right neighbour's part of a shared window.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: sum 100
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    int unit;
    int all = 0;
    int *mine;
    int *next;
    MPI_Aint bytes;
    MPI_Comm node;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    MPI_Win_allocate_shared(sizeof(*mine), sizeof(*mine), MPI_INFO_NULL, node, &mine, &window);
    MPI_Win_shared_query(window, (rank + 1) % size, &bytes, &unit, &next);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    *mine = 10 * (rank + 1);
    MPI_Win_sync(window);
    MPI_Barrier(node);
    MPI_Win_sync(window);
    MPI_Reduce(next, &all, 1, MPI_INT, MPI_SUM, 0, node);
    MPI_Win_unlock_all(window);
    if (rank == 0)
        printf("sum %d\n", all);
    MPI_Win_free(&window);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}

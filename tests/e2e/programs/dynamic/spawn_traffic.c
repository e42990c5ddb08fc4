/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks start two processes, talk to them in every way and let them go.
 *
 * RANKS: 2
 * REPORT_RANKS: 4
 * EXPECT: clean
 * OUTPUT: sum 1111
 */
#include <mpi.h>
#include <stdio.h>

enum { ROOT = 1, CHILDREN = 2 };

/* Every process sends to its right neighbour. */
static void ring(MPI_Comm all)
{
    int rank, size;
    int in = 0;

    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size,
                 0, all, MPI_STATUS_IGNORE);
}

static void talk(MPI_Comm other, int is_child)
{
    int rank;
    int in = 0;
    int sum = 0;
    int mine = 1;
    MPI_Comm all;
    MPI_Comm copy;
    MPI_Request request;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(other, &copy);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &request);
    MPI_Ssend(&rank, 1, MPI_INT, rank, 5, copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&copy);
    MPI_Bcast(&in, 1, MPI_INT, is_child ? 0 : rank == ROOT ? MPI_PROC_NULL : MPI_ROOT, other);
    MPI_Intercomm_merge(other, is_child, &all);
    ring(all);
    for (int i = 0; i < rank + 2 * is_child; i++)
        mine *= 10;
    MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, all);
    if (rank == 0 && !is_child)
        printf("sum %d\n", sum);
    MPI_Comm_free(&all);
    MPI_Barrier(other);
}

int main(int argc, char **argv)
{
    int is_child;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    is_child = other != MPI_COMM_NULL;
    if (!is_child)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, ROOT, MPI_COMM_WORLD,
                       &other, MPI_ERRCODES_IGNORE);
    talk(other, is_child);
    MPI_Comm_disconnect(&other);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

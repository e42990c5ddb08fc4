/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock of byte ranges, kept in a window of rank 2: who sees that another one wants the same bytes
 * takes back its request and waits to be woken. Two ranks ask at the same time, both see the other,
 * both step back, and nobody is left who could wake them.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

#define TABLE 2 /* the rank that holds the table of requests */

static void set_request(int rank, int wanted, MPI_Win table)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TABLE, 0, table);
    MPI_Put(&wanted, 1, MPI_INT, TABLE, rank, 1, MPI_INT, table);
    MPI_Win_unlock(TABLE, table);
}

static int is_wanted_by(int rank, MPI_Win table)
{
    int wanted;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TABLE, 0, table);
    MPI_Get(&wanted, 1, MPI_INT, TABLE, rank, 1, MPI_INT, table);
    MPI_Win_unlock(TABLE, table);
    return wanted;
}

static void lock_range(int rank, MPI_Comm both, MPI_Win table)
{
    int word;

    set_request(rank, 1, table);
    MPI_Barrier(both); /* so that they do ask at the same time */
    if (!is_wanted_by(1 - rank, table))
        return;
    MPI_Barrier(both);
    set_request(rank, 0, table);
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
}

int main(int argc, char **argv)
{
    int rank;
    int *requests;
    MPI_Comm both;
    MPI_Win table;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == TABLE ? MPI_UNDEFINED : 0, 0, &both);
    MPI_Win_allocate(rank == TABLE ? 2 * sizeof(*requests) : 0, sizeof(*requests), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &requests, &table);
    if (rank == TABLE)
        requests[0] = requests[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != TABLE)
        lock_range(rank, both, table);
    MPI_Finalize();
    return 0;
}

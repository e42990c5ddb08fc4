/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 receives a column and a row that have a cell in common (MPI-3.1 section 7.6: as by a
 * receive for each neighbour, in no order, so that it is undefined which one remains). Rank 0
 * receives a column and a row without a common cell, which is right.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap warning
 * SAYS: MPI_Neighbor_alltoallw \(neighbor_blocks.c:\d+\) of rank 1 receives bytes 0 to 3 of its receive buffer more than once
 */
#include <mpi.h>

enum { SIDE = 4 };

int main(int argc, char **argv)
{
    int rank, sent[SIDE] = {0}, received[SIDE * (SIDE + 1)], other, twice[2];
    int weights[2] = {1, 1};
    int counts[2] = {SIDE, SIDE}, column_and_row[2] = {1, SIDE};
    MPI_Aint from[2] = {0, 0}, to[2] = {0, 0};
    MPI_Datatype column, ints[2] = {MPI_INT, MPI_INT}, types[2];
    MPI_Comm pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    twice[0] = twice[1] = other = 1 - rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, twice, weights, 2, twice, weights,
                                   MPI_INFO_NULL, 0, &pair);
    MPI_Type_vector(SIDE, 1, SIDE, MPI_INT, &column);
    MPI_Type_commit(&column);
    types[0] = column;
    types[1] = MPI_INT;
    if (rank == 0)
        to[1] = SIDE * SIDE * (MPI_Aint)sizeof(int);
    MPI_Neighbor_alltoallw(sent, counts, from, ints, received, column_and_row, to, types, pair);
    MPI_Type_free(&column);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of neighbourhood collectives that look wrong and are right (MPI-3.1 section 7.6): the
 * block of a neighbour that is MPI_PROC_NULL is neither read nor written, so it may lie anywhere;
 * rows and columns of one array; a rank without neighbours uses neither buffer; blocks that are
 * sent may overlap; empty blocks.
 *
 * RANKS: 4
 * EXPECT: clean
 */
#include <mpi.h>

enum { SIDE = 6 };

static int cells[SIDE][SIDE], rank;

static void line(void)
{
    int size, periodic = 0, ones[2] = {1, 1}, inner[2] = {1, 2}, halo[2] = {0, 3};
    MPI_Request request;
    MPI_Comm comm;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm);
    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        halo[0] = inner[1];
    if (rank == size - 1)
        halo[1] = inner[0];
    MPI_Neighbor_alltoallv(cells, ones, inner, MPI_INT, cells, ones, halo, MPI_INT, comm);
    MPI_Neighbor_alltoall(cells[0], 2, MPI_INT, cells[1], 2, MPI_INT, comm);
    MPI_Ineighbor_allgather(cells[0], 2, MPI_INT, cells[1], 2, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

/* Rows and columns of a grid with a halo; each side is received beside what is sent. */
static void grid(void)
{
    enum { INNER = SIDE - 2, INT = sizeof(int), ROW = SIDE * sizeof(int) };
    int dims[2] = {2, 2}, periods[2] = {1, 1}, ones[4] = {1, 1, 1, 1};
    MPI_Aint from[4] = {ROW + INT, INNER * ROW + INT, ROW + INT, ROW + INNER * INT};
    MPI_Aint to[4] = {INT, (INNER + 1) * ROW + INT, ROW, ROW + (INNER + 1) * INT};
    MPI_Datatype row, column;
    MPI_Comm comm;

    MPI_Type_contiguous(INNER, MPI_INT, &row);
    MPI_Type_vector(INNER, 1, SIDE, MPI_INT, &column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    MPI_Neighbor_alltoallw(cells, ones, from, (MPI_Datatype[]){row, row, column, column}, cells,
                           ones, to, (MPI_Datatype[]){row, row, column, column}, comm);
    MPI_Comm_free(&comm);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
}

/* Rank 0 sends to rank 1; the others have no neighbours. */
static void edge(void)
{
    int sources = rank == 1, destinations = rank == 0, source = 0, destination = 1;
    int weight = 1;
    int zero[1] = {0}, one[1] = {rank < 2};
    MPI_Comm comm;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, &source, &weight, destinations,
                                   &destination, &weight, MPI_INFO_NULL, 0, &comm);
    MPI_Neighbor_allgather(cells, 3, MPI_INT, cells, 3, MPI_INT, comm);
    MPI_Neighbor_alltoallv(cells, one, zero, MPI_INT, cells, one, zero, MPI_INT, comm);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    line();
    grid();
    edge();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies that look wrong and are right: coordinates outside of a periodic dimension (MPI-3.1
 * section 7.5.5), dimensions that are left to MPI (7.5.2), grids and graphs that are smaller than
 * the group (7.5.1, 7.5.3), neighbours that occur twice, edges of a process to itself, no
 * neighbours, weights of 0 (7.5.4), and a list of fewer neighbours than there are (7.5.5).
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 3 2 2
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm world = MPI_COMM_WORLD;
static int *volatile no_weights; /* GCC takes it for an array */

static void release(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
}

/* The rank with coordinates (-1, 1) of a grid that is periodic in the first dimension. */
static int rank_of_neighbour(void)
{
    int dims[] = {0, 2}, periods[] = {1, 0}, outside[] = {-1, 1}, rank;
    MPI_Comm grid, line;

    MPI_Dims_create(4, 2, dims);
    MPI_Cart_create(world, 2, dims, periods, 0, &grid);
    MPI_Cart_rank(grid, outside, &rank);
    MPI_Comm_free(&grid);
    MPI_Cart_create(world, 1, dims, periods, 0, &line); /* two of four processes */
    release(line);
    return rank;
}

static int neighbours_in_graph(void)
{
    int index[] = {2, 2, 4}, edges[] = {1, 1, 2, 0}, neighbours[2], n = 2;
    MPI_Comm graph;

    MPI_Graph_create(world, 3, index, edges, 0, &graph);
    if (graph == MPI_COMM_NULL)
        return n;
    MPI_Graph_neighbors_count(graph, 2, &n);
    MPI_Graph_neighbors(graph, 2, n, neighbours);
    MPI_Comm_free(&graph);
    return n;
}

static int neighbours_in_distributed_graph(void)
{
    int rank, in, out, weighted, one[1], weight[] = {0, 3};
    MPI_Comm graph, empty;

    MPI_Comm_rank(world, &rank);
    int sources[] = {rank, rank};
    MPI_Dist_graph_create_adjacent(world, 2, sources, weight, 2, sources, weight, MPI_INFO_NULL, 0,
                                   &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    MPI_Dist_graph_neighbors(graph, 1, one, weight, 0, NULL, weight);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create(world, 0, NULL, NULL, NULL, no_weights, MPI_INFO_NULL, 0, &empty);
    MPI_Comm_free(&empty);
    return in;
}

int main(int argc, char **argv)
{
    int rank;

    no_weights = MPI_WEIGHTS_EMPTY;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    int neighbour = rank_of_neighbour();
    int in_graph = neighbours_in_graph();
    int in_distributed = neighbours_in_distributed_graph();
    if (rank == 0)
        printf("%d %d %d\n", neighbour, in_graph, in_distributed);
    MPI_Finalize();
    return 0;
}

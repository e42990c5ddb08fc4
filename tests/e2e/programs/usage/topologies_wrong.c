/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies that are larger than the group, or have no processes (MPI-3.1 sections 7.5.1, 7.5.3);
 * dimensions that do not divide the processes (7.5.2); coordinates outside of a dimension that is
 * not periodic (7.5.5); graphs whose index decreases, or whose edges leave the graph (7.5.3);
 * neighbours that do not exist, and negative weights (7.5.4).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * FINDING: invalid-argument error
 * MAYBE: resource-leak
 * SAYS: dims\[0\] is 0 in MPI_Cart_create
 * SAYS: the given dims of MPI_Dims_create .* have 4 processes, which do not divide 6
 * SAYS: dims\[1\] is -2 in MPI_Dims_create
 * SAYS: coords\[1\] is 1 in MPI_Cart_rank .* but the dimension has 1 processes
 * SAYS: rank is 2 in MPI_Cart_coords .* but the group has 2 processes
 * SAYS: direction is 2 in MPI_Cart_shift
 * SAYS: the graph of MPI_Graph_create .* has 3 nodes, but the communicator has 2 processes
 * SAYS: index\[1\] is 0 in MPI_Graph_create .* less than 1
 * SAYS: edges\[1\] is 2 in MPI_Graph_create .* but the graph has 2 nodes
 * SAYS: edges\[0\] is -1 in MPI_Graph_map .* but the graph has 2 nodes
 * SAYS: sources\[0\] is 2 in MPI_Dist_graph_create_adjacent .* but the group has 2 processes
 * SAYS: destinations\[2\] is 7 in MPI_Dist_graph_create \(.* but the group has 2 processes
 * SAYS: weights\[1\] is -4 in MPI_Dist_graph_create \(
 */
#include <mpi.h>

static MPI_Comm world = MPI_COMM_WORLD;
static int *volatile unweighted; /* GCC takes it for an array */

static void grids(void)
{
    int none[] = {0, 2}, open[] = {0, 0}, six[] = {4, 0}, negative[] = {0, -2};
    MPI_Comm made;

    MPI_Cart_create(world, 2, none, open, 0, &made);
    MPI_Dims_create(6, 2, six);
    MPI_Dims_create(6, 2, negative);
}

static void inside_a_grid(void)
{
    int dims[] = {2, 1}, periods[] = {1, 0}, outside[] = {-5, 1}, coords[2], rank, source;
    MPI_Comm grid;

    MPI_Cart_create(world, 2, dims, periods, 0, &grid);
    MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
    MPI_Cart_rank(grid, outside, &rank);
    MPI_Cart_coords(grid, 2, 2, coords);
    MPI_Cart_shift(grid, 2, 1, &source, &rank);
    MPI_Comm_free(&grid);
}

static void graphs(void)
{
    int three[] = {1, 2, 3}, ring[] = {1, 2, 0}, fewer[] = {1, 0}, two[] = {1, 2}, far[] = {1, 2};
    int before[] = {-1, 0}, rank;
    MPI_Comm made;

    MPI_Graph_create(world, 3, three, ring, 0, &made);
    MPI_Graph_create(world, 2, fewer, ring, 0, &made);
    MPI_Graph_create(world, 2, two, far, 0, &made);
    MPI_Graph_map(world, 2, two, before, &rank);
}

static void distributed_graphs(void)
{
    int far[] = {2}, near[] = {0}, nodes[] = {0, 1}, degrees[] = {1, 2}, ends[] = {1, 0, 7};
    int right[] = {1, 0, 1}, weights[] = {1, -4, 2};
    MPI_Comm made = MPI_COMM_NULL;

    MPI_Dist_graph_create_adjacent(world, 1, far, unweighted, 1, near, unweighted, MPI_INFO_NULL, 0,
                                   &made);
    MPI_Dist_graph_create(world, 2, nodes, degrees, ends, unweighted, MPI_INFO_NULL, 0, &made);
    MPI_Dist_graph_create(world, 2, nodes, degrees, right, weights, MPI_INFO_NULL, 0, &made);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
}

int main(int argc, char **argv)
{
    unweighted = MPI_UNWEIGHTED;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    grids();
    inside_a_grid();
    graphs();
    distributed_graphs();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs whose edges fit: no edges, edges to oneself and repeated ones in another order at both
 * ends, edges that another rank names, all to one member of a group, and a graph with edges in one
 * direction that no neighbourhood collective uses.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: done
 */
#include <mpi.h>

/* MPI_UNWEIGHTED is no array, although mpi.h lets the compiler think so. */
#pragma GCC diagnostic ignored "-Wstringop-overread"
#include <stdio.h>

static MPI_Comm adjacent(MPI_Comm comm, int in, const int *source, int out, const int *destination)
{
    MPI_Comm graph;

    MPI_Dist_graph_create_adjacent(comm, in, source, MPI_UNWEIGHTED, out, destination,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    return graph;
}

static void use(MPI_Comm graph)
{
    int out[4] = {1, 2, 3, 4};
    int in[4];

    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
    int rank;
    const int zeros[2] = {0, 0};
    const int to[3] = {1, 0, 1};
    const int each[3] = {2, 1, 0};
    const int three = 3;
    const int index[3] = {0, 1, 1};
    MPI_Comm graph, others;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    use(adjacent(MPI_COMM_WORLD, 0, zeros, 0, zeros));
    use(adjacent(MPI_COMM_WORLD, rank == 0 ? 1 : rank == 1 ? 2 : 0, zeros, rank == 0 ? 3 : 0, to));
    MPI_Comm_split(MPI_COMM_WORLD, rank != 0, -rank, &others); /* ranks 2, 1 are 0, 1 */
    use(adjacent(others, rank == 1, zeros, rank == 2, to));
    MPI_Comm_free(&others);
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0, &rank, &three, each, MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 0, &graph);
    use(graph);
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, zeros, 0, &graph);
    MPI_Comm_free(&graph);
    if (rank == 0)
        puts("done");
    MPI_Finalize();
    return 0;
}

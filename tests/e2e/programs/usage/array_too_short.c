/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph with more nodes than processes, whose array has no more elements than processes; no
 * memory follows it. The library returns an error without reading it (MPI-3.1 section 7.5.3), and
 * so the tool must not read beyond it either.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * PLAIN: ends
 * OUTPUT: error
 * OUTPUT: error
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    const size_t page = 65536;
    int edge[2] = {1, 0};
    MPI_Comm graph;
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE) != 0)
        abort();
    int *index = (int *)(void *)(memory + page) - 2;
    index[0] = 1;
    index[1] = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Graph_create(MPI_COMM_WORLD, 100000, index, edge, 0, &graph) != MPI_SUCCESS)
        puts("error");
    MPI_Finalize();
    return 0;
}

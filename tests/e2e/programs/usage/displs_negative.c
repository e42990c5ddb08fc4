/* SPDX-License-Identifier: BSD-3-Clause */
/* Negative displacements that are right (MPI-3.1 sections 4.1.12, 5.5, 5.6, 5.8): from the middle
 * of an array to its beginning, also of one on the heap, from one array to another one, in bytes,
 * and of a block without elements, which is nowhere.
 *
 * RANKS: 2
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>
#include <stdlib.h>

/* An array that follows another one. */
static struct {
    int first[2];
    int second[4];
} arrays;

/* The last words of a block, and its first ones; and a part of a block that is a mapping. */
static void on_the_heap(void)
{
    enum { SMALL = 100, LARGE = 1 << 18 };
    const int counts[2] = {SMALL / 2, SMALL / 2}, back[2] = {-SMALL / 2, -SMALL};
    int *small = calloc(SMALL, sizeof(*small)), *large = calloc(LARGE, sizeof(*large));

    MPI_Allgatherv(large, SMALL / 2, MPI_INT, small + SMALL, counts, back, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(small, SMALL / 2, MPI_INT, large + LARGE, counts, back, MPI_INT, MPI_COMM_WORLD);
    free(small);
    free(large);
}

int main(int argc, char **argv)
{
    int word[4] = {0}, rank;
    const int counts[2] = {1, 1}, back[2] = {-2, -1};
    const int one[2] = {1, 0}, nowhere[2] = {-2, -1000000000};
    const int bytes[2] = {-8, -4};
    const int other[2] = {-2, -1}; /* in arrays.first */
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(word, 1, MPI_INT, arrays.second + 2, counts, back, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(word, 1, MPI_INT, arrays.second, counts, other, MPI_INT, MPI_COMM_WORLD);
    MPI_Scatterv(word + 2, one, nowhere, MPI_INT, arrays.second, rank == 0, MPI_INT, 0,
                 MPI_COMM_WORLD);
    MPI_Alltoallw(word + 2, counts, bytes, types, arrays.second + 2, counts, bytes, types,
                  MPI_COMM_WORLD);
    on_the_heap();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments that MPI ignores may be anything: of a gather off the root, of a scatter off the root,
 * beside MPI_IN_PLACE (MPI-3.1 sections 5.5, 5.6 and 5.8), and arrays without elements.
 *
 * RANKS: 2
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>
#include <stddef.h>

static MPI_Datatype none; /* a null pointer */

int main(int argc, char **argv)
{
    int rank, word[4] = {0}, other[4] = {0}, part[2];
    const int counts[2] = {1, 1}, at[2] = {0, 1}, bytes[2] = {0, 4};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Datatype pair, empty;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int is_root = rank == 0;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Gather(word, 2, MPI_INT, is_root ? other : NULL, is_root ? 1 : -1, is_root ? pair : none, 0,
               MPI_COMM_WORLD);
    MPI_Scatter(is_root ? word : NULL, is_root ? 1 : -1, is_root ? pair : none, part, 2, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Gatherv(is_root ? MPI_IN_PLACE : word, is_root ? -1 : 1, is_root ? none : MPI_INT, other,
                counts, at, is_root ? MPI_INT : none, 0, MPI_COMM_WORLD);
    MPI_Scatterv(is_root ? word : NULL, counts, at, is_root ? MPI_INT : none,
                 is_root ? MPI_IN_PLACE : (void *)part, is_root ? 7 : 1, is_root ? none : MPI_INT,
                 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 3, none, other, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, other, counts, bytes, types, MPI_COMM_WORLD);
    MPI_Type_create_struct(0, NULL, NULL, NULL, &empty);
    MPI_Type_free(&empty);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}

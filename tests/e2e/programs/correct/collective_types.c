/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls whose ranks pass other counts and datatypes, but the same elements (MPI-3.1
 * sections 5.4 to 5.10): derived datatypes at some ranks only, MPI_PACKED, MPI_IN_PLACE, counts of
 * 0, arguments that are not significant, and pairs.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

enum { RANKS = 3 };

static int rank, word[24], all[24];
static MPI_Datatype two, column;

static void with_root(void)
{
    char packed[64];
    int at = 0;

    MPI_Bcast(word, rank == 1 ? 2 : 4, rank == 1 ? two : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(word, 0, rank == 2 ? MPI_DOUBLE : two, 2, MPI_COMM_WORLD);
    MPI_Pack(word, 2, MPI_INT, packed, sizeof(packed), &at, MPI_COMM_WORLD);
    MPI_Bcast(rank == 0 ? (void *)packed : word, rank == 0 ? at : 2,
              rank == 0 ? MPI_PACKED : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(word, 2, MPI_INT, all, 1, rank == 0 ? two : MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatter(word, 1, column, all, 2, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Gather(MPI_IN_PLACE, 99, MPI_CHAR, all, 2, MPI_INT, 1, MPI_COMM_WORLD);
    else
        MPI_Gather(word, 2, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Scatter(all, 2, MPI_INT, MPI_IN_PLACE, 99, MPI_CHAR, 2, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, word, 2, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : word, rank == 0 ? word : NULL, 1, MPI_2INT, MPI_MAXLOC, 0,
               MPI_COMM_WORLD);
}

static void with_counts(void)
{
    const int room[RANKS] = {1, 2, 0}, at[RANKS] = {0, 4, 8}, bytes[RANKS] = {0, 16, 32};
    int sent[RANKS], received[RANKS];
    MPI_Datatype type[RANKS] = {MPI_INT, MPI_INT, MPI_INT};
    MPI_Request request;

    MPI_Gatherv(word, rank == 1 ? 1 : room[rank], rank == 1 ? two : MPI_INT, all, room, at, MPI_INT,
                0, MPI_COMM_WORLD);
    MPI_Scatterv(word, rank == 2 ? room : NULL, at, MPI_INT, all, room[rank], MPI_INT, 2,
                 MPI_COMM_WORLD);
    MPI_Allgatherv(word, room[rank], MPI_INT, all, room, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 7, MPI_CHAR, all, room, at, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < RANKS; i++) {
        sent[i] = (rank + 2 * i) % RANKS;
        received[i] = (i + 2 * rank) % RANKS;
    }
    MPI_Alltoallv(word, sent, at, MPI_INT, all, received, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Ialltoallv(word, sent, at, MPI_INT, all, received, at, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Alltoallw(word, sent, bytes, type, all, received, bytes, type, MPI_COMM_WORLD);
    for (int i = 0; i < RANKS; i++)
        received[i] = i + rank;
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, all, received, at, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Reduce_scatter(word, all, room, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void among_all(void)
{
    MPI_Allgather(word, 1, two, all, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(word, rank == 0 ? 1 : 2, rank == 0 ? two : MPI_INT, all, 2, MPI_INT,
                 MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, two, MPI_COMM_WORLD);
    MPI_Allgather(word, 1, two, all, 2, MPI_INT, MPI_COMM_SELF);
    MPI_Reduce_scatter_block(word, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(word, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Datatype vector;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Type_vector(2, 1, RANKS, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, sizeof(int), &column);
    MPI_Type_commit(&column);
    with_root();
    with_counts();
    among_all();
    MPI_Type_free(&vector);
    MPI_Type_free(&column);
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}

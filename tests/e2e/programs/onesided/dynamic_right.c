/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a dynamic window that is attached while it is accessed: two regions side by side, one
 * that is attached again, a datatype whose gap is not attached, MPI_BOTTOM, no elements, and a
 * region of which the origin learns from data: rank 1 attaches it and stores its address with a
 * one-sided call, which rank 0 looks for.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

static int rank, memory[8];
static MPI_Aint found;
static MPI_Win win, board;

static MPI_Aint at_rank_1(void *where)
{
    MPI_Aint address;

    MPI_Get_address(where, &address);
    MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    return address;
}

static void put(MPI_Aint address, int count, MPI_Datatype type)
{
    int word[8] = {0};

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(word, count, MPI_INT, 1, address, count == 0 ? 0 : 1, type, win);
    MPI_Win_unlock(1, win);
}

static void attached_side_by_side(void)
{
    MPI_Datatype both, ends;
    MPI_Aint at = at_rank_1(memory);
    int lengths[2] = {1, 1}, places[2] = {0, 7};

    MPI_Type_contiguous(4, MPI_INT, &both);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &ends);
    MPI_Type_commit(&both);
    MPI_Type_commit(&ends);
    if (rank == 1) {
        MPI_Win_attach(win, memory, 2 * sizeof(int));
        MPI_Win_attach(win, memory + 2, 2 * sizeof(int));
        MPI_Win_attach(win, memory + 7, sizeof(int));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        put(at, 4, both);
        put(at, 2, ends);
        put(at + 20, 0, MPI_INT);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_detach(win, memory);
        MPI_Win_attach(win, memory, 2 * sizeof(int));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        put(at, 1, MPI_INT);
    MPI_Type_free(&both);
    MPI_Type_free(&ends);
}

/* No message tells rank 0 that the memory is attached. */
static void attached_by_data(void)
{
    static int late;
    MPI_Aint own, seen = 0;

    MPI_Win_create(&found, sizeof(found), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &board);
    MPI_Win_lock_all(0, board);
    if (rank == 1) {
        MPI_Win_attach(win, &late, sizeof(late));
        MPI_Get_address(&late, &own);
        MPI_Accumulate(&own, 1, MPI_AINT, 0, 0, 1, MPI_AINT, MPI_REPLACE, board);
        MPI_Win_flush(0, board);
    }
    while (rank == 0 && seen == 0) {
        MPI_Fetch_and_op(NULL, &seen, MPI_AINT, 0, 0, MPI_NO_OP, board);
        MPI_Win_flush(0, board);
    }
    if (rank == 0)
        put(seen, 1, MPI_INT);
    MPI_Win_unlock_all(board);
    MPI_Win_free(&board);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    attached_side_by_side();
    attached_by_data();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

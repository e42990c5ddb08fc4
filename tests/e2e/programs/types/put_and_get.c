/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 11.3: a one-sided call moves data as if one side sent it and the other received
 * it. So the basic types of both buffers match, and the data fit.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * FINDING: type-mismatch warning
 * FINDING: truncation warning
 * SAYS: error: type-mismatch: MPI_Put \(put_and_get.c:\d+\) of rank 0 puts 4 x MPI_INT into 4 x MPI_FLOAT
 * SAYS: warning: type-mismatch: MPI_Rput \(put_and_get.c:\d+\) of rank 0 puts 1 x MPI_LONG into 1 x MPI_INT64_T
 * SAYS: warning: truncation: MPI_Rget \(put_and_get.c:\d+\) of rank 0 gets 4 x MPI_INT into 2 x MPI_INT
 * SAYS: warning: type-mismatch: MPI_Accumulate \(put_and_get.c:\d+\) of rank 0 accumulates 1 x MPI_INT into 1 x MPI_UNSIGNED
 * SAYS: error: type-mismatch: MPI_Get_accumulate \(put_and_get.c:\d+\) of rank 0 fetches 2 x MPI_FLOAT into 16 bytes of several datatypes
 * SAYS: 5 findings
 * EXIT: 66
 */
#include <mpi.h>

static MPI_Win win;

static void move(MPI_Datatype pair)
{
    int word[8] = {0};
    float number[4] = {0};
    long wide = 0;
    MPI_Request request;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(word, 4, MPI_INT, 1, 0, 4, MPI_FLOAT, win);
    MPI_Rput(&wide, 1, MPI_LONG, 1, 4, 1, MPI_INT64_T, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(1, win);
    if (MPI_Rget(word, 2, MPI_INT, 1, 0, 4, MPI_INT, win, &request) == MPI_SUCCESS)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(1, win);
    MPI_Accumulate(word, 1, MPI_INT, 1, 8, 1, MPI_UNSIGNED, MPI_SUM, win);
    MPI_Win_flush(1, win);
    MPI_Get_accumulate(number, 2, MPI_FLOAT, word, 1, pair, 1, 12, 2, MPI_FLOAT, MPI_SUM, win);
    MPI_Win_unlock(1, win);
}

int main(int argc, char **argv)
{
    int rank;
    int *memory;
    const int length[2] = {2, 1};
    const MPI_Aint at[2] = {0, 8};
    MPI_Datatype part[2] = {MPI_INT, MPI_DOUBLE}, pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, length, at, part, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_allocate(32 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank == 0)
        move(pair);
    MPI_Win_free(&win);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}

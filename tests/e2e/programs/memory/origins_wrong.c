/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores to the buffers of one-sided calls before they are complete at the origin
 * (MPI-3.1 section 11.3): what is put is changed before the fence, what is got is read before the
 * flush, the buffer of an accumulate is changed before MPI_Win_complete, and what MPI_Rget and
 * MPI_Fetch_and_op return is used before the wait and the unlock.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-access error
 * SAYS: the store \(origins_wrong.c:\d+\) of rank 0 changes bytes 4 to 7 of a buffer that the pending MPI_Put \(origins_wrong.c:\d+\) reads
 * SAYS: The buffer of an RMA call must not be changed until the call is complete at the origin.* \(MPI-3.1 section 11.3\)
 * SAYS: the load \(origins_wrong.c:\d+\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Get \(origins_wrong.c:\d+\) writes
 * SAYS: the store \(origins_wrong.c:\d+\) of rank 0 changes bytes 0 to 3 of a buffer that the pending MPI_Accumulate
 * SAYS: the load \(origins_wrong.c:\d+\) of rank 0 reads bytes 4 to 7 of a buffer that the pending MPI_Rget
 * SAYS: the store \(origins_wrong.c:\d+\) of rank 0 changes bytes 0 to 3 of a buffer that the pending MPI_Fetch_and_op \(origins_wrong.c:\d+\) writes
 * SAYS: the store \(origins_wrong.c:\d+\) of rank 0 changes bytes 16 to 19 of a buffer that the pending MPI_Put
 * SAYS: orknot: 6 findings \(6 errors\)
 * SAYS_LINE: HERE
 * EXIT: 66
 */
#include <mpi.h>

enum { INTS = 16 };

static int rank, *memory, words[INTS];
static volatile int seen;
static MPI_Win win;

static void put_in_a_fence_epoch(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(words, 4, MPI_INT, 1, 0, 4, MPI_INT, win); /* HERE */
        words[1] = 1;                                      /* HERE */
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void get_before_the_flush(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Get(words, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* HERE */
    seen = words[0];                                   /* HERE */
    MPI_Win_flush_local(1, win);
    seen = words[0];
    MPI_Win_unlock(1, win);
}

static void accumulate_before_complete(void)
{
    MPI_Group all, other;
    const int peer = 1 - rank;

    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Accumulate(words, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win); /* HERE */
        words[0]++;                                                        /* HERE */
        MPI_Win_complete(win);
        words[0]++;
    } else {
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
}

static void use_before_the_wait(void)
{
    MPI_Request request;

    MPI_Win_lock_all(0, win);
    MPI_Rget(words, 2, MPI_INT, 1, 0, 2, MPI_INT, win, &request); /* HERE */
    seen = words[1];                                              /* HERE */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    seen = words[1];
    MPI_Win_unlock_all(win);
}

static void use_before_the_unlock(void)
{
    int one = 1, result = 0;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Fetch_and_op(&one, &result, MPI_INT, 1, 8, MPI_SUM, win); /* HERE */
    *(volatile int *)&result = 5;                                 /* HERE */
    MPI_Win_unlock(1, win);
    seen = result;
}

static void change_a_column(void)
{
    MPI_Datatype column;

    MPI_Type_vector(2, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(words, 1, column, 1, 0, 2, MPI_INT, win); /* HERE */
    words[4] = 1;                                     /* HERE */
    MPI_Win_unlock(1, win);
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(INTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    put_in_a_fence_epoch();
    accumulate_before_complete();
    if (rank == 0) {
        get_before_the_flush();
        use_before_the_wait();
        use_before_the_unlock();
        change_a_column();
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

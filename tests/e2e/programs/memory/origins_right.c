/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses of the buffers of one-sided calls that look wrong and are right (MPI-3.1 section 11.3): what
 * is put is read; it is changed after a local flush, after the flush of this target only, after the
 * wait for its request, and after the fence, the unlock and MPI_Win_complete; a buffer whose
 * content MPI_NO_OP ignores is changed; neighbours of a buffer are changed; nothing is put to
 * MPI_PROC_NULL.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

enum { INTS = 16, ROUNDS = 5 };

static int rank, *memory, words[INTS];
static volatile int seen;
static MPI_Win win;

static void fences(void)
{
    MPI_Win_fence(0, win);
    for (int round = 0; round < ROUNDS; round++) {
        words[0] = words[5] = round;
        MPI_Put(words + 1, 4, MPI_INT, 1 - rank, 1, 4, MPI_INT, win);
        MPI_Put(words, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
        for (int i = 0; i < INTS; i++)
            seen = words[i];
        words[0] = words[5] = round + 1;
        MPI_Win_fence(0, win);
        for (int i = 0; i < INTS; i++)
            words[i] = i;
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void locks(void)
{
    MPI_Win_lock_all(0, win);
    for (int target = 0; target < 2; target++) {
        for (int round = 0; round < ROUNDS; round++) {
            MPI_Accumulate(words, 1, MPI_INT, target, rank, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush_local(target, win);
            words[0]++;
            MPI_Accumulate(words, 1, MPI_INT, target, rank, 1, MPI_INT, MPI_SUM, win);
            MPI_Accumulate(words + 1, 1, MPI_INT, 1 - target, rank, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush(target, win);
            words[0]++;
            MPI_Win_flush_all(win);
            words[1]++;
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void requests(void)
{
    MPI_Request request[2];
    int flag = 0;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Rput(words, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request[0]);
    MPI_Rget(words + 2, 1, MPI_INT, 1, 1, 1, MPI_INT, win, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    words[0] = words[2] + 1;
    MPI_Rput(words, 1, MPI_INT, 1, 2, 1, MPI_INT, win, &request[0]);
    while (!flag)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    words[0]++;
    MPI_Win_unlock(1, win);
    words[0]++;
}

static void no_op(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Fetch_and_op(words, words + 8, MPI_INT, 1, 3, MPI_NO_OP, win);
    words[0]++;
    MPI_Win_unlock(1, win);
    words[8]++;
}

/* Between the elements of a column. */
static void column_of_a_matrix(void)
{
    MPI_Datatype column;

    MPI_Type_vector(2, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(words, 1, column, 1, 0, 2, MPI_INT, win);
    words[2] = 1;
    MPI_Win_unlock(1, win);
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(INTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    fences();
    locks();
    if (rank == 0)
        requests();
    if (rank == 0)
        column_of_a_matrix();
    no_op();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

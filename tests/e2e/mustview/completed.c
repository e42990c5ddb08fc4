/* SPDX-License-Identifier: BSD-3-Clause */
/* Events for mustview --ordered. What is complete before what follows from MPI-3.1 sections 11.5
 * and 11.7: a flush completes at the target, a local flush and the end of a request only at the
 * origin, and only a message, collective call or epoch tells another rank. */
#include <mpi.h>

static int rank, word, got, *cell;
static MPI_Win win;

static void fences(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* by-fence */
    MPI_Win_fence(0, win);
    if (rank == 2)
        MPI_Get(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* after-fence */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void groups(void)
{
    MPI_Group all, one;
    int partner = rank == 0 ? 1 : 0;

    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &partner, &one);
    if (rank == 0) {
        MPI_Win_start(one, 0, win);
        MPI_Put(&word, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* by-group */
        MPI_Win_complete(win);
    } else if (rank == 1) {
        MPI_Barrier(MPI_COMM_SELF); /* before-post */
        MPI_Win_post(one, 0, win);  /* post */
        MPI_Win_wait(win);
        MPI_Send(&word, 0, MPI_INT, 2, 0, MPI_COMM_WORLD); /* after-wait */
    } else {
        MPI_Recv(&word, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Group_free(&one);
    MPI_Group_free(&all);
}

static void locks(void)
{
    MPI_Request request;

    MPI_Win_lock_all(0, win);
    if (rank == 2)
        MPI_Get(&got, 1, MPI_INT, 1, 1, 1, MPI_INT, win); /* after-group */
    if (rank == 0) {
        MPI_Put(&word, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* flushed */
        MPI_Win_flush(1, win);
        MPI_Rput(&word, 1, MPI_INT, 1, 3, 1, MPI_INT, win, &request); /* requested */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Put(&word, 1, MPI_INT, 1, 4, 1, MPI_INT, win); /* local */
        MPI_Win_flush_local(1, win);
        MPI_Send(&word, 0, MPI_INT, 2, 0, MPI_COMM_WORLD); /* told */
    }
    if (rank == 2) {
        MPI_Recv(&word, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Accumulate(&word, 1, MPI_INT, 1, 5, 1, MPI_INT, MPI_SUM, win); /* after-told */
    }
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    fences();
    groups();
    locks();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

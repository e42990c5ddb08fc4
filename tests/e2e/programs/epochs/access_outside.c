/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses outside of epochs, to targets that are not in the epoch, and with a request in an epoch
 * of fences; flushes without locks (MPI-3.1 sections 11.5, 11.3.5 and 11.5.4). The windows return
 * errors.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: epoch-misuse warning
 * SAYS: MPI_Put \(access_outside.c:\d+\) of rank 0 accesses target 1 outside of access epochs
 * SAYS: MPI_Get .* accesses target 1, which the access epoch of MPI_Win_lock \(access_outside.c:\d+\)
 * SAYS: MPI_Accumulate .* accesses target 0, which the access epoch of MPI_Win_start
 * SAYS: MPI_Fetch_and_op .* of rank 0 accesses target 1 outside of access epochs, 3 times
 * SAYS: MPI_Compare_and_swap .* of rank 0 accesses target 1 outside of access epochs
 * SAYS: MPI_Rput .* is called in the epoch of MPI_Win_fence \(.*\), which has active targets
 * SAYS: MPI_Win_flush_all .* of rank 1 is called while no target is locked
 * SAYS: MPI_Win_flush_local .* of rank 1 flushes target 0, which is not locked
 * SAYS: MPI_Win_sync .* of rank 1 is called while no target is locked
 * SAYS_LINE: HERE
 * OUTPUT: done
 */
#include <mpi.h>
#include <stdio.h>

static void access_wrongly(MPI_Win win)
{
    int word = 1, result, zero = 0, other = 1;
    MPI_Group world, group;

    MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* HERE */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);          /* HERE */
    MPI_Get(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* HERE */
    MPI_Win_unlock(0, win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    MPI_Win_start(group, 0, win);
    MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win); /* HERE */
    MPI_Win_complete(win);
    for (int i = 0; i < 3; i++)
        MPI_Fetch_and_op(&word, &result, MPI_INT, 1, 0, MPI_SUM, win); /* HERE */
    MPI_Compare_and_swap(&word, &zero, &result, MPI_INT, 1, 0, win);   /* HERE */
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

static void flush_wrongly(MPI_Win win)
{
    int first = 0;
    MPI_Group world, group;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &first, &group);
    MPI_Win_post(group, 0, win);
    MPI_Win_wait(win);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_flush_all(win); /* HERE */
    MPI_Win_sync(win);      /* HERE */
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Win_flush_local(0, win); /* HERE */
    MPI_Win_unlock(1, win);
}

int main(int argc, char **argv)
{
    int rank, word = 1;
    int *cell;
    MPI_Win win;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank == 0)
        access_wrongly(win);
    else
        flush_wrongly(win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Rput(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request); /* HERE */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}

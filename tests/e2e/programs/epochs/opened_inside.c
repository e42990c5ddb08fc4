/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs that are opened inside others on the same window: MPI-3.1 sections 11.5 and 11.5.3. The
 * windows return errors. Each mistake is reported once, also if it confuses what follows.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: epoch-misuse warning
 * SAYS: MPI_Win_lock \(opened_inside.c:\d+\) .* locks target 0, which is locked since MPI_Win_lock
 * SAYS: MPI_Win_lock_all \(opened_inside.c.* starts an access epoch inside the one of MPI_Win_lock
 * SAYS: MPI_Win_start \(opened_inside.c.* starts an access epoch inside the one of MPI_Win_lock
 * SAYS: MPI_Win_post \(opened_inside.c.* exposes its own window, which is locked since MPI_Win_lock
 * SAYS: MPI_Win_post \(opened_inside.c.* starts an exposure epoch inside the one of MPI_Win_post
 * SAYS: MPI_Win_lock \(opened_inside.c.* locks its own window, which is exposed since MPI_Win_post
 * SAYS: MPI_Win_fence \(opened_inside.c.* is called inside the access epoch of MPI_Win_lock_all
 * SAYS: 7 findings
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static MPI_Win make(void)
{
    int *cell;
    MPI_Win win;

    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_SELF, &cell, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    return win;
}

static void after_lock(void)
{
    MPI_Win win[4] = {make(), make(), make(), make()};

    for (int i = 0; i < 4; i++)
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[i]);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[0]); /* HERE */
    MPI_Win_lock_all(0, win[1]);                 /* HERE */
    MPI_Win_start(MPI_GROUP_EMPTY, 0, win[2]);   /* HERE */
    MPI_Win_post(MPI_GROUP_EMPTY, 0, win[3]);    /* HERE */
    MPI_Win_wait(win[3]);
    for (int i = 0; i < 4; i++) {
        MPI_Win_unlock(0, win[i]);
        MPI_Win_free(&win[i]);
    }
}

static void after_post(void)
{
    MPI_Win win[2] = {make(), make()};

    for (int i = 0; i < 2; i++)
        MPI_Win_post(MPI_GROUP_EMPTY, 0, win[i]);
    MPI_Win_post(MPI_GROUP_EMPTY, 0, win[0]);    /* HERE */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[1]); /* HERE */
    MPI_Win_unlock(0, win[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Win_wait(win[i]);
        MPI_Win_free(&win[i]);
    }
}

static void around_fence(void)
{
    MPI_Win win = make();

    MPI_Win_lock_all(0, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win);
    MPI_Win_fence(0, win); /* HERE */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    after_lock();
    after_post();
    around_fence();
    MPI_Finalize();
    return 0;
}

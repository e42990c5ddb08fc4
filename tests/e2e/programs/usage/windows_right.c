/* SPDX-License-Identifier: BSD-3-Clause */
/* All assertions that a call has (MPI-3.1 section 11.5.5), and accesses to MPI_PROC_NULL (11.3).
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int word = 0, value = 1, rank;
    MPI_Win win;
    MPI_Group world, other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int peer = 1 - rank;
    MPI_Win_create(&word, sizeof(word), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT | MPI_MODE_NOSTORE, win);
    MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Get(NULL, 0, MPI_INT, peer, 0, 0, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    MPI_Win_post(other, MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
    MPI_Win_start(other, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, MPI_MODE_NOCHECK, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Win_unlock_all(win);
    MPI_Group_free(&world);
    MPI_Group_free(&other);
    MPI_Win_free(&win);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

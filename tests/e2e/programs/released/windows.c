/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of windows is released before the windows: after the last access to it, while it is
 * exposed, and while it is attached to a dynamic window (MPI-3.1 sections 11.2.4, 11.2.5, 11.5.2).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: memory-released error
 * FINDING: memory-released warning
 * SAYS: free \(windows.c:\d+\) of ranks 0 and 1 releases the memory of the window of MPI_Win_create \(windows.c:\d+\) before MPI_Win_free
 * SAYS: free \(windows.c:\d+\) of rank 1 releases the memory of a window in the exposure epoch of MPI_Win_post \(windows.c:\d+\)
 * SAYS: free \(windows.c:\d+\) of ranks 0 and 1 releases memory that MPI_Win_attach \(windows.c:\d+\) has attached to a window
 * EXIT: 66
 */
#include <mpi.h>
#include <stdlib.h>

enum { WORDS = 100 };

static int rank;

static void last_access(void)
{
    int *words = calloc(WORDS, sizeof(*words));
    MPI_Win win;

    MPI_Win_create(words, WORDS * sizeof(*words), sizeof(*words), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    free(words);
    MPI_Win_free(&win);
}

static void exposed(void)
{
    int *words = calloc(WORDS, sizeof(*words)), word = 1, peer = 1 - rank;
    MPI_Group all, group;
    MPI_Win win;

    MPI_Win_create(words, WORDS * sizeof(*words), sizeof(*words), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &group);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(group, 0, win);
        free(words);
        words = malloc(WORDS * sizeof(*words));
        MPI_Win_wait(win);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    free(words);
}

static void attached(void)
{
    int *words = calloc(WORDS, sizeof(*words));
    MPI_Win win;

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, words, WORDS * sizeof(*words));
    MPI_Barrier(MPI_COMM_WORLD);
    free(words);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    last_access();
    exposed();
    attached();
    MPI_Finalize();
    return 0;
}

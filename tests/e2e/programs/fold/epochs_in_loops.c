/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop of epochs of MPI_Win_post and MPI_Win_start in a ring is folded, and so is one with a
 * message in the epoch. Then ranks 0 and 1 put to the same bytes in one exposure epoch of rank 2.
 *
 * RANKS: 3
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rma-conflict: rank 0 put bytes 0-3 of the window of rank 2 \(epochs_in_loops.c:\d+\) while rank 1 put bytes 0-3 of it \(epochs_in_loops.c:\d+\): nothing orders them
 * SAYS: orknot: 1 finding
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { ITERATIONS = 1500 };

static int rank, right, word, got;
static MPI_Win win;
static MPI_Group origins, targets;

static void ring(int sends)
{
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Win_post(origins, 0, win);
        MPI_Win_start(targets, 0, win);
        MPI_Put(&word, 1, MPI_INT, right, rank, 1, MPI_INT, win);
        if (sends)
            MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 1, MPI_INT, (rank + 2) % 3, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&got, 1, MPI_INT, right, 3, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
}

static void both(MPI_Group all)
{
    const int first[2] = {0, 1}, last = 2;
    MPI_Group group;

    if (rank == 2) {
        MPI_Group_incl(all, 2, first, &group);
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Group_incl(all, 1, &last, &group);
        MPI_Win_start(group, 0, win);
        MPI_Put(&word, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* HERE */
        MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    int memory[4] = {0}, left;
    MPI_Group all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    right = (rank + 1) % 3;
    left = (rank + 2) % 3;
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &left, &origins);
    MPI_Group_incl(all, 1, &right, &targets);
    ring(0);
    ring(1);
    both(all);
    MPI_Group_free(&targets);
    MPI_Group_free(&origins);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

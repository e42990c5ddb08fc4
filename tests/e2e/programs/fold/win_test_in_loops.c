/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of epochs in a ring, the ends of which are looked for by MPI_Win_test, are folded: one with
 * other polls in the epoch, and one that makes another call in an open epoch now and then. Then
 * ranks 0 and 1 put to the same bytes in one exposure epoch of rank 2.
 *
 * RANKS: 3
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rma-conflict: rank 0 put bytes 0-3 of the window of rank 2 \(win_test_in_loops.c:\d+\) while rank 1 put bytes 0-3 of it \(win_test_in_loops.c:\d+\): nothing orders them
 * SAYS: orknot: 1 finding
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { ITERATIONS = 2000, SELDOM = 500 };

static int rank, right, left, word;
static MPI_Win win;
static MPI_Group origins, targets;

static void end_exposure(int polls)
{
    int is_over = 0, is_there;

    while (!is_over) {
        if (polls)
            MPI_Iprobe(left, 99, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
        MPI_Win_test(win, &is_over);
    }
}

static void ring(int polls, int meets)
{
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Win_post(origins, 0, win);
        MPI_Win_start(targets, 0, win);
        MPI_Put(&word, 1, MPI_INT, right, rank, 1, MPI_INT, win);
        if (meets && i % SELDOM == SELDOM - 1)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_complete(win);
        end_exposure(polls);
    }
}

static void both(MPI_Group all)
{
    const int first[2] = {0, 1}, last = 2;
    MPI_Group group;

    if (rank == 2) {
        MPI_Group_incl(all, 2, first, &group);
        MPI_Win_post(group, 0, win);
        end_exposure(0);
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
    int memory[3] = {0};
    MPI_Group all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    right = (rank + 1) % 3;
    left = (rank + 2) % 3;
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &left, &origins);
    MPI_Group_incl(all, 1, &right, &targets);
    ring(0, 0);
    ring(1, 0);
    ring(0, 1);
    both(all);
    MPI_Group_free(&targets);
    MPI_Group_free(&origins);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

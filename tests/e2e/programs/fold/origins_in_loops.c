/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of one-sided calls repeat, so what a call does to the tables of a rank is deferred. In a
 * late iteration, the buffer of a get is sent before the get is complete, or a fence says that no
 * access precedes it.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * FINDING: epoch-misuse error
 * SAYS: buffer-overlap: MPI_Send \(origins_in_loops.c:34\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Get \(origins_in_loops.c:50\) writes
 * SAYS: buffer-overlap: MPI_Send \(origins_in_loops.c:34\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Get \(origins_in_loops.c:62\) writes
 * SAYS: buffer-overlap: MPI_Send \(origins_in_loops.c:34\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Get \(origins_in_loops.c:74\) writes
 * SAYS: buffer-overlap: MPI_Send \(origins_in_loops.c:34\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Get \(origins_in_loops.c:86\) writes
 * SAYS: epoch-misuse: MPI_Win_fence \(origins_in_loops.c:88\) of ranks 0 and 1 asserts MPI_MODE_NOPRECEDE, but completes MPI_Get \(origins_in_loops.c:86\)
 * SAYS: orknot: 5 findings
 * SAYS_LINE: HERE
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

enum { ITERATIONS = 2000, LATE = 1987 };

static int rank, other, buffer, got;
static MPI_Win win;
static MPI_Group group;

/* In one iteration, rank 0 sends the buffer. */
static void look(int i)
{
    if (i != LATE)
        return;
    if (rank == 0)
        MPI_Send(&buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* In another one, a get that is complete. */
static void look_at_complete(int i)
{
    if (i == LATE + 5 && rank == 0)
        MPI_Send(&buffer, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void flushes(void)
{
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Get(&buffer, 1, MPI_INT, other, 0, 1, MPI_INT, win);
        look(i);
        MPI_Win_flush(other, win);
        look_at_complete(i);
    }
    MPI_Win_unlock_all(win);
}

static void locks(void)
{
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
        MPI_Get(&buffer, 1, MPI_INT, other, 0, 1, MPI_INT, win);
        look(i);
        MPI_Win_unlock(other, win);
        look_at_complete(i);
    }
}

static void groups(void)
{
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Win_post(group, 0, win);
        MPI_Win_start(group, 0, win);
        MPI_Get(&buffer, 1, MPI_INT, other, 0, 1, MPI_INT, win);
        look(i);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        look_at_complete(i);
    }
}

static void fences(void)
{
    MPI_Win_fence(0, win);
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Get(&buffer, 1, MPI_INT, other, 0, 1, MPI_INT, win);
        look(i);
        MPI_Win_fence(i == LATE ? MPI_MODE_NOPRECEDE : 0, win); /* HERE */
        look_at_complete(i);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

int main(int argc, char **argv)
{
    int memory[1] = {0};
    MPI_Group all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &other, &group);
    flushes();
    locks();
    groups();
    fences();
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

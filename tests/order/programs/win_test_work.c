/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 exposes a window, and sends work until its test says that rank 1 has completed its access.
 * Rank 1 does so when it has got so much work, so that a rank 0 that waits in a test before that
 * would wait for ever. In a deterministic run some of its tests do wait: they are over when no rank
 * can go on. Rank 2 needs a lock meanwhile, for which it competes with rank 1.
 *
 * RANKS: 3 */
#include "digest.h"

enum { NEEDED = 40, WORK = 1, STOP };

static int memory, counter, word;
static MPI_Win window, locked;

static void add(void)
{
    int one = 1, before = 0;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, locked);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, locked);
    MPI_Win_unlock(0, locked);
    saw(before);
}

static void send_work(MPI_Group other)
{
    int done = 0, sent = 0;

    MPI_Win_post(other, 0, window);
    word = WORK;
    while (MPI_Win_test(window, &done), !done) {
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        sent++;
        usleep(100);
    }
    word = STOP;
    MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    saw(sent);
    saw(memory);
}

static void work(MPI_Group zero)
{
    int got = 0;

    MPI_Win_start(zero, 0, window);
    for (word = WORK; word != STOP;) {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (++got != NEEDED)
            continue;
        MPI_Put(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
        pause_perhaps();
        add();
    }
}

int main(int argc, char **argv)
{
    static const int rank[] = {0, 1};
    MPI_Group world, zero, one;

    begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &rank[0], &zero);
    MPI_Group_incl(world, 1, &rank[1], &one);
    MPI_Win_create(&memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_create(&counter, sizeof(counter), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &locked);
    pause_perhaps();
    if (me == 0)
        send_work(one);
    else if (me == 1)
        work(zero);
    else
        add();
    MPI_Win_free(&locked);
    MPI_Win_free(&window);
    MPI_Group_free(&world);
    MPI_Group_free(&zero);
    MPI_Group_free(&one);
    return end();
}

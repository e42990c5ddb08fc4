/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 has a shared lock until it gets a message of rank 2, which sends it in a shared section of
 * its own. Rank 1 wants an exclusive lock meanwhile.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 4 };

static int word;

static void read_and_send(MPI_Win window)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Win_unlock(1, window);
}

static void read_until_message(MPI_Win window)
{
    int number;

    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Get(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Recv(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_unlock(1, window);
    saw(number);
}

static void change(MPI_Win window)
{
    int one = 1, before;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 1, 0, MPI_SUM, window);
    MPI_Win_unlock(1, window);
    saw(before);
}

int main(int argc, char **argv)
{
    static int memory[1];
    MPI_Win window;

    begin(&argc, &argv);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0) {
            read_until_message(window);
        } else if (me == 1) {
            change(window);
        } else {
            MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            read_and_send(window);
        }
    }
    MPI_Win_free(&window);
    return end();
}

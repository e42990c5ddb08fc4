/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from any source, in blocking and nonblocking calls, and changes its window
 * between and during them; the others change it, too, before and after their messages.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 4 };

static void add(MPI_Win window, int target)
{
    int one = 1, before = 0;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, target, 0, MPI_SUM, window);
    MPI_Win_unlock(target, window);
    saw(before);
}

static void receive_all(MPI_Win window)
{
    for (int i = 1; i < ranks; i++) {
        MPI_Request request;
        MPI_Status status;
        int number;
        if (i % 2 == 1) {
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            add(window, 0);
        } else {
            MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
            add(window, 1);
            MPI_Wait(&request, &status);
        }
        saw_message(&status, number);
    }
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
            receive_all(window);
            continue;
        }
        add(window, i % 2);
        MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        pause_perhaps();
        add(window, 0);
    }
    MPI_Win_free(&window);
    return end();
}

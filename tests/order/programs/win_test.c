/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 exposes a window and tests until the others have put their number there.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 6, MOST = 8 };

static void expose(MPI_Win window, MPI_Group others, const int *memory)
{
    int flag = 0, vain = -1;

    MPI_Win_post(others, 0, window);
    for (; !flag; vain++) {
        MPI_Win_test(window, &flag);
        usleep(50);
    }
    saw(vain);
    for (int i = 1; i < ranks; i++)
        saw(memory[i]);
}

int main(int argc, char **argv)
{
    static const int first[] = {0};
    static int memory[MOST];
    MPI_Group world, zero, others;
    MPI_Win window;

    begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, first, &zero);
    MPI_Group_excl(world, 1, first, &others);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < ROUNDS; i++) {
        int value = 10 * i + me;
        pause_perhaps();
        if (me == 0) {
            expose(window, others, memory);
            continue;
        }
        MPI_Win_start(zero, 0, window);
        MPI_Put(&value, 1, MPI_INT, 0, me, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
    MPI_Win_free(&window);
    MPI_Group_free(&world);
    MPI_Group_free(&zero);
    MPI_Group_free(&others);
    return end();
}

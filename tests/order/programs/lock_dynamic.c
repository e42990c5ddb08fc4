/* SPDX-License-Identifier: BSD-3-Clause */
/* A dynamic window on a communicator in which the ranks have other numbers, locked without and with
 * MPI_MODE_NOCHECK.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 5 };

static void add(MPI_Win window, MPI_Aint place)
{
    int one = 1, before = 0;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, place, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    saw(before);
}

int main(int argc, char **argv)
{
    static int number;
    MPI_Aint place;
    MPI_Comm reversed;
    MPI_Win window;

    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - me, &reversed);
    MPI_Win_create_dynamic(MPI_INFO_NULL, reversed, &window);
    MPI_Win_attach(window, &number, sizeof(number));
    MPI_Get_address(&number, &place);
    MPI_Bcast(&place, 1, MPI_AINT, 0, reversed);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        add(window, place);
    }
    MPI_Barrier(reversed);
    if (me == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(reversed);
    MPI_Win_detach(window, &number);
    MPI_Win_free(&window);
    MPI_Comm_free(&reversed);
    return end();
}

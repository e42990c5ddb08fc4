/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks take two locks in the same order, many times. The tool may take the record of a rank
 * that has a lock before the record by which the previous owner released it.
 *
 * RANKS: 3
 * EXPECT: clean
 * OPTIONS: --must:noise 2:1500
 */
#include <mpi.h>

enum { ROUNDS = 40 };

static void nest(int outer, MPI_Win outer_window, int inner, MPI_Win inner_window)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, outer, 0, outer_window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, inner, 0, inner_window);
    MPI_Win_unlock(inner, inner_window);
    MPI_Win_unlock(outer, outer_window);
}

int main(int argc, char **argv)
{
    int cell[2] = {0, 0};
    MPI_Win window[2];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++)
        MPI_Win_create(&cell[i], sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window[i]);
    for (int i = 0; i < ROUNDS; i++) {
        nest(1, window[0], 0, window[0]);
        nest(2, window[0], 0, window[1]);
    }
    MPI_Win_free(&window[0]);
    MPI_Win_free(&window[1]);
    MPI_Finalize();
    return 0;
}

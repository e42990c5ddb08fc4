/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank locks its own memory and then that of the other. With SLOW=1 rank 1 comes when rank 0
 * has done so; else each gets its first lock, and neither its second.
 *
 * RANKS: 2 */
#include "digest.h"

#include <stdbool.h>

enum { PAUSE_US = 200000 };

int main(int argc, char **argv)
{
    static int memory;
    bool is_slow = getenv("SLOW") != NULL;
    useconds_t between = is_slow ? 0 : PAUSE_US;
    MPI_Win window;

    begin(&argc, &argv);
    MPI_Win_create(&memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    usleep(me == 1 ? PAUSE_US - between : 0);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, window);
    usleep(between);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - me, 0, window);
    MPI_Win_unlock(1 - me, window);
    MPI_Win_unlock(me, window);
    MPI_Win_free(&window);
    return end();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Window locks and atomics that fail, each before one that does not: an atomic at a displacement
 * below 0, a lock of a type that there is not.
 *
 * RANKS: 3 */
#include "digest.h"

#include <string.h>

enum { ROUNDS = 4, NOWHERE = -1, TICKETS = 0, LIST = 1, PLACES = 64 };

static MPI_Win window;

static void fail(int result)
{
    int class;

    MPI_Error_class(result, &class);
    if (class == MPI_SUCCESS) {
        printf("a wrong call did not fail\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    saw(class);
}

static int fetch(int place, int *was)
{
    static const int one = 1;

    return MPI_Fetch_and_op(&one, was, MPI_INT, 0, place, MPI_SUM, window);
}

/* Which calls are made depends on the order, too. */
static void draw(void)
{
    int was = -1;

    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    pause_perhaps();
    fail(fetch(NOWHERE, &was));
    pause_perhaps();
    fetch(TICKETS, &was);
    MPI_Win_flush(0, window);
    saw(was);
    if (was % 2 == 0)
        fail(fetch(NOWHERE, &was));
    MPI_Win_unlock(0, window);
}

/* RATIONALE: after the barrier, so that a lock that fails before it cannot wait for those. */
static void append(void)
{
    int used;

    fail(MPI_Win_lock(-5, 0, 0, window));
    MPI_Barrier(MPI_COMM_WORLD);
    pause_perhaps();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&used, 1, MPI_INT, 0, LIST, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    int next = used + 1;
    MPI_Put(&next, 1, MPI_INT, 0, LIST, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    saw(used);
}

int main(int argc, char **argv)
{
    int *memory;

    begin(&argc, &argv);
    MPI_Win_allocate(PLACES * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    memset(memory, 0, PLACES * sizeof(*memory));
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) {
        draw();
        append();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
    return end();
}

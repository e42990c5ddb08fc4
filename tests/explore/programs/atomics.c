/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics of windows whose order is a choice. PART names what the ranks do.
 *
 * none: each one counts a number up, and rank 0 prints what all of them got. Of the others it
 * prints the sum only. requests: the same with MPI_Rget_accumulate.
 * places: each one does so at a place of its own. reads: they only read.
 * lock: each one takes a spin lock once. once: each one tries to take the lock once.
 *
 * RANKS: 3
 * EXPLORE: 6 orders, 1 ended, 1 ended, 1 ended, 1 ended, 1 ended, 1 ended, exit 66
 * EXPLORE (variable PART=places): 1 order, 1 ended, exit 0
 * EXPLORE (ranks 2, variable PART=lock): 2 orders, 2+ ended, 0+ repeated, exit 0
 * NIGHTLY (variable PART=lock): 6 orders, 6+ ended, 0+ repeated, exit 0
 * NIGHTLY (variable PART=requests): 6 orders, 6 ended, exit 0
 * NIGHTLY (variable PART=reads): 1 order, 1 ended, exit 0
 * NIGHTLY (variable PART=once): 6 orders, 2 ended, 2 ended, 2 ended, exit 66 */
#include "small.h"

#include <string.h>

enum { PLACES = 8 };

static MPI_Win window;
static int *memory;

static int fetch(int place, int value, MPI_Op op)
{
    int was = -1;

    MPI_Fetch_and_op(&value, &was, MPI_INT, 0, place, op, window);
    MPI_Win_flush(0, window);
    return was;
}

static int fetch_later(int value)
{
    MPI_Request request;
    int was = -1;

    MPI_Rget_accumulate(&value, 1, MPI_INT, &was, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window,
                        &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return was;
}

static int swap(int place, int old, int new)
{
    int was = -1;

    MPI_Compare_and_swap(&new, &old, &was, MPI_INT, 0, place, window);
    MPI_Win_flush(0, window);
    return was;
}

/* Returns how many had the lock before. */
static int spin(void)
{
    while (swap(0, 0, me + 1) != 0) {
        /* again */
    }
    int had = fetch(1, 1, MPI_SUM);
    fetch(0, 0, MPI_REPLACE);
    return had;
}

static int run(const char *part)
{
    if (strcmp(part, "none") == 0)
        return fetch(0, 1, MPI_SUM);
    if (strcmp(part, "requests") == 0)
        return fetch_later(1);
    if (strcmp(part, "places") == 0)
        return fetch(me, me, MPI_SUM);
    if (strcmp(part, "reads") == 0)
        return fetch(0, 0, MPI_NO_OP);
    if (strcmp(part, "lock") == 0)
        return spin();
    return swap(0, 0, me + 1);
}

int main(int argc, char **argv)
{
    const char *part = getenv("PART") != NULL ? getenv("PART") : "none";
    int all[16] = {0}, sum = 0;

    begin(&argc, &argv);
    MPI_Win_allocate(PLACES * (MPI_Aint)sizeof(*memory), sizeof(*memory), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, PLACES * sizeof(*memory));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    int got = run(part);
    MPI_Win_unlock_all(window);
    MPI_Gather(&got, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < ranks && me == 0; i++) {
        sum += all[i];
        if (strcmp(part, "none") == 0)
            printf("%d ", all[i]);
    }
    if (me == 0)
        printf("sum %d\n", sum);
    MPI_Win_free(&window);
    return end();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics of one location, by all ranks, in epochs of locks: what each of them fetches depends on
 * their order. A spin lock, whose attempts fail in between, protects a list.
 *
 * RANKS: 3 */
#include "digest.h"

#include <string.h>

enum { ROUNDS = 4, TICKETS = 0, SUM = 1, LAST = 2, LOCK = 3, USED = 4, LIST = 5, PLACES = 64 };

static MPI_Win window;

static int fetch(int place, int value, MPI_Op op)
{
    int was = -1;

    MPI_Fetch_and_op(&value, &was, MPI_INT, 0, place, op, window);
    MPI_Win_flush(0, window);
    return was;
}

static void sum(void)
{
    MPI_Request request;
    int one = 1, was = -1, later = -1;

    MPI_Get_accumulate(&me, 1, MPI_INT, &was, 1, MPI_INT, 0, SUM, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_flush(0, window);
    MPI_Rget_accumulate(&one, 1, MPI_INT, &later, 1, MPI_INT, 0, SUM, 1, MPI_INT, MPI_SUM, window,
                        &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    saw(was);
    saw(later);
}

static void append(void)
{
    const int free = 0, mine = me + 1;
    int was;

    do {
        MPI_Compare_and_swap(&mine, &free, &was, MPI_INT, 0, LOCK, window);
        MPI_Win_flush(0, window);
        saw(was);
    } while (was != free);
    int used = fetch(USED, 1, MPI_SUM);
    MPI_Put(&me, 1, MPI_INT, 0, LIST + used, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    MPI_Accumulate(&free, 1, MPI_INT, 0, LOCK, 1, MPI_INT, MPI_REPLACE, window);
    MPI_Win_flush(0, window);
    saw(used);
}

int main(int argc, char **argv)
{
    int *memory;

    begin(&argc, &argv);
    MPI_Win_allocate(PLACES * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &window);
    memset(memory, 0, PLACES * sizeof(*memory));
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        pause_perhaps();
        saw(fetch(TICKETS, 1, MPI_SUM));
        MPI_Accumulate(&me, 1, MPI_INT, 0, LAST, 1, MPI_INT, MPI_REPLACE, window);
        pause_perhaps();
        saw(fetch(LAST, 0, MPI_NO_OP));
        MPI_Win_unlock(0, window);
        MPI_Win_lock_all(0, window);
        sum();
        append();
        MPI_Win_unlock_all(window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; me == 0 && i < PLACES; i++)
        saw(memory[i]);
    MPI_Win_free(&window);
    return end();
}

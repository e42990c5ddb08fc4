/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of byte ranges, with a window of rank 0 that has a flag and a range for each rank. Written
 * from the description in: Pervez, Gopalakrishnan, Kirby, Thakur, Gropp: Formal methods applied to
 * high-performance computing software design: a case study of MPI one-sided communication-based
 * locking (2010). A rank that finds its range in use takes back its flag, and waits for a message
 * of a rank that releases an overlapping range.
 *
 * The protocol has two defects:
 * 1. Two ranks see the flag of the other, take back their own, and wait, though nobody has it:
 *    a deadlock. With two ranks, one has to ask again before the other has taken back its flag. So
 *    rank 0 needs its range twice, and rank 1 once.
 * 2. A rank is told twice, and waits only once: the second message stays. If the library does not
 *    buffer it, its sender waits for ever.
 *
 * RANKS: 2
 * There are 25 orders of the critical sections: 21 end well, and each defect shows in 2.
 *
 * NIGHTLY: 25 orders, 21 ended, 2 deadlock, 2 deadlock, exit 66 */
#include "small.h"

#include <stddef.h>

enum { RANKS = 8, HOME = 0, TOLD = 1 };

struct claim {
    int flag, first, end;
};

static struct claim claims[RANKS]; /* of HOME: the window */
static MPI_Win window;

static MPI_Aint place_of(int rank)
{
    return (MPI_Aint)((size_t)rank * sizeof(struct claim));
}

/* Write the own claim, and read those of all others, as one step. */
static void exchange(const struct claim *own, struct claim *other)
{
    int size = (int)sizeof(struct claim);

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, HOME, 0, window);
    MPI_Put(own, size, MPI_BYTE, HOME, place_of(me), size, MPI_BYTE, window);
    for (int r = 0; r < ranks; r++) {
        if (r != me)
            MPI_Get(&other[r], size, MPI_BYTE, HOME, place_of(r), size, MPI_BYTE, window);
    }
    MPI_Win_unlock(HOME, window);
}

static void take_back_flag(void)
{
    static const int none = 0;
    MPI_Aint place = place_of(me) + (MPI_Aint)offsetof(struct claim, flag);

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, HOME, 0, window);
    MPI_Put(&none, 1, MPI_INT, HOME, place, 1, MPI_INT, window);
    MPI_Win_unlock(HOME, window);
}

static int overlaps(const struct claim *a, const struct claim *b)
{
    return a->first < b->end && b->first < a->end;
}

static void acquire(int first, int end_)
{
    const struct claim own = {1, first, end_};
    struct claim other[RANKS];

    for (;;) {
        int in_use = 0;
        exchange(&own, other);
        for (int r = 0; r < ranks; r++)
            in_use |= r != me && other[r].flag && overlaps(&own, &other[r]);
        if (!in_use)
            return;
        take_back_flag();
        MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, TOLD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void release(int first, int end_)
{
    const struct claim none = {0, 0, 0}, own = {0, first, end_};
    struct claim other[RANKS];

    exchange(&none, other);
    for (int r = 0; r < ranks; r++) {
        if (r != me && overlaps(&own, &other[r]))
            MPI_Send(NULL, 0, MPI_INT, r, TOLD, MPI_COMM_WORLD);
    }
}

/* How often the rank takes the lock: ROUNDS is "2,1" if it is not set. */
static int rounds(void)
{
    const char *text = getenv("ROUNDS");
    int of[2] = {2, 1};

    if (text != NULL)
        sscanf(text, "%d,%d", &of[0], &of[1]);
    return of[me == 0 ? 0 : 1];
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Win_create(claims, me == HOME ? (MPI_Aint)sizeof(claims) : 0, 1, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &window);
    for (int i = 0; i < rounds(); i++) {
        acquire(0, 10);
        release(0, 10);
    }
    MPI_Win_free(&window);
    return end();
}

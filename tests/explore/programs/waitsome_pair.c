/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes the messages of three ranks. It cannot handle those of ranks 1 and 3 in one call of
 * MPI_Waitsome without that of rank 2.
 *
 * RANKS: 4
 * The three can be complete in 13 ways: all at once, one and then two, two and then one (3 each),
 * or one after the other (6). In two of them ranks 1 and 3 are alone in one call.
 *
 * NIGHTLY: 13 orders, 11 ended, 2 exit, exit 66 */
#include "small.h"

enum { MESSAGES = 3, FAULT = 3 };

static void take(int count, const int *index)
{
    int set = 0;

    for (int i = 0; i < count; i++)
        set |= 1 << index[i];
    if (set == 5)
        MPI_Abort(MPI_COMM_WORLD, FAULT);
}

int main(int argc, char **argv)
{
    MPI_Request request[MESSAGES];
    int value[MESSAGES], index[MESSAGES], count;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    for (int i = 0; i < MESSAGES; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
    for (int taken = 0; taken < MESSAGES; taken += count) {
        MPI_Waitsome(MESSAGES, request, &count, index, MPI_STATUSES_IGNORE);
        take(count, index);
    }
    return end();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 makes three different polls in turn until one is successful: it tests the result of rank
 * 1, probes for a message of rank 2, and tests for any of two requests of ranks 3 and 4. Each of
 * these four outcomes comes at the first such poll, or when all three were unsuccessful; rank 0 is
 * wrong in the last case, and only then, if it is rank 4. LATE delays the messages of these ranks.
 *
 * RANKS: 5
 * NIGHTLY: 8 orders, 7+ ended, 1+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable LATE=12): 8 orders, 7+ ended, 1+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable LATE=34): 8 orders, 7+ ended, 1+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable LATE=1234): 8 orders, 7+ ended, 1+ exit, 0+ repeated, exit 66 */
#include "small.h"

#include <string.h>

/* Returns the rank that was first; *rounds: of unsuccessful polls before it. */
static int poll_all(MPI_Request request[3], int *rounds)
{
    int done = 0, index;

    for (*rounds = 0;; ++*rounds) {
        MPI_Test(&request[0], &done, MPI_STATUS_IGNORE);
        if (done)
            return 1;
        MPI_Iprobe(2, 0, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        if (done)
            return 2;
        MPI_Testany(2, request + 1, &index, &done, MPI_STATUS_IGNORE);
        if (done)
            return 3 + index;
    }
}

int main(int argc, char **argv)
{
    static const int from[3] = {1, 3, 4};
    MPI_Request request[3];
    int value[3], first = 0, rounds = 0;

    begin(&argc, &argv);
    if (me != 0) {
        const char *late = getenv("LATE");
        usleep(late != NULL && strchr(late, '0' + me) != NULL ? 300000 : 0);
        send_to(0, me);
        return end();
    }
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, from[i], 0, MPI_COMM_WORLD, &request[i]);
    usleep(100000);
    first = poll_all(request, &rounds);
    receive_from(2);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    end();
    return first == 4 && rounds > 0 ? 7 : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests two requests in turn, and sends work to rank 3 after each unsuccessful test, so that
 * there are other calls between equal tests. Each request is complete at its first test, or when
 * both were tested in vain. LATE: the messages for them come after several rounds.
 *
 * RANKS: 4
 * EXPLORE: 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable LATE=1): 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable LATE=12): 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66 */
#include "small.h"

#include <string.h>

enum { WORK = 1, STOP };

static int master(void)
{
    MPI_Request request[2];
    int value[2], done = 0, i;

    for (i = 0; i < 2; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
    usleep(50000);
    for (i = 0; MPI_Test(&request[i], &done, MPI_STATUS_IGNORE), !done; i = 1 - i) {
        send_to(3, WORK);
        usleep(1000);
    }
    send_to(3, STOP);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    return i == 0 ? 0 : 7;
}

int main(int argc, char **argv)
{
    const char *late = getenv("LATE");
    int value = WORK, code = 0;

    begin(&argc, &argv);
    if (me == 0)
        code = master();
    if (me == 1 || me == 2) {
        usleep(late != NULL && strchr(late, '0' + me) != NULL ? 200000 : 0);
        send_to(0, me);
    }
    while (me == 3 && value != STOP)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end();
    return code;
}

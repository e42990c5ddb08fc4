/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends work until the answer is there, however long that takes. In the first run it is
 * there at once. LATE: it is not.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 2+ ended, 0+ repeated, exit 0
 * NIGHTLY (variable LATE=): 2 orders, 2+ ended, 0+ repeated, exit 0 */
#include "small.h"

enum { WORK = 1, STOP = 2 };

int main(int argc, char **argv)
{
    MPI_Request request;
    int value = 0, done = 0;

    begin(&argc, &argv);
    if (me == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        usleep(50000);
        while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done) {
            send_to(2, WORK);
            usleep(1000);
        }
        send_to(2, STOP);
    }
    if (me == 1) {
        usleep(getenv("LATE") != NULL ? 200000 : 0);
        send_to(0, 1);
    }
    while (me == 2 && value != STOP)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 looks three times for a result of rank 1: it tests its request, probes for a message of
 * rank 2 twice, and tells rank 3 that it goes on. Then it gives up, and polls for the result in a
 * loop without an end. In each of three rounds the test is successful, or the first probe, or the
 * second one; or none is, and then the test of the last loop at once, or later. That the probe is
 * successful in the third round, at its second call, is wrong.
 *
 * RANKS: 4
 * NIGHTLY: 11 orders, 11 ended, 1 exit, 1 repeated, exit 66
 * NIGHTLY (variable LATE=1): 11 orders, 11 ended, 1 exit, 1 repeated, exit 66 */
#include "small.h"

enum { ROUNDS = 3, WORK = 1, STOP };

static int probe(void)
{
    int found = 0;

    MPI_Iprobe(2, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    return found;
}

/* True: it found the message at the second probe of the last round. */
static int look(MPI_Request *request)
{
    int done = 0, found = 0;

    for (int i = 0; i < ROUNDS; i++) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        for (int k = 0; k < 2 && !done && !found; k++) {
            found = probe();
            if (found && k == 1 && i == ROUNDS - 1)
                return 1;
        }
        if (done || found)
            return 0;
        send_to(3, WORK);
    }
    while (!done)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Request request;
    int value = WORK, is_wrong = 0;

    begin(&argc, &argv);
    if (me == 0) {
        usleep(100000);
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        is_wrong = look(&request);
        send_to(3, STOP);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        receive_from(2);
    }
    if (me == 1 || me == 2) {
        usleep(getenv("LATE") != NULL ? 200000 : 0);
        send_to(0, me);
    }
    while (me == 3 && value != STOP)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end();
    return is_wrong ? 7 : 0;
}

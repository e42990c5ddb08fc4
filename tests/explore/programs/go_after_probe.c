/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 looks for a message of rank 1, which only sends it when it was told to go: a probe that
 * waited for it would never end. Nor would the last test of rank 0, which is made once.
 *
 * RANKS: 2
 * EXPLORE: 1 order, 1 ended, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    int found = 0, value;

    begin(&argc, &argv);
    if (me == 1) {
        receive_from(0);
        send_to(0, 1);
        receive_from(0);
        send_to(0, 2);
        return end();
    }
    MPI_Iprobe(1, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    if (!found)
        send_to(1, 0);
    receive_from(1);
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &found, MPI_STATUS_IGNORE);
    if (!found)
        send_to(1, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return end();
}

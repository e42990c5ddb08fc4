/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent receive from any source, started twice.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 ended, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Status status;
    int value;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, &status);
        printf("%d\n", status.MPI_SOURCE);
    }
    MPI_Request_free(&request);
    return end();
}

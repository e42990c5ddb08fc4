/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of an intercommunicator are those of the other group: 0 and 1 are ranks 1 and 2 here.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 ended, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Comm local, remote;
    MPI_Status status;
    int value;

    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, me == 0, me, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, me == 0 ? 1 : 0, 5, &remote);
    if (me != 0)
        MPI_Send(&me, 1, MPI_INT, 0, 0, remote);
    for (int i = 0; me == 0 && i < 2; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, remote, &status);
        printf("%d %d\n", status.MPI_SOURCE, value);
    }
    MPI_Comm_free(&remote);
    MPI_Comm_free(&local);
    return end();
}

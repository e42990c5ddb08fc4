/* SPDX-License-Identifier: BSD-3-Clause */
/* The message of rank 2 is too long. The program asks for error codes, and goes on.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 ended, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    static const int two[2];
    int got, code[2];

    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (me != 0)
        MPI_Send(two, me, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; me == 0 && i < 2; i++) {
        code[i] = MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("receive %d %s\n", i, code[i] == MPI_SUCCESS ? "succeeded" : "failed");
    }
    return end();
}

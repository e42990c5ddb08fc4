/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that was found by MPI_Mprobe is that of MPI_Mrecv: one choice, not two.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 ended, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Message message;
    MPI_Status status;
    int value;

    begin(&argc, &argv);
    if (me != 0)
        send_to(0, me);
    for (int i = 0; me == 0 && i < 2; i++) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        printf("%d\n", value);
    }
    return end();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* If the message of rank 2 is the first, rank 0 ends without MPI_Finalize.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 exit, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    int first = receive_from(MPI_ANY_SOURCE);
    receive_from(MPI_ANY_SOURCE);
    return first == 2 ? 0 : end();
}

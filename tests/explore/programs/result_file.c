/* SPDX-License-Identifier: BSD-3-Clause */
/* Only a file tells which message was the first.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 2 ended, exit 0
 * EXPLORE (compare result.txt): 2 orders, 1 ended, 1 ended, exit 66
 * NIGHTLY (compare other.txt): 2 orders, 2 ended, exit 0 */
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
    FILE *out = fopen("result.txt", "w");
    if (out == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(out, "first %d\n", first);
    fclose(out);
    return end();
}

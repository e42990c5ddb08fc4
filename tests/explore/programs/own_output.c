/* SPDX-License-Identifier: BSD-3-Clause */
/* Each run prints a number of its own.
 *
 * RANKS: 3
 * VARIES: ^process
 * EXPLORE: 2 orders, 1 ended, 1 ended, exit 66
 * NIGHTLY (ignore-output ^process [0-9]+$): 2 orders, 2 ended, exit 0
 * EXPLORE (ignore-output first|process): 2 orders, 2 ended, exit 0
 * NIGHTLY (ignore-output first): 2 orders, 1 ended, 1 ended, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    printf("process %d\n", (int)getpid());
    printf("first line\n");
    if (me != 0)
        send_to(0, me);
    for (int i = 1; me == 0 && i < ranks; i++)
        receive_from(MPI_ANY_SOURCE);
    return end();
}

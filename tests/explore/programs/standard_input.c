/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads numbers; the exit code is their sum.
 *
 * RANKS: 3
 * EXPLORE (input 1 2 -3\n): 2 orders, 2 ended, exit 0
 * EXPLORE (pipe 1 2 -3\n): 2 orders, 2 ended, exit 0
 * NIGHTLY (input 1 2\n): 2 orders, 2 exit, exit 66
 * NIGHTLY: 2 orders, 2 ended, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    int sum = 0, number;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    while (scanf("%d", &number) == 1)
        sum += number;
    receive_from(MPI_ANY_SOURCE);
    receive_from(MPI_ANY_SOURCE);
    end();
    return sum;
}

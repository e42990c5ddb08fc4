/* SPDX-License-Identifier: BSD-3-Clause */
/* A master takes the results of its workers as they come.
 *
 * RANKS: 5
 * EXPLORE: 24 orders, 24 ended, exit 0
 * EXPLORE (explore-symmetric 1-4): 1 order, 1 ended, incomplete, exit 0
 * EXPLORE (explore-symmetric 1-2): 12 orders, 12 ended, incomplete, exit 0
 * EXPLORE (explore-jobs 2): 24 orders, 24 ended, exit 0
 * EXPLORE (explore-sample 7): 24 orders, 24 ended, exit 0
 * EXPLORE (explore-runs 5): 5 orders, 5 ended, 1+ left, incomplete, exit 0
 * EXPLORE (explore-quota 3): 2+ orders, 2+ ended, incomplete, exit 0
 * EXPLORE (explore-loop 1): 4+ orders, 4+ ended, incomplete, exit 0
 * EXPLORE (explore-mixing 1): 2+ orders, 2+ ended, incomplete, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 1; me == 0 && i < ranks; i++)
        receive_from(MPI_ANY_SOURCE);
    if (me != 0)
        send_to(0, me);
    return end();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A master takes the results of its workers as they come. RESULTS: so many of rank 1.
 *
 * RANKS: 4
 * EXPLORE: 6 orders, 6 ended, exit 0
 * EXPLORE (bounds symmetric=1-3): 1 order, 1 ended, incomplete, exit 0
 * NIGHTLY (bounds symmetric=1-2): 3 orders, 3 ended, incomplete, exit 0
 * EXPLORE (explore-jobs 2): 6 orders, 6 ended, exit 0
 * NIGHTLY (bounds sample=7): 6 orders, 6 ended, exit 0
 * EXPLORE (bounds sample=7,runs=2): 2 orders, 2 ended, 1+ left, incomplete, exit 0
 * EXPLORE (bounds quota=3): 2+ orders, 2+ ended, incomplete, exit 0
 * NIGHTLY (bounds loop=1): 3+ orders, 3+ ended, incomplete, exit 0
 * EXPLORE (bounds mixing=1, variable RESULTS=2): 2+ orders, 2+ ended, perhaps incomplete, exit 0
 */
#include "small.h"

int main(int argc, char **argv)
{
    const char *results = getenv("RESULTS");
    const int more = results != NULL ? atoi(results) - 1 : 0;

    begin(&argc, &argv);
    for (int i = 1; me == 0 && i < ranks + more; i++)
        receive_from(MPI_ANY_SOURCE);
    for (int i = 0; me != 0 && i < (me == 1 ? 1 + more : 1); i++)
        send_to(0, me);
    return end();
}

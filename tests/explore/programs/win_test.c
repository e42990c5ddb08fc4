/* SPDX-License-Identifier: BSD-3-Clause */
/* Two exposure epochs, each with one MPI_Win_test and then a loop of others. The first one may be
 * over at once; the second one cannot, because its origin waits for a message that is sent after
 * the first test. Each loop may be successful at once or later: 2 + 4 orders. EARLY: the first run
 * is successful at once. LATE: it is not.
 *
 * RANKS: 2
 * EXPLORE (variable LATE=): 6 orders, 4+ ended, 2+ exit, 0+ repeated, exit 66
 * NIGHTLY (variable EARLY=): 6 orders, 4+ ended, 2+ exit, 0+ repeated, exit 66 */
#include "small.h"

static int shared;
static MPI_Win window;
static MPI_Group other;

static void access_once(void)
{
    const int value = 1;

    MPI_Win_start(other, 0, window);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
}

/* Returns whether it was over at once. */
static int expose_once(int may_send)
{
    int over = 0, first;

    MPI_Win_post(other, 0, window);
    if (getenv("EARLY") != NULL && !may_send)
        usleep(300000);
    MPI_Win_test(window, &over);
    first = over;
    if (may_send && !over)
        send_to(1, 1);
    while (!over)
        MPI_Win_test(window, &over);
    return first;
}

int main(int argc, char **argv)
{
    int first = 0, rank;
    MPI_Group all;

    begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    rank = 1 - me;
    MPI_Group_incl(all, 1, &rank, &other);
    MPI_Win_create(&shared, sizeof(shared), sizeof(shared), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (me == 0) {
        first = expose_once(0);
        expose_once(1);
    } else {
        usleep(getenv("LATE") != NULL ? 300000 : 0);
        access_once();
        receive_from(0);
        access_once();
    }
    MPI_Win_free(&window);
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    end();
    return first ? 7 : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from any source, first the message of rank 1. Rank 2 sends when it has
 * synchronised with rank 0 by a fence, an epoch of which it is the target, or a group; or it has
 * not.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 2 ended, exit 0
 * EXPLORE (variable FENCE=): 1 order, 1 ended, exit 0
 * NIGHTLY (variable TARGET=): 1 order, 1 ended, exit 0
 * Open MPI 4.1.4 itself hangs in MPI_Comm_create_group in 1 of 80 runs.
 * NIGHTLY (variable GROUP=): 1 order, 1 ended, exit 0 */
#include "small.h"

static MPI_Win window;
static MPI_Group partner, both;

static void synchronise(void)
{
    MPI_Comm comm;

    if (getenv("FENCE") != NULL)
        MPI_Win_fence(0, window);
    if (getenv("TARGET") != NULL && me == 0) {
        MPI_Win_start(partner, 0, window);
        MPI_Win_complete(window);
    }
    if (getenv("TARGET") != NULL && me == 2) {
        MPI_Win_post(partner, 0, window);
        MPI_Win_wait(window);
    }
    if (getenv("GROUP") != NULL && me != 1) {
        MPI_Comm_create_group(MPI_COMM_WORLD, both, 0, &comm);
        MPI_Comm_free(&comm);
    }
}

int main(int argc, char **argv)
{
    static int shared;
    const int zero_and_two[2] = {0, 2};
    MPI_Group all;

    begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &zero_and_two[me == 0], &partner);
    MPI_Group_incl(all, 2, zero_and_two, &both);
    MPI_Win_create(&shared, sizeof(shared), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (me == 1)
        send_to(0, 1);
    if (me == 0)
        receive_from(MPI_ANY_SOURCE);
    synchronise();
    if (me == 2)
        send_to(0, 1);
    if (me == 0)
        receive_from(MPI_ANY_SOURCE);
    MPI_Group_free(&all);
    MPI_Group_free(&partner);
    MPI_Group_free(&both);
    MPI_Win_free(&window);
    return end();
}

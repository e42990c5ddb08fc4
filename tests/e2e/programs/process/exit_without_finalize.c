/* SPDX-License-Identifier: BSD-3-Clause */
/* The only rank leaves without MPI_Finalize. Nobody waits for it.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{

    MPI_Init(&argc, &argv);
    printf("leaving\n");
    fflush(stdout);
    _exit(0);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The only rank crashes. Nobody waits for it.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * PLAIN: compared
 */
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{

    MPI_Init(&argc, &argv);
    raise(SIGSEGV);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI_Bcast whose root sends more than others receive (MPI-3.1 section 5.4) ends the job by the
 * default error handler. The finding of the mistake says so: there is no second one.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: count-mismatch error
 * SAYS: rank 0 sends 1000 x MPI_INT \(MPI_Bcast at bcast_fatal.c:\d+\), but rank 1 receives 4 x MPI_INT
 * SAYS: MPI_Bcast at bcast_fatal.c:\d+ of rank 1 failed with MPI_ERR_TRUNCATE
 * SAYS: 1 finding
 * PLAIN: any
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int word[1000];
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(word, rank == 0 ? 1000 : 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 8.7: each process of an MPI program initialises MPI. Rank 1 ends while the others
 * are in MPI_Init and wait for it.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: ranks 0 and 2 (were ended in MPI_Init, which rank 1 did not call|wait in MPI_Init for rank 1, which)
 * SAYS: 1 finding
 * PLAIN: any
 * REPORT_RANKS: 0
 * EXIT: 66 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

/* As Open MPI, Slurm and hydra name it. */
static int is_second(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");

    if (rank == NULL)
        rank = getenv("PMIX_RANK");
    if (rank == NULL)
        rank = getenv("PMI_RANK");
    return rank != NULL && atoi(rank) == 1;
}

int main(int argc, char **argv)
{
    if (is_second()) {
        sleep(3);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}

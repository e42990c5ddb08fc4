/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that never calls MPI runs unchanged.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: no MPI here
 * REPORT_RANKS: 0
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");

    if (rank != NULL && rank[0] == '0')
        printf("no MPI here\n");
    return MPI_SUCCESS;
}

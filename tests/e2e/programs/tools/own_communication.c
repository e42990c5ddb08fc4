/* SPDX-License-Identifier: BSD-3-Clause */
/* The program contains a tool that has a communicator of its own, which it never frees, and
 * collects what it has counted at the end. What the program leaves is still a leak.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: resource-leak warning
 * SAYS: 1 communicator of MPI_Comm_dup .* was not freed
 * SAYS: 1 finding
 * SAYS_LINE: LEAK
 * OUTPUT: 6 barriers
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm own;
static MPI_Group members;
static int barriers;

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);

    PMPI_Comm_dup(MPI_COMM_WORLD, &own);
    PMPI_Comm_group(own, &members);
    return result;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    return PMPI_Comm_dup(comm, newcomm);
}

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
    int rank, all = 0;

    PMPI_Reduce(&barriers, &all, 1, MPI_INT, MPI_SUM, 0, own);
    PMPI_Comm_rank(own, &rank);
    if (rank == 0)
        printf("%d barriers\n", all);
    PMPI_Barrier(own);
    return PMPI_Finalize();
}

int main(int argc, char **argv)
{
    MPI_Comm left;

    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &left); /* LEAK */
    MPI_Barrier(left);
    MPI_Finalize();
    return 0;
}

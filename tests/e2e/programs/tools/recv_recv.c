/* SPDX-License-Identifier: BSD-3-Clause */
/* The program contains functions that profile (MPI-3.1 section 14.2): MPI_Recv calls a function of
 * its own, which calls PMPI_Recv. Both ranks receive first; the place is that of the program's
 * call.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static long calls;

static __attribute__((noinline)) int measured_recv(void *buf, int count, MPI_Datatype datatype,
                                                   int source, int tag, MPI_Comm comm,
                                                   MPI_Status *status)
{
    calls++;
    int result = PMPI_Recv(buf, count, datatype, source, tag, comm, status);
    calls++;
    return result;
}

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    int result = measured_recv(buf, count, datatype, source, tag, comm, status);

    calls--;
    return result;
}

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    int result = PMPI_Send(buf, count, datatype, dest, tag, comm);

    calls++;
    return result;
}

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return calls > 0 ? 0 : 1;
}

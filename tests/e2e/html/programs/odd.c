/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
/* Ranks but the last meet at a barrier of a duplicate; the last one waits for a message first. */
static void synchronise(MPI_Comm comm)
{
    MPI_Barrier(comm);
}
static void collect(MPI_Comm comm, int *value)
{
    MPI_Recv(value, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    int rank, size, value = 0;
    MPI_Comm rows, work;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &rows);
    MPI_Comm_dup(rows, &work);
    if (rank == size - 1)
        collect(work, &value);
    synchronise(work);
    MPI_Finalize();
    return 0;
}

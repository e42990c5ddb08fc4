// SPDX-License-Identifier: BSD-3-Clause
// Rank 1 throws what nobody catches.
//
// RANKS: 2
// EXPECT: no-deadlock
// FINDING: abnormal-end error
// SAYS: rank 1 was killed by SIGABRT at uncaught.cpp:\d+, after MPI_Init
// SAYS_LINE: HERE
// EXIT: 134
#include <mpi.h>

#include <stdexcept>

int main(int argc, char **argv)
{
    int in = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        throw std::runtime_error("nobody catches this");
    MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // HERE
    MPI_Finalize();
    return 0;
}

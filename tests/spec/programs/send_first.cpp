// SPDX-License-Identifier: BSD-3-Clause
// Stand-in for a C++ code of 2007 whose ranks send to each other before they receive: small
// messages, so that buffering saves it.
#include <mpi.h>

#include <cstdio>
#include <memory>

int main(int argc, char **argv)
{
    int rank, size, nullptr = 0; // a name like any other before C++11
    int exchanged[2] = {0, 0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if ((rank ^ 1) < size) {
        std::auto_ptr<int> mine(new int(rank));
        MPI_Send(mine.get(), 1, MPI_INT, rank ^ 1, nullptr, MPI_COMM_WORLD);
        MPI_Recv(exchanged, 1, MPI_INT, rank ^ 1, nullptr, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Reduce(&exchanged[0], &exchanged[1], 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%d ranks, exchanged %d\n", size, exchanged[1]);
    MPI_Finalize();
    return 0;
}

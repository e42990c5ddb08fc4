// SPDX-License-Identifier: BSD-3-Clause
// Stand-in for a C++ code: a communicator made anew in each step, as 532.sph_exa does. With an
// argument its ranks wait for each other.
#include <mpi.h>

#include <cstdio>
#include <vector>

static int step(MPI_Comm comm)
{
    int one = 1;
    int sum = 0;

    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum;
}

int main(int argc, char **argv)
{
    int rank = 0;
    int size = 0;
    std::vector<int> sums;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (auto i : {1, 2, 3}) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &comm);
        sums.push_back(i * step(comm));
        MPI_Comm_free(&comm);
    }
    if (argc > 1)
        MPI_Recv(sums.data(), 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        std::printf("%d ranks, sums %d %d %d\n", size, sums[0], sums[1], sums[2]);
    MPI_Finalize();
    return 0;
}

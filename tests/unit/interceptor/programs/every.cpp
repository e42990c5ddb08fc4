// SPDX-License-Identifier: BSD-3-Clause
// C++ with the C functions, and an exception after MPI calls. See every.c for the arrows.
// clang-format off
#include <mpi.h>
#include <cstdio>
#include <stdexcept>
#include <vector>

static int start(int *argc, char ***argv)
{
    int r;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &r); // => INIT MPI_Init_thread
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    return r;
}

static void exchange(int peer)
{
    std::vector<int> x(4), y(4);
    MPI_Request q;
    MPI_Irecv(y.data(), 4, MPI_INT, peer, 1, MPI_COMM_WORLD, &q); // => RECV MPI_Irecv
    MPI_Send(x.data(), 4, MPI_INT, peer, 1, MPI_COMM_WORLD); // => SEND MPI_Send
    MPI_Wait(&q, MPI_STATUS_IGNORE); // => WAIT MPI_Wait
    throw std::runtime_error("after the exchange");
}

int main(int argc, char **argv)
{
    int r = start(&argc, &argv);
    try {
        exchange(1 - r);
    } catch (const std::runtime_error &e) {
        std::puts(e.what());
    }
    MPI_Finalize(); // => FINALIZE MPI_Finalize
}

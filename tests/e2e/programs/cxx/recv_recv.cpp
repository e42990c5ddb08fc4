/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks receive before they send, in a C++ program with a destructor on the stack.
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
#include <vector>

namespace
{

class World
{
  public:
    World(int *argc, char ***argv)
    {
        MPI_Init(argc, argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    ~World()
    {
        MPI_Finalize();
    }
    World(const World &) = delete;
    World &operator=(const World &) = delete;

    int rank = 0;
};

} // namespace

int main(int argc, char **argv)
{
    World world(&argc, &argv);
    std::vector<int> data(4, world.rank);
    const int peer = 1 - world.rank;

    MPI_Recv(data.data(), 4, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(data.data(), 4, MPI_INT, peer, 0, MPI_COMM_WORLD);
    return 0;
}

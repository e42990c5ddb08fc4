/* SPDX-License-Identifier: BSD-3-Clause */
/* With the option, all bytes of a large send buffer are compared.
 *
 * RANKS: 2
 * EXPECT: clean
 * OPTIONS: --must:check-buffers
 * NEVER_SAYS: note:
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    static char data[1 << 16];
    int rank;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(data, rank, sizeof(data));
    if (rank == 0) {
        MPI_Isend(data, (int)sizeof(data), MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, (int)sizeof(data), MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

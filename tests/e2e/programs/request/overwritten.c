/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.7.3: a request is completed with its handle. Here the handle of one of two
 * pending sends is overwritten, once by a receive, and then by the same call in a loop; so these
 * requests cannot be completed any more.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: request-leak warning
 * SAYS: ranks 0 and 1 neither completed nor freed requests before MPI_Finalize \(MPI_Issend at overwritten.c:\d+\)
 * SAYS: MPI_Irecv at overwritten.c:\d+ stored another request in the same variable while the request was pending
 * SAYS: ranks 0 and 1 neither completed nor freed requests before MPI_Finalize \(MPI_Issend at overwritten.c:\d+\), 2 each
 * SAYS: MPI_Issend at overwritten.c:\d+ stored another request in the same variable while the request was pending
 * SAYS: 2 findings
 * EXIT: 0
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 7, in[4];
    MPI_Request request, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank;

    MPI_Issend(&word, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    MPI_Irecv(&in[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    for (int i = 0; i < 3; i++)
        MPI_Issend(&word, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &second);
    for (int i = 0; i < 3; i++)
        MPI_Recv(&in[1 + i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

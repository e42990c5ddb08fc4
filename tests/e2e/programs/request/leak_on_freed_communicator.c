/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives that nothing completes, on a communicator that is freed by then: the finding does not
 * name another one.
 *
 * RANKS: 2
 * EXPECT: clean
 * MAYBE: request-leak
 * SAYS: request-leak: ranks 0 and 1 neither completed nor freed requests before MPI_Finalize
 * SAYS: 1 finding
 * SAYS: MPI_Irecv\(peer MPI_ANY_SOURCE, tag 0, MPI_Comm_dup of MPI_COMM_WORLD, at .*\) at .*leak_on_freed_communicator.c
 * EXIT: 0
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int word;
    MPI_Comm comm;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &request);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}

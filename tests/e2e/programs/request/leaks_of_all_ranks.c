/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank leaves three receives at one place, and sends a message that nobody receives: each is
 * one finding.
 *
 * RANKS: 4
 * EXPECT: clean
 * MAYBE: request-leak
 * MAYBE: lost-message
 * SAYS: request-leak: ranks 0-3 neither completed nor freed requests before MPI_Finalize .*, 3 each
 * SAYS: lost-message: ranks 0-3 sent messages that no rank received before MPI_Finalize
 * SAYS: 2 findings
 * EXIT: 0
 */
#include <mpi.h>

enum { TAG_LEFT = 1, TAG_LOST = 2, LEFT = 3 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    int box[LEFT];
    int word = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < LEFT; i++)
        MPI_Irecv(&box[i], 1, MPI_INT, MPI_ANY_SOURCE, TAG_LEFT, MPI_COMM_WORLD, &request);
    MPI_Isend(&word, 1, MPI_INT, (rank + 1) % size, TAG_LOST, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

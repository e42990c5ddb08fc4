/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations are folded; then rank 0 takes a message from any source, twice: once only rank 1 can
 * have sent it, once ranks 1 and 2 have.
 *
 * RANKS: 3
 * OPTIONS: --must:races on
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: message-race note
 * SAYS: message-race: the MPI_Recv at races_after_loops.c:\d+ of rank 0 could have taken another message, from rank \d
 * SAYS: orknot: 1 finding
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { ITERATIONS = 2000, BALL = 1, LATER, ONLY, BOTH };

static int rank, word;

static void rotate(int tag)
{
    MPI_Sendrecv_replace(&word, 1, MPI_INT, (rank + 1) % 3, tag, (rank + 2) % 3, tag,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive(int tag)
{
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, /* HERE */
             MPI_STATUS_IGNORE);
}

/* Rank 2 sends its message with the same tag after it knows that this one was received. */
static void take_the_only_one(void)
{
    if (rank == 1)
        MPI_Send(&word, 1, MPI_INT, 0, ONLY, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, ONLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    rotate(LATER);
    rotate(LATER);
    if (rank == 2)
        MPI_Send(&word, 1, MPI_INT, 0, ONLY, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&word, 1, MPI_INT, 2, ONLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ITERATIONS; i++)
        rotate(BALL);
    take_the_only_one();
    for (int i = 0; i < 2; i++) {
        if (rank == 0)
            receive(BOTH);
    }
    if (rank > 0)
        MPI_Send(&word, 1, MPI_INT, 0, BOTH, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks take part in one reduction from different places, each in its turn: those that have
 * something to add from one branch, the others from another one. So the places of a rank are those
 * of another one, some calls later.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>

enum { ROUNDS = 24 };

static int sum, own;

static void together(void)
{
    for (int i = 0; i < 3; i++) {
        MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* A wave of work runs over the ranks: one round long, in each third round. */
static void in_branches(int rank, int length)
{
    int none = 0;

    for (int i = 0; i < ROUNDS; i++) {
        if ((i + ROUNDS - rank) % 4 < length)
            MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allreduce(&none, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void in_two_conditions(int rank, int length)
{
    int none = 0;

    for (int i = 0; i < ROUNDS; i++) {
        int has_work = (i + ROUNDS - rank) % 4 < length;
        if (has_work)
            MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (!has_work)
            MPI_Allreduce(&none, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Each rank is in one of three states, and the same one for several rounds. */
static void in_states(int rank)
{
    int none = 0;

    for (int i = 0; i < ROUNDS; i++) {
        switch ((i + (i < 4 ? 0 : rank)) / 2 % 3) {
        case 0:
            MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            break;
        case 1:
            MPI_Allreduce(&none, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            break;
        default:
            MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own = rank;
    for (int length = 1; length < 4; length++) {
        together();
        in_branches(rank < 2 ? 0 : 1, length);
        together();
        in_two_conditions(rank < 2 ? 0 : 1, length);
    }
    together();
    in_states(rank < 2 ? 0 : 1);
    MPI_Finalize();
    return 0;
}

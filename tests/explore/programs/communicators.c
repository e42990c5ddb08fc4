/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator with the ranks reversed, and one without rank 3. Only messages of the same
 * communicator can be exchanged.
 *
 * RANKS: 4
 * EXPLORE: 4 orders, 1 ended, 1 ended, 1 ended, 1 ended, exit 66 */
#include "small.h"

static void take_two(MPI_Comm comm, const char *name)
{
    MPI_Status status;
    int value;

    for (int i = 0; i < 2; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &status);
        printf("%s %d %d\n", name, status.MPI_SOURCE, value);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm reversed, some;

    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, me == 3 ? MPI_UNDEFINED : 0, me, &some);
    if (me == 1 || me == 2)
        MPI_Send(&me, 1, MPI_INT, 0, 0, some);
    if (me == 1 || me == 3)
        MPI_Send(&me, 1, MPI_INT, 3, 0, reversed);
    if (me == 0) {
        take_two(some, "some");
        take_two(reversed, "reversed");
    }
    MPI_Comm_free(&reversed);
    if (some != MPI_COMM_NULL)
        MPI_Comm_free(&some);
    return end();
}

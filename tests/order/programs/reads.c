/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads a line of input after each message, and prints it.
 *
 * RANKS: 3 */
#include "digest.h"

enum { LINE = 100 };

static void read_line(void)
{
    char line[LINE];

    if (fgets(line, sizeof(line), stdin) != NULL)
        printf("line: %s", line);
    else
        printf("no input\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    MPI_Status status;
    int value;

    begin(&argc, &argv);
    for (int i = 1; i < ranks && me == 0; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        saw_message(&status, value);
        read_line();
    }
    if (me != 0) {
        pause_perhaps();
        MPI_Send(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return end();
}

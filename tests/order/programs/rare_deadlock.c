/* SPDX-License-Identifier: BSD-3-Clause */
/* Two messages for a wildcard receive: if rank 0 takes that of rank 2 first, it then waits for
 * another one of rank 2. Rank 1 is most often the first, so the deadlock is rare; FIRST=2 makes it
 * the ordinary case.
 *
 * RANKS: 3 */
#include "digest.h"

#include <string.h>

int main(int argc, char **argv)
{
    const char *first = getenv("FIRST");
    MPI_Status status;
    int got;

    begin(&argc, &argv);
    if (me != 0) {
        if (me == (first != NULL && strcmp(first, "2") == 0 ? 1 : 2))
            usleep(100000);
        MPI_Send(&me, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        return end();
    }
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    saw_message(&status, got);
    printf("first %d\n", got);
    fflush(stdout);
    MPI_Recv(&got, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, &status);
    saw_message(&status, got);
    return end();
}

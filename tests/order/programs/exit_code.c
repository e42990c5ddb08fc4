/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 ends with another code than 0, which says who was last. The environment variable HOW is
 * another end: "abort", "crash".
 *
 * RANKS: 4 */
#include "digest.h"

#include <string.h>

enum { ROUNDS = 4 };

static void fail(int last)
{
    const char *how = getenv("HOW");

    if (how != NULL && strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 20 + last);
    if (how != NULL && strcmp(how, "crash") == 0)
        abort();
}

int main(int argc, char **argv)
{
    MPI_Status status;
    int got, last = 0;

    begin(&argc, &argv);
    for (int i = 0; me != 0 && i < ROUNDS; i++) {
        pause_perhaps();
        MPI_Send(&i, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    for (int i = 0; me == 0 && i < ROUNDS * (ranks - 1); i++) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
        saw_message(&status, got);
        last = status.MPI_SOURCE;
    }
    MPI_Bcast(&last, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (me == 0) {
        printf("digest %016" PRIx64 "\n", digest.value);
        fflush(stdout);
        fail(last);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 10 + last;
}

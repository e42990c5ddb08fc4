/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 keeps a receive from each other rank, and starts those anew that MPI_Testsome completes.
 * [messages of a rank] [waitany: with MPI_Waitany] */
#include "loop.h"

#include <string.h>

enum { RANKS_MAX = 256 };

static MPI_Request request[RANKS_MAX];
static int message[RANKS_MAX];
static long left[RANKS_MAX];

static void start(int source)
{
    MPI_Irecv(&message[source - 1], 1, MPI_INT, source, 0, MPI_COMM_WORLD, &request[source - 1]);
}

static void take(int sources, long messages, int with_waitany)
{
    int index[RANKS_MAX];

    for (int i = 0; i < sources; i++) {
        left[i] = messages;
        start(i + 1);
    }
    for (long all = messages * sources; all > 0;) {
        int n = 1;
        if (with_waitany)
            MPI_Waitany(sources, request, index, MPI_STATUS_IGNORE);
        else
            MPI_Testsome(sources, request, &n, index, MPI_STATUSES_IGNORE);
        for (int i = 0; i < n; i++) {
            all--;
            if (--left[index[i]] > 0)
                start(index[i] + 1);
        }
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long messages = loop_rounds(argc, argv, 300000);
    if (size > RANKS_MAX)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double begin = loop_begin();
    if (rank == 0)
        take(size - 1, messages, argc > 2 && strcmp(argv[2], "waitany") == 0);
    for (long i = 0; rank > 0 && i < messages; i++)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    loop_end(begin);
    MPI_Finalize();
    return 0;
}

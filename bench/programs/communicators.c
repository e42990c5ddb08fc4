/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of all ranks on so many communicators in turn; 0: each on one that is made for it and freed.
 * [sums] [communicators] */
#include "loop.h"

enum { COMMS_MAX = 1000 };

static void sum(MPI_Comm comm)
{
    int mine = 1, all;

    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm);
}

static void sum_in_turn(long sums, long comms)
{
    MPI_Comm comm[COMMS_MAX];

    for (long i = 0; i < comms; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    double begin = loop_begin();
    for (long i = 0; i < sums; i++)
        sum(comm[i % comms]);
    loop_end(begin);
    for (long i = 0; i < comms; i++)
        MPI_Comm_free(&comm[i]);
}

static void sum_on_new_ones(long sums)
{
    double begin = loop_begin();

    for (long i = 0; i < sums; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        sum(comm);
        MPI_Comm_free(&comm);
    }
    loop_end(begin);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long sums = loop_rounds(argc, argv, 500000);
    long comms = argc > 2 ? strtol(argv[2], NULL, 10) : 100;
    if (comms > COMMS_MAX)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (comms > 0)
        sum_in_turn(sums, comms);
    else
        sum_on_new_ones(sums);
    MPI_Finalize();
    return 0;
}

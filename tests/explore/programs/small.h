/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of this folder have in common. run.py reads what is expected of them. */
#ifndef ORK_TESTS_EXPLORE_SMALL_H
#define ORK_TESTS_EXPLORE_SMALL_H

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int me, ranks;

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static inline int end(void)
{
    MPI_Finalize();
    return 0;
}

static inline void send_to(int rank, int value)
{
    MPI_Send(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
}

/* Returns the source. */
static inline int receive_from(int rank)
{
    MPI_Status status;
    int value;

    MPI_Recv(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

#endif

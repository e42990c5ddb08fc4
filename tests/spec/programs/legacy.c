/* SPDX-License-Identifier: BSD-3-Clause */
/* Stand-in for the C codes: a ring that is right, written as in 2007. With the
 * argument - the number of steps comes from stdin; the result goes to stdout and to a file. */
#include "legacy.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    exit(*code);
}

/* Functions that MPI 3.0 removed. */
static MPI_Datatype make_pair(int pair[2])
{
    int length = 2;
    MPI_Aint address;
    MPI_Datatype type, of = MPI_INT;
    MPI_Errhandler handler;

    MPI_Errhandler_create((MPI_Handler_function *)on_error, &handler);
    MPI_Errhandler_set(MPI_COMM_WORLD, handler);
    MPI_Address(pair, &address);
    MPI_Type_struct(1, &length, &address, &of, &type);
    MPI_Type_commit(&type);
    MPI_Errhandler_free(&handler);
    return type;
}

static void read_steps(int argc, char **argv)
{
    steps = 3;
    if (argc > 1 && strcmp(argv[1], "-") == 0 && scanf("%d", &steps) != 1)
        exit(1);
}

static void write_result(int ranks, int sum)
{
    FILE *file = fopen("result.dat", "w");

    if (file == NULL)
        exit(1);
    fprintf(file, "%d\n", sum);
    fclose(file);
    printf("%d ranks, %d steps, sum %d\n", ranks, steps, sum);
}

int main(int argc, char **argv)
{
    int rank, size, sum, pair[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        read_steps(argc, argv);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Datatype type = make_pair(pair);
    pair[0] = rank;
    pair[1] = 0;
    /* Declared nowhere, as it was allowed then. */
    pass_around(type, rank, size);
    MPI_Type_free(&type);
    MPI_Allreduce(&pair[1], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        write_result(size, sum);
    MPI_Finalize();
    return 0;
}

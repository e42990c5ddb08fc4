/* SPDX-License-Identifier: BSD-3-Clause */
/* What looks different and matches: MPI-3.1 sections 3.3.1 (packed data, longer receives), 4.1 (the
 * displacements of a type do not matter), 5.9.4 (pairs).
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

enum { ROWS = 4, COLUMNS = 5, WORDS = ROWS * COLUMNS };

static int rank;

/* Rank 0 sends, rank 1 receives. */
static void pass(int sent, MPI_Datatype out, int room, MPI_Datatype in)
{
    static char buffer[8 * WORDS * sizeof(double)];
    MPI_Request request;

    if (rank == 0)
        MPI_Isend(buffer, sent, out, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(buffer, room, in, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void pass_and_free(int sent, MPI_Datatype out, int room, MPI_Datatype *in)
{
    MPI_Type_commit(in);
    pass(sent, out, room, *in);
    MPI_Type_free(in);
}

static void basic_types(void)
{
    pass(3, MPI_INT, 5, MPI_INT);
    pass(0, MPI_INT, 5, MPI_DOUBLE);
    pass(2, MPI_2INT, 4, MPI_INT);
    pass(3, MPI_LONG_LONG, 3, MPI_LONG_LONG_INT);
    pass(4, MPI_BYTE, 9, MPI_BYTE);
}

static void derived_types(void)
{
    const int sizes[2] = {ROWS, COLUMNS}, column[2] = {ROWS, 1}, start[2] = {0, 2};
    const int length[2] = {1, 2}, at[2] = {5, 0};
    const MPI_Aint offset[2] = {0, 8};
    const MPI_Datatype field[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype type, inner;

    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &type);
    pass_and_free(ROWS, MPI_DOUBLE, 1, &type);
    MPI_Type_create_subarray(2, sizes, column, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    pass_and_free(ROWS, MPI_DOUBLE, 2, &type);
    MPI_Type_indexed(2, length, at, MPI_INT, &type);
    pass_and_free(3, MPI_INT, 1, &type);
    MPI_Type_create_struct(2, length, offset, field, &inner);
    MPI_Type_create_resized(inner, 0, 64, &type);
    MPI_Type_commit(&inner);
    MPI_Type_commit(&type);
    pass(2, inner, 3, type);
    MPI_Type_free(&type);
    MPI_Type_dup(inner, &type);
    pass(2, type, 2, inner);
    MPI_Type_free(&type);
    MPI_Type_contiguous(3, inner, &type);
    pass_and_free(6, inner, 2, &type);
    MPI_Type_free(&inner);
}

/* A type whose handle is new each time, and one that is freed before its message arrives. */
static void handles(void)
{
    for (int i = 1; i < 20; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(i, i % 2 == 0 ? MPI_INT : MPI_FLOAT, &type);
        pass_and_free(i, i % 2 == 0 ? MPI_INT : MPI_FLOAT, 1, &type);
    }
    MPI_Datatype type;
    double word[4] = {0};
    MPI_Request request;
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    if (rank == 1)
        MPI_Irecv(word, 1, type, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Type_free(&type);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Isend(word, 2, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void packed_data(void)
{
    double value = 1.5;
    int number = 7, position = 0;
    char buffer[100];

    if (rank == 0) {
        MPI_Pack(&number, 1, MPI_INT, buffer, sizeof(buffer), &position, MPI_COMM_WORLD);
        MPI_Send(buffer, position, MPI_PACKED, 1, 2, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(buffer, sizeof(buffer), MPI_PACKED, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(&number, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 0, MPI_DOUBLE, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* MPI-3.1 section 17.2.6: types of two languages. */
static void two_languages(void)
{
    int size;

    MPI_Type_size(MPI_INTEGER, &size);
    if (size == (int)sizeof(int))
        pass(2, MPI_INT, 2, MPI_INTEGER);
    MPI_Type_size(MPI_DOUBLE_PRECISION, &size);
    if (size == (int)sizeof(double))
        pass(2, MPI_DOUBLE, 2, MPI_DOUBLE_PRECISION);
    pass(2, MPI_CHARACTER, 2, MPI_CHAR);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    basic_types();
    derived_types();
    handles();
    packed_data();
    two_languages();
    MPI_Finalize();
    return 0;
}

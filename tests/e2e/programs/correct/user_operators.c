/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators of the program, one that commutes and one that does not, make local MPI calls while a
 * collective is on its way.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 10 1234 123 1234 24
 */
#include <mpi.h>
#include <stdio.h>

/* With calls that concern no other rank. */
static void product(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int size;
    int rank;
    MPI_Aint lower;
    MPI_Aint extent;

    MPI_Type_size(*type, &size);
    MPI_Type_get_extent(*type, &lower, &extent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < *count && MPI_Wtime() >= 0 && extent == size; i++)
        ((int *)inout)[i] *= ((int *)in)[i];
}

/* The digits of the left operand before those of the right one: no commutative law. */
static void append(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const int *left = in;
    int *right = inout;
    int length;

    MPI_Type_size(*type, &length);
    for (int i = 0; i < *count; i++) {
        int scale = 10;

        while (scale <= right[i])
            scale *= 10;
        right[i] += left[i] * scale;
    }
}

int main(int argc, char **argv)
{
    int rank;
    int sum = 0;
    int digits = 0;
    int before = 0;
    int later = 0;
    int factor = 0;
    MPI_Op times;
    MPI_Op chain;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank + 1;

    MPI_Op_create(product, 1, &times);
    MPI_Op_create(append, 0, &chain);
    MPI_Iallreduce(&mine, &later, 1, MPI_INT, chain, MPI_COMM_WORLD, &request);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &digits, 1, MPI_INT, chain, 3, MPI_COMM_WORLD);
    MPI_Exscan(&mine, &before, 1, MPI_INT, chain, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &factor, 1, MPI_INT, times, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Op_free(&times);
    MPI_Op_free(&chain);
    if (rank == 3)
        printf("%d %d %d %d %d\n", sum, digits, before, later, factor);
    MPI_Finalize();
    return 0;
}

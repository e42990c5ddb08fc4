/* SPDX-License-Identifier: BSD-3-Clause */
/* The callbacks of a datatype's attribute send and receive inside MPI_Type_dup and MPI_Type_free.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: sum 13
 */
#include <mpi.h>
#include <stdio.h>

static int sum;

static void talk(int word)
{
    int rank;
    int in = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Ssend(&word, 1, MPI_INT, 0, word, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    sum += in;
}

static int copy(MPI_Datatype type, int key, void *extra, void *value, void *copy_of_value,
                int *flag)
{
    (void)type;
    (void)key;
    (void)extra;
    talk(3);
    *(void **)copy_of_value = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int farewell(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type;
    (void)key;
    (void)value;
    (void)extra;
    talk(5);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank;
    int key;
    MPI_Datatype pair;
    MPI_Datatype twin;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_keyval(copy, farewell, &key, NULL);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_set_attr(pair, key, &rank);
    MPI_Type_dup(pair, &twin);
    MPI_Type_free(&pair);
    MPI_Type_free(&twin);
    MPI_Type_free_keyval(&key);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The callbacks of an attribute make calls of their own inside MPI_Comm_dup, MPI_Comm_delete_attr
 * and MPI_Comm_free: a reduction over all ranks, and messages to the neighbour.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: copied 6 deleted 6 then 3
 */
#include <mpi.h>
#include <stdio.h>

static int copied;
static int deleted;

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *copy_of_value, int *flag)
{
    int one = 1;
    int sum;

    (void)comm;
    (void)key;
    (void)extra;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    copied += sum;
    *(void **)copy_of_value = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int farewell(MPI_Comm comm, int key, void *value, void *extra)
{
    int rank;
    int size;
    int out = 1;
    int in = 0;

    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    deleted += 2 * in;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank;
    int key;
    int before;
    int value = 9;
    MPI_Comm first;
    MPI_Comm second;
    MPI_Comm third;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(copy, farewell, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_set_attr(first, key, &value);
    MPI_Comm_dup(first, &second);
    MPI_Comm_dup(second, &third);
    MPI_Comm_delete_attr(third, key);
    MPI_Comm_free(&second);
    MPI_Comm_free(&first);
    before = deleted;
    MPI_Comm_free(&third);
    MPI_Comm_free_keyval(&key);
    MPI_Allreduce(MPI_IN_PLACE, &copied, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("copied %d deleted %d then %d\n", copied, before, 3 + deleted - before);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls whose arguments are wrong on one rank only: the library rejects them there at
 * once, and the rank repeats them with the right arguments while the others wait.
 *
 * RANKS: 3
 * EXPECT: clean
 * FINDING: invalid-argument warning
 * FINDING: invalid-handle warning
 * FINDING: invalid-buffer warning
 * FINDING: buffer-overlap warning
 * FINDING: datatype-misuse warning
 * OUTPUT: rejected 9
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int rank;
static int rejected;

/* Rank 1 is late, so that the others wait; rank 0 is early. */
static int is_wrong_here(int kind)
{
    int who = kind % 2;

    if (rank == 1)
        usleep(20000);
    return rank == who;
}

static void expect_error(int code)
{
    rejected += code != MPI_SUCCESS;
}

static void reductions(void)
{
    int in = 1;
    int out = 0;
    int many[3] = {0};
    MPI_Datatype type;

    MPI_Type_contiguous(1, MPI_INT, &type);
    if (is_wrong_here(0)) /* not committed */
        expect_error(MPI_Bcast(&in, 1, type, 0, MPI_COMM_WORLD));
    MPI_Type_commit(&type);
    MPI_Bcast(&in, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    if (is_wrong_here(1))
        expect_error(MPI_Allreduce(&in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (is_wrong_here(0)) /* aliased at the root */
        expect_error(MPI_Reduce(&in, &in, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD));
    MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (is_wrong_here(1)) /* only at the root */
        expect_error(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, many, 1, MPI_INT, 0, MPI_COMM_WORLD));
    MPI_Gather(&in, 1, MPI_INT, many, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void constructors(void)
{
    int negative[2] = {-1, 1};
    int dims[2] = {3, 1};
    int periods[2] = {0, 0};
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group;

    MPI_Comm_group(MPI_COMM_WORLD, &group);
    if (is_wrong_here(0))
        expect_error(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm));
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    if (is_wrong_here(1))
        expect_error(MPI_Cart_create(MPI_COMM_WORLD, 2, negative, periods, 0, &comm));
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
}

static void windows(void)
{
    int word = 0;
    MPI_Win win;

    if (is_wrong_here(0))
        expect_error(MPI_Win_create(&word, -1, sizeof(word), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MPI_Win_create(&word, sizeof(word), sizeof(word), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void persistent_and_nonblocking(void)
{
    int word = 0;
    MPI_Request request;

    if (is_wrong_here(1))
        expect_error(MPI_Ibcast(&word, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, &request));
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (is_wrong_here(0))
        expect_error(MPI_Ibcast(&word, 1, MPI_INT, 7, MPI_COMM_WORLD, &request));
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    reductions();
    constructors();
    windows();
    persistent_and_nonblocking();
    MPI_Reduce(&rejected, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("rejected %d\n", sum);
    MPI_Finalize();
    return 0;
}

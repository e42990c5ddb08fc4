/* SPDX-License-Identifier: BSD-3-Clause */
/* Each call has one wrong argument, and returns an error: negative counts of arrays (MPI-3.1
 * section 5.5), ranks that do not exist (3.2.3), roots (5.2.3), tags (3.2.3, 3.2.4), colours
 * (6.4.2), sizes of grids (7.5.1), directions (7.5.6), missing topologies (7.5.5), ranks of groups
 * (6.3.2), intercommunicators (6.6.1), assertions (11.5.5), lock types (11.5.3), displacement units
 * (11.2).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * SAYS: dest is 2 in MPI_Send \(arguments_wrong.c:\d+\) of ranks 0 and 1, but the group has 2 proc
 * SAYS: dest is MPI_ANY_SOURCE in MPI_Send
 * SAYS: source is -7 in MPI_Recv
 * SAYS: tag is -5 in MPI_Send
 * SAYS: tag is MPI_ANY_TAG in MPI_Send
 * SAYS: tag is -9 in MPI_Iprobe
 * SAYS: root is 5 in MPI_Bcast
 * SAYS: root is MPI_ROOT in MPI_Bcast
 * SAYS: sendcounts\[1\] is -1 in MPI_Alltoallv
 * SAYS: color is -1 in MPI_Comm_split
 * SAYS: dims needs 6 processes in MPI_Cart_create .* but the communicator has 2
 * SAYS: direction is 1 in MPI_Cart_shift
 * SAYS: comm has no Cartesian topology in MPI_Cartdim_get
 * SAYS: ranks has rank 4 in MPI_Group_incl .* but the group has 2 processes
 * SAYS: comm is an intracommunicator in MPI_Comm_remote_size
 * SAYS: blocklength is -1 in MPI_Type_vector
 * OUTPUT: 14 errors
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm world = MPI_COMM_WORLD;

static int messages(void)
{
    int word = 0, flag, wrong = 0;

    wrong += MPI_Send(&word, 1, MPI_INT, 2, 0, world) != MPI_SUCCESS;
    wrong += MPI_Send(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, world) != MPI_SUCCESS;
    wrong += MPI_Recv(&word, 1, MPI_INT, -7, 0, world, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    wrong += MPI_Send(&word, 1, MPI_INT, 0, -5, world) != MPI_SUCCESS;
    wrong += MPI_Send(&word, 1, MPI_INT, 0, MPI_ANY_TAG, world) != MPI_SUCCESS;
    wrong += MPI_Iprobe(0, -9, world, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    return wrong;
}

static int collectives(void)
{
    int word = 0, all[2], more[2], counts[] = {1, -1}, displs[] = {0, 1}, wrong = 0;
    MPI_Comm made;

    wrong += MPI_Bcast(&word, 1, MPI_INT, 5, world) != MPI_SUCCESS;
    wrong += MPI_Bcast(&word, 1, MPI_INT, MPI_ROOT, world) != MPI_SUCCESS;
    wrong += MPI_Alltoallv(all, counts, displs, MPI_INT, more, displs, displs, MPI_INT, world) !=
             MPI_SUCCESS;
    wrong += MPI_Comm_split(world, -1, 0, &made) != MPI_SUCCESS;
    return wrong;
}

static int topologies(void)
{
    int dims[] = {2, 3}, periods[] = {0, 0}, line[] = {2}, n, source, dest, wrong = 0;
    MPI_Comm made;

    wrong += MPI_Cart_create(world, 2, dims, periods, 0, &made) != MPI_SUCCESS;
    wrong += MPI_Cartdim_get(world, &n) != MPI_SUCCESS;
    MPI_Cart_create(world, 1, line, periods, 0, &made);
    MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    wrong += MPI_Cart_shift(made, 1, 1, &source, &dest) != MPI_SUCCESS;
    MPI_Comm_free(&made);
    return wrong;
}

static int others(void)
{
    int ranks[] = {0, 4}, size, wrong = 0;
    MPI_Group group, made = MPI_GROUP_NULL;
    MPI_Datatype type;

    MPI_Comm_group(world, &group);
    wrong += MPI_Group_incl(group, 2, ranks, &made) != MPI_SUCCESS;
    MPI_Group_free(&group);
    wrong += MPI_Comm_remote_size(world, &size) != MPI_SUCCESS;
    wrong += MPI_Type_vector(2, -1, 3, MPI_INT, &type) != MPI_SUCCESS;
    return wrong;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    int wrong = messages() + collectives() + topologies() + others();
    if (rank == 0)
        printf("%d errors\n", wrong);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Null and freed handles (MPI-3.1 section 2.5.1): each call returns an error, but for the last one.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-handle warning
 * SAYS: comm is MPI_COMM_NULL in MPI_Comm_size \(handles_wrong.c:\d+\) of ranks 0 and 1
 * SAYS: group is MPI_GROUP_NULL in MPI_Group_size
 * SAYS: op is MPI_OP_NULL in MPI_Allreduce
 * SAYS: info is MPI_INFO_NULL in MPI_Info_set
 * SAYS: win is MPI_WIN_NULL in MPI_Win_fence
 * SAYS: comm is MPI_COMM_WORLD in MPI_Comm_free
 * SAYS: group in MPI_Group_rank .* was freed by MPI_Group_free \(handles_wrong.c:\d+\)
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, word = 1, sum;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Group group, old, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_NULL, &size);
    MPI_Group_size(MPI_GROUP_NULL, &size);
    MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
    MPI_Info_set(MPI_INFO_NULL, "key", "value");
    MPI_Win_fence(0, MPI_WIN_NULL);
    MPI_Comm_free(&world);
    /* Another reference keeps the object, so that the library does not crash. */
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_union(group, MPI_GROUP_EMPTY, &copy);
    old = copy;
    MPI_Group_free(&copy);
    MPI_Group_rank(old, &size);
    MPI_Group_free(&group);
    MPI_Finalize();
    return 0;
}

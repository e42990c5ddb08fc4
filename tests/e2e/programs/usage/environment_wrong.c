/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 8.1.2: attributes that describe the environment must not be changed or deleted,
 * nor their keys freed.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * SAYS: comm_keyval is MPI_TAG_UB in MPI_Comm_set_attr \(
 * SAYS: comm_keyval is MPI_IO in MPI_Comm_delete_attr \(
 * SAYS: comm_keyval is MPI_WTIME_IS_GLOBAL in MPI_Comm_free_keyval \(
 * EXIT: 0
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int value = 7, keyval = MPI_WTIME_IS_GLOBAL;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_IO);
    MPI_Comm_free_keyval(&keyval);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_spawn refuses its root, which the ranks survive; the next call is a good one.
 *
 * RANKS: 2
 * REPORT_RANKS: 3
 * EXPECT: clean
 * FINDING: invalid-argument warning
 * OUTPUT: refused
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        int error = MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 2, MPI_COMM_WORLD,
                                   &other, MPI_ERRCODES_IGNORE);
        if (rank == 0 && error != MPI_SUCCESS)
            puts("refused");
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
    }
    MPI_Barrier(other);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}

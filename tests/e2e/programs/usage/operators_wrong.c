/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators that are not defined for their datatype (MPI-3.1 sections 5.9.2 and 5.9.4), or not in
 * this kind of call (11.3.4).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-operator warning
 * SAYS: op is MPI_BAND for elements of MPI_DOUBLE in MPI_Allreduce \(operators_wrong.c:\d+\)
 * SAYS: op is MPI_SUM for elements of a derived datatype in MPI_Reduce
 * SAYS: op is MPI_REPLACE for elements of MPI_INT in MPI_Scan
 * SAYS: op is MPI_MAXLOC for elements of MPI_INT in MPI_Allreduce
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x[2] = {1, 2}, y[2];
    int i = 1, j;
    MPI_Datatype pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
    MPI_Allreduce(&i, &j, 1, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Scan(&i, &j, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Reduce(x, y, 1, pair, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}

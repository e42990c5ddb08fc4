/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that the group does not have is translated (MPI-3.1 section 6.3.1). The MPI library may
 * crash in the call, or read anything.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: invalid-argument error
 * SAYS: ranks1 has rank -4 in MPI_Group_translate_ranks .* but the group has 1 processes
 * SAYS: 1 finding \(1 error\)
 * MAYBE: resource-leak
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int ranks[] = {0, -4}, translated[2];
    MPI_Group all;

    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_translate_ranks(all, 2, ranks, all, translated);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs are started one after the other, by different roots, and end before their parents.
 *
 * RANKS: 2
 * REPORT_RANKS: 6
 * EXPECT: clean
 * OUTPUT: 4 answers
 */
#include <mpi.h>
#include <stdio.h>

static int ask(char *program, int root)
{
    int in = 0;
    MPI_Comm child;

    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, root, MPI_COMM_WORLD, &child,
                   MPI_ERRCODES_IGNORE);
    MPI_Bcast(&in, 1, MPI_INT, 0, child);
    MPI_Comm_disconnect(&child);
    return in;
}

int main(int argc, char **argv)
{
    int rank;
    int sum = 0;
    int out = 1;
    MPI_Comm parents;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL) {
        MPI_Bcast(&out, 1, MPI_INT, MPI_ROOT, parents);
        MPI_Comm_disconnect(&parents);
    } else {
        for (int i = 0; i < 4; i++)
            sum += ask(argv[0], i % 2);
        if (rank == 0)
            printf("%d answers\n", sum);
    }
    MPI_Finalize();
    return 0;
}

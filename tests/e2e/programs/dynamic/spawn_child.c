/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks start one more process of this program, talk to it and let it go.
 *
 * RANKS: 2
 * REPORT_RANKS: 3
 * EXPECT: clean
 * OUTPUT: child got 12, parents got 7
 */
#include <mpi.h>
#include <stdio.h>

static void child(MPI_Comm parents)
{
    int sum = 0;
    int in = 0;
    int out = 7;

    for (int i = 0; i < 2; i++) {
        MPI_Recv(&in, 1, MPI_INT, i, 0, parents, MPI_STATUS_IGNORE);
        sum += in;
    }
    MPI_Send(&sum, 1, MPI_INT, 0, 1, parents);
    MPI_Bcast(&out, 1, MPI_INT, MPI_ROOT, parents);
}

static void parent(const char *program, int rank)
{
    int out = 5 + 2 * rank;
    int sum = 0;
    int in = 0;
    MPI_Comm children;

    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
    MPI_Send(&out, 1, MPI_INT, 0, 0, children);
    if (rank == 0)
        MPI_Recv(&sum, 1, MPI_INT, 0, 1, children, MPI_STATUS_IGNORE);
    MPI_Bcast(&in, 1, MPI_INT, 0, children);
    if (rank == 0)
        printf("child got %d, parents got %d\n", sum, in);
    MPI_Comm_disconnect(&children);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm parents;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL) {
        child(parents);
        MPI_Comm_disconnect(&parents);
    } else {
        parent(argv[0], rank);
    }
    MPI_Finalize();
    return 0;
}

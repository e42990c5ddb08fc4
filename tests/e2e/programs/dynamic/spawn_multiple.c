/* SPDX-License-Identifier: BSD-3-Clause */
/* One call starts two programs, which are one MPI_COMM_WORLD.
 *
 * RANKS: 2
 * REPORT_RANKS: 5
 * EXPECT: clean
 * OUTPUT: one 1, two 2
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void child(MPI_Comm parents, int is_second)
{
    int count[2] = {!is_second, is_second};

    MPI_Allreduce(MPI_IN_PLACE, count, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(count, NULL, 2, MPI_INT, MPI_MAX, 0, parents);
}

static void parent(char *program, int rank)
{
    char *commands[] = {program, program};
    char *first[] = {"one", NULL};
    char *second[] = {"two", NULL};
    char **arguments[] = {first, second};
    int sizes[] = {1, 2};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    int errors[3];
    int count[2] = {0, 0};
    MPI_Comm children;

    MPI_Comm_spawn_multiple(2, commands, arguments, sizes, infos, 0, MPI_COMM_WORLD, &children,
                            errors);
    MPI_Reduce(NULL, count, 2, MPI_INT, MPI_MAX, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children);
    if (rank == 0)
        printf("one %d, two %d\n", count[0], count[1]);
    MPI_Comm_disconnect(&children);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm parents;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parents);
    if (parents == MPI_COMM_NULL) {
        parent(argv[0], rank);
    } else {
        child(parents, argc > 1 && strcmp(argv[1], "two") == 0);
        MPI_Comm_disconnect(&parents);
    }
    MPI_Finalize();
    return 0;
}

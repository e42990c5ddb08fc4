/* SPDX-License-Identifier: BSD-3-Clause */
/* A child whose environment was cleared is not watched: what it does is not known, so nobody waits
 * for it in vain.
 *
 * RANKS: 2
 * EXPECT: clean
 * INCOMPLETE: yes
 * SAYS: note: the processes that the program spawned were not observed
 * OUTPUT: answer 3
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static void child(MPI_Comm parents)
{
    int sum = 0;
    int none = 0;

    MPI_Reduce(&none, &sum, 1, MPI_INT, MPI_SUM, MPI_ROOT, parents);
    usleep(1500000);
    MPI_Ssend(&sum, 1, MPI_INT, 0, 0, parents);
}

static void parent(const char *program, int rank)
{
    char *arguments[] = {"-u", "ORKNOT_TOKEN", (char *)(size_t)program, NULL};
    int mine = rank + 1;
    int answer = 0;
    MPI_Comm children;

    MPI_Comm_spawn("/usr/bin/env", arguments, 1, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
    MPI_Reduce(&mine, NULL, 1, MPI_INT, MPI_SUM, 0, children);
    if (rank == 0) {
        MPI_Recv(&answer, 1, MPI_INT, 0, 0, children, MPI_STATUS_IGNORE);
        printf("answer %d\n", answer);
    }
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
        child(parents);
        MPI_Comm_disconnect(&parents);
    }
    MPI_Finalize();
    return 0;
}

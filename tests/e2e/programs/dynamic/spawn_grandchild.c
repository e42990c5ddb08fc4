/* SPDX-License-Identifier: BSD-3-Clause */
/* A child starts a child of its own and waits for it, which waits for its parent; the first
 * generation waits for its child to disconnect.
 *
 * RANKS: 1
 * REPORT_RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 0 MPI_Comm_disconnect HERE
 * CALL: 1 MPI_Recv HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 * SAYS: Rank 1 is rank 0 of job 2, spawned by rank 0 in
 * SAYS: Rank 2 is rank 0 of job 3, spawned by rank 1 in
 */
#include <mpi.h>
#include <stddef.h>

static void start(char *program, char *generation, MPI_Comm *children)
{
    char *arguments[] = {generation, NULL};

    MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, children,
                   MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv)
{
    int in = 0;
    char generation = argc > 1 ? argv[1][0] : '1';
    MPI_Comm parent;
    MPI_Comm children;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (generation == '1') {
        start(argv[0], "2", &children);
        MPI_Comm_disconnect(&children); /* HERE */
    } else if (generation == '2') {
        start(argv[0], "3", &children);
        MPI_Recv(&in, 1, MPI_INT, 0, 0, children, MPI_STATUS_IGNORE); /* HERE */
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}

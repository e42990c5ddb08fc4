/* SPDX-License-Identifier: BSD-3-Clause */
/* Two jobs that were spawned apart meet by a port, and receive from each other first.
 *
 * RANKS: 1
 * REPORT_RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 * SAYS: Rank 1 is rank 0 of job 2, spawned by rank 0 in
 * SAYS: Rank 2 is rank 0 of job 3, spawned by rank 0 in
 */
#include <mpi.h>

static void start(char *program, MPI_Comm *child)
{
    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, child,
                   MPI_ERRCODES_IGNORE);
}

/* Tell the second child the port that the first one opened, and wait for the end of that one. */
static void parent(char *program)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int in = 0;
    MPI_Comm child[2];

    start(program, &child[0]);
    start(program, &child[1]);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, child[0]);
    MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, child[0], MPI_STATUS_IGNORE);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, child[1]);
    MPI_Recv(&in, 1, MPI_INT, 0, 0, child[0], MPI_STATUS_IGNORE); /* HERE */
}

static void child(MPI_Comm parents)
{
    char port[MPI_MAX_PORT_NAME];
    int in = 0;
    MPI_Comm other;

    MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parents, MPI_STATUS_IGNORE);
    if (port[0] == '\0') {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parents);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    } else {
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    }
    MPI_Recv(&in, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&in, 1, MPI_INT, 0, 0, parents);
}

int main(int argc, char **argv)
{
    MPI_Comm parents;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    if (parents == MPI_COMM_NULL)
        parent(argv[0]);
    else
        child(parents);
    MPI_Finalize();
    return 0;
}

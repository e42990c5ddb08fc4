/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks join over a socket, and receive from each other first.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS: MPI_Comm_join
 */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

static int server(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    int s = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(s, (struct sockaddr *)&address, size) != 0 || listen(s, 1) != 0 ||
        getsockname(s, (struct sockaddr *)&address, &size) != 0)
        abort();
    int port = address.sin_port;
    MPI_Send(&port, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return accept(s, NULL, NULL);
}

static int client(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    int port;

    MPI_Recv(&port, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = (in_port_t)port;
    if (connect(s, (struct sockaddr *)&address, sizeof(address)) != 0)
        abort();
    return s;
}

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_join(rank == 0 ? server() : client(), &other);
    MPI_Recv(&in, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}

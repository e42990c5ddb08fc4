/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.6: more messages than the attached buffer has room for, but each is received
 * before there is none left: messages of one size, of different sizes, from a persistent request,
 * and to MPI_PROC_NULL, which need no room.
 *
 * RANKS: 1
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>

enum { SIZE = 64356, BYTES = 32000, MANY = 20 };

static char attached[SIZE], message[SIZE], in[SIZE];

static void receive(void)
{
    MPI_Recv(in, SIZE, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Request request;
    void *old;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(attached, SIZE);
    for (int i = 0; i < MANY; i++) {
        MPI_Bsend(message, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF);
        MPI_Bsend(message, SIZE - 1000, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        receive();
    }
    MPI_Bsend_init(message, BYTES, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request);
    for (int i = 0; i < MANY; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        receive();
    }
    MPI_Request_free(&request);
    for (int i = 0; i < MANY; i++) {
        MPI_Bsend(message, SIZE - 1000 - i * 1000, MPI_BYTE, 0, 0, MPI_COMM_SELF);
        receive();
    }
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}

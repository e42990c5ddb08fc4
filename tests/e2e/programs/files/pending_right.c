/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking operations that are complete before their file is closed (MPI-3.1 section 13.2.2), by
 * a wait or a test. While a file is closed, those of another file, started at the same place, and
 * messages may be pending; their requests may have the values of complete ones.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILES = 3 };
static int words[FILES][1000];

static MPI_File open_scratch(void)
{
    char name[] = "/tmp/orknot-pending-XXXXXX";
    int rank;
    MPI_File file;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        close(mkstemp(name));
    MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    return file;
}

static void start(MPI_File file, int i, MPI_Request *request)
{
    MPI_File_iwrite_at(file, 0, words[i], 1000, MPI_INT, &request[0]);
    MPI_File_iread_at_all(file, 4000, words[i], 0, MPI_INT, &request[1]);
}

static void complete(MPI_Request *request)
{
    int done = 0;

    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    while (!done)
        MPI_Test(&request[0], &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_File file[FILES];
    MPI_Request request[FILES][2], message[2];
    int rank, got, sent = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < FILES; i++)
        file[i] = open_scratch();
    start(file[0], 0, request[0]);
    complete(request[0]);
    start(file[1], 1, request[1]);
    MPI_Irecv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &message[0]);
    MPI_Isend(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &message[1]);
    MPI_File_close(&file[0]);
    complete(request[1]);
    start(file[2], 2, request[2]);
    MPI_File_close(&file[1]);
    complete(request[2]);
    MPI_Waitall(2, message, MPI_STATUSES_IGNORE);
    MPI_File_close(&file[2]);
    MPI_Finalize();
    return 0;
}

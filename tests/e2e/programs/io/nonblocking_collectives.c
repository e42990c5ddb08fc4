/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking collective and independent I/O, completed together with messages.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: right 40
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 10 };

static int exchange(MPI_File file, int rank, int round)
{
    int out = 10 * round + rank;
    int in = -1;
    int back = -1;
    MPI_Offset mine = rank * (MPI_Offset)sizeof(out);
    MPI_Offset other = (1 - rank) * (MPI_Offset)sizeof(out);
    MPI_Request request[3];

    MPI_File_iwrite_at_all(file, mine, &out, 1, MPI_INT, &request[0]);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, round, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, round, MPI_COMM_WORLD, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iread_at_all(file, other, &back, 1, MPI_INT, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    int right = back == in;
    back = -1;
    MPI_File_iread_at(file, other, &back, 1, MPI_INT, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    return right + (back == in);
}

int main(int argc, char **argv)
{
    int rank;
    int right = 0;
    int all = 0;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "nonblocking.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int i = 0; i < ROUNDS; i++) {
        right += exchange(file, rank, i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("right %d\n", all);
    MPI_Finalize();
    return 0;
}

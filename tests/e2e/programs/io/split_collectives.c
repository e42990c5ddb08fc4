/* SPDX-License-Identifier: BSD-3-Clause */
/* Split collectives on two files at once, with messages between begin and end.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: right 40
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 10 };

static MPI_File open_file(const char *name)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    return file;
}

static int in_turns(MPI_File file[2], int rank, int round)
{
    int out = 10 * round + rank;
    int in = -1;
    int back[2] = {-1, -1};
    MPI_Offset at = rank * (MPI_Offset)sizeof(out);

    MPI_File_write_at_all_begin(file[0], at, &out, 1, MPI_INT);
    MPI_File_write_at_all_begin(file[1], at, &out, 1, MPI_INT);
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, round, &in, 1, MPI_INT, 1 - rank, round,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_end(file[1], &out, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_end(file[0], &out, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) {
        MPI_Offset other = (1 - rank) * (MPI_Offset)sizeof(in);
        MPI_File_read_at_all_begin(file[i], other, &back[i], 1, MPI_INT);
        MPI_File_read_at_all_end(file[i], &back[i], MPI_STATUS_IGNORE);
    }
    return (back[0] == in) + (back[1] == in);
}

int main(int argc, char **argv)
{
    int rank;
    int right = 0;
    int all = 0;
    MPI_File file[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    file[0] = open_file("first.tmp");
    file[1] = open_file("second.tmp");
    for (int i = 0; i < ROUNDS; i++) {
        right += in_turns(file, rank, i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_File_close(&file[0]);
    MPI_File_close(&file[1]);
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("right %d\n", all);
    MPI_Finalize();
    return 0;
}

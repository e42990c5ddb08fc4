/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of nonblocking operations on files that others use as well: before and after, when each
 * call that completes requests has completed the operation; to read what a write reads; and other
 * bytes of the same array meanwhile.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: right 12
 */
#include <mpi.h>
#include <stdio.h>

enum { INTS = 4, WAYS = 6 };
static int words[2 * INTS], in[INTS];
static int rank, peer, right;
static MPI_File file;

static void complete(MPI_Request *request, int way)
{
    int done = 0, index, indices[1];

    switch (way) {
    case 0:
        MPI_Wait(request, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
        break;
    case 2:
        MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE);
        break;
    case 3:
        MPI_Waitsome(1, request, &done, indices, MPI_STATUSES_IGNORE);
        break;
    case 4:
        while (!done)
            MPI_Test(request, &done, MPI_STATUS_IGNORE);
        break;
    default:
        while (!done)
            MPI_Testany(1, request, &index, &done, MPI_STATUS_IGNORE);
    }
}

/* Both ranks send `words`, and receive into `to`. */
static void exchange(int *to)
{
    MPI_Sendrecv(words, INTS, MPI_INT, peer, 0, to, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void fill(int way)
{
    for (int i = 0; i < INTS; i++)
        words[i] = 100 * way + 10 * rank + i;
}

static void write_and_read(int way)
{
    MPI_Request request;

    fill(way);
    MPI_File_iwrite_at(file, 16 * rank, words, INTS, MPI_INT, &request);
    exchange(words + INTS);
    complete(&request, way);
    MPI_Allreduce(MPI_IN_PLACE, words, INTS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_iread_at(file, 16 * peer, in, INTS, MPI_INT, &request);
    exchange(words + INTS);
    complete(&request, way);
    right += in[INTS - 1] == 100 * way + 10 * peer + INTS - 1;
    exchange(in);
}

/* The same with the pointers of the file. */
static void pass(int way)
{
    MPI_Request request[2];

    MPI_File_iwrite_shared(file, words, INTS, MPI_INT, &request[0]);
    exchange(words + INTS);
    MPI_File_iwrite(file, words, INTS, MPI_INT, &request[1]);
    complete(&request[0], way);
    complete(&request[1], way);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_iread(file, words, INTS, MPI_INT, &request[0]);
    MPI_File_iread_shared(file, words + INTS, INTS, MPI_INT, &request[1]);
    complete(&request[1], way);
    complete(&request[0], way);
    MPI_Bcast(words, 2 * INTS, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int all = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_File_open(MPI_COMM_WORLD, "buffers_right.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int way = 0; way < WAYS; way++) {
        write_and_read(way);
        pass(way);
    }
    MPI_File_close(&file);
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("right %d\n", all);
    MPI_Finalize();
    return 0;
}

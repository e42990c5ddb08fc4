/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of a nonblocking collective operation on a file is in use until the operation is
 * complete (MPI-3.1 section 13.4.1). Meanwhile other calls use some of its bytes.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_File_read_all \(coll.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iwrite_at_all \(coll.*\) reads
 * SAYS: MPI_Irecv \(coll.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iread_at_all \(coll.*\) writes
 * SAYS: MPI_Irecv \(coll.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iwrite_all \(coll.*\) reads
 * SAYS: MPI_Irecv \(coll.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iread_all \(coll.*\) writes
 * SAYS: orknot: 4 findings \(4 errors\)
 */
#include <mpi.h>

enum { INTS = 4 };
/* The first 8 bytes of `other` are the last 8 bytes of `used`. */
static int words[2 * INTS], *const used = words, *const other = words + INTS / 2, apart[INTS];
static int rank, peer;
static MPI_File file;

/* A message that comes from this rank's peer. */
static void send(MPI_Request *request)
{
    MPI_Isend(apart, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, request);
}

static void collective_write(void)
{
    MPI_Request request;

    MPI_File_iwrite_at_all(file, 16 * rank, used, INTS, MPI_INT, &request);
    MPI_File_read_all(file, other, INTS, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Receive while the collective operation is pending. */
static void receive_and_wait(MPI_Request *request)
{
    send(&request[1]);
    MPI_Irecv(other, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
}

static void collective_reads(void)
{
    MPI_Request request[3];

    MPI_File_iread_at_all(file, 0, used, INTS, MPI_INT, request);
    receive_and_wait(request);
    MPI_File_iwrite_all(file, used, INTS, MPI_INT, request);
    receive_and_wait(request);
    MPI_File_iread_all(file, used, INTS, MPI_INT, request);
    receive_and_wait(request);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {collective_write, collective_reads};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_File_open(MPI_COMM_WORLD, "collective_buffers.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 64 * rank, words, 2 * INTS, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at(file, 64 * rank + 32, words, 2 * INTS, MPI_INT, MPI_STATUS_IGNORE);
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        act[i]();
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}

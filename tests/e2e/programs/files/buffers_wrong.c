/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of a nonblocking operation on a file is in use until the operation is complete
 * (MPI-3.1 section 13.4.1). Meanwhile other calls use some of its bytes: messages, a collective
 * call, and operations on files that block and that do not.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * FINDING: buffer-overlap warning
 * SAYS: MPI_Irecv \(buf.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iread_at \(buf.*\) writes
 * SAYS: MPI_Recv \(buf.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iwrite_at \(buf.*\) reads
 * SAYS: MPI_Isend \(buf.*\) of ranks 0 and 1 reads bytes 8 to 15 of a buffer that the pending MPI_File_iread \(buf.*\) writes
 * SAYS: MPI_Allreduce \(buf.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iwrite \(buf.*\) reads
 * SAYS: MPI_File_read_at \(buf.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_File_iwrite_shared \(buf.*\) reads
 * SAYS: MPI_File_iwrite_at \(buf.*\) of ranks 0 and 1 reads bytes 8 to 15 of a buffer that the pending MPI_File_iread_shared \(buf.*\) writes
 * SAYS: MPI_File_iread_at \(buf.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_Isend \(buf.*\) reads
 * SAYS: MPI_File_read \(buf.*\) of ranks 0 and 1 writes bytes 8 to 15 of a buffer that the pending MPI_Irecv \(buf.*\) writes
 * SAYS: orknot: 8 findings \(6 errors\)
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

static void explicit_read(void)
{
    MPI_Request request[3];

    MPI_File_iread_at(file, 0, used, INTS, MPI_INT, &request[0]);
    send(&request[1]);
    MPI_Irecv(other, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
}

static void explicit_write(void)
{
    MPI_Request request[2];

    MPI_File_iwrite_at(file, 16 * rank, used, INTS, MPI_INT, &request[0]);
    send(&request[1]);
    MPI_Recv(other, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void individual_read(void)
{
    MPI_Request request[2];

    MPI_File_iread(file, used, INTS, MPI_INT, &request[0]);
    MPI_Isend(other, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Recv(apart, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void individual_write(void)
{
    MPI_Request request;

    MPI_File_iwrite(file, used, INTS, MPI_INT, &request);
    MPI_Allreduce(apart, other, INTS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void shared_write(void)
{
    MPI_Request request;

    MPI_File_iwrite_shared(file, used, INTS, MPI_INT, &request);
    MPI_File_read_at(file, 0, other, INTS, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void shared_read(void)
{
    MPI_Request request[2];

    MPI_File_iread_shared(file, used, INTS, MPI_INT, &request[0]);
    MPI_File_iwrite_at(file, 16 * rank, other, INTS, MPI_INT, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void into_a_message(void)
{
    MPI_Request request[3];

    MPI_Isend(used, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(apart, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[1]);
    MPI_File_iread_at(file, 0, other, INTS, MPI_INT, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    send(&request[0]);
    MPI_Irecv(used, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[1]);
    MPI_File_read(file, other, INTS, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {explicit_read,    explicit_write, individual_read,
                                        individual_write, shared_write,   shared_read,
                                        into_a_message};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_File_open(MPI_COMM_WORLD, "buffers.tmp",
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

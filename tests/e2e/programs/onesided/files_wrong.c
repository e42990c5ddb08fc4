/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of nonblocking operations on files in the memory of a window, while another rank accesses
 * the same bytes and nothing orders the two (MPI-3.1 sections 11.7 and 13.4.1). A read fills its
 * buffer until it is complete, also when it was started before the put; what is written is put in
 * the same fence epoch, so that the value depends on timing.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * FINDING: rma-conflict warning
 * SAYS: error: rma-conflict: rank 0 put bytes 0-11 of the window of rank 1 \(files_wrong.c:\d+\) while rank 1 wrote bytes 0-15 of it as a buffer of MPI_File_iread_at \(files_wrong.c:\d+\): nothing orders them
 * SAYS: error: rma-conflict: rank 0 accumulated into bytes 16-27 of the window of rank 1 .* while rank 1 wrote bytes 16-31 of it as a buffer of MPI_File_iread_shared
 * SAYS: error: rma-conflict: rank 0 put bytes 32-43 of the window of rank 1 .* while rank 1 wrote bytes 32-47 of it as a buffer of MPI_File_iread_at_all
 * SAYS: warning: rma-conflict: rank 0 put bytes 48-51 of the window of rank 1 .* while rank 1 read bytes 48-63 of it as a buffer of MPI_File_iwrite_at
 * SAYS: orknot: 4 findings \(3 errors\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int rank, word[4], *memory;
static MPI_Win win;
static MPI_File file;
static MPI_Request request;

static void put(int place)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(word, 3, MPI_INT, 1, place, 3, MPI_INT, win); /* HERE */
    MPI_Win_unlock(1, win);
}

/* The message comes when the put is complete; but the read was started before. */
static void read_explicitly(void)
{
    if (rank == 0) {
        put(0);
        MPI_Send(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_File_iread_at(file, 0, memory, 4, MPI_INT, &request); /* HERE */
        MPI_Recv(word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void read_shared(void)
{
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Accumulate(word, 3, MPI_INT, 1, 4, 3, MPI_INT, MPI_SUM, win); /* HERE */
        MPI_Win_unlock(1, win);
    } else {
        int done = 0;
        MPI_File_iread_shared(file, memory + 4, 4, MPI_INT, &request); /* HERE */
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

static void read_together(void)
{
    MPI_File_iread_at_all(file, 0, rank == 1 ? memory + 8 : word, 4, MPI_INT, /* HERE */
                          &request);
    if (rank == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        put(8);
    } else {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void write_in_a_fence_epoch(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 12, 1, MPI_INT, win); /* HERE */
    else
        MPI_File_iwrite_at(file, 64, memory + 12, 4, MPI_INT, &request); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {read_explicitly, read_shared, read_together,
                                        write_in_a_fence_epoch};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_File_open(MPI_COMM_WORLD, "files_wrong.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 16 * rank, word, 4, MPI_INT, MPI_STATUS_IGNORE);
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        act[i]();
    }
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of nonblocking operations on files in the memory of a window, which another rank accesses
 * only when the operation is complete, or elsewhere, or to get what the operation only reads.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

static int rank, word[4], *memory;
static MPI_Win win;
static MPI_File file;

static void put(int place)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(word, 3, MPI_INT, 1, place, 3, MPI_INT, win);
    MPI_Win_unlock(1, win);
}

/* Rank 1 tells when the operation is complete. */
static void complete_and_tell(MPI_Request *request, int place)
{
    if (rank == 1) {
        MPI_Wait(request, MPI_STATUS_IGNORE);
        MPI_Send(word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(place);
    }
}

static void read_and_write(void)
{
    MPI_Request request = MPI_REQUEST_NULL;

    if (rank == 1)
        MPI_File_iread_at(file, 0, memory, 4, MPI_INT, &request);
    complete_and_tell(&request, 0);
    if (rank == 1)
        MPI_File_iwrite(file, memory + 4, 4, MPI_INT, &request);
    complete_and_tell(&request, 4);
    if (rank == 1)
        MPI_File_iread_shared(file, memory + 8, 4, MPI_INT, &request);
    complete_and_tell(&request, 8);
}

/* A get of what is written, and a put beside it. */
static void write_in_a_fence_epoch(void)
{
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Win_fence(0, win);
    if (rank == 1) {
        MPI_File_iwrite_at(file, 64, memory, 4, MPI_INT, &request);
    } else {
        MPI_Get(word, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Put(&rank, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(word, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

/* Both take part, so the wait of rank 0 does not tell that rank 1 has completed it. */
static void read_together(void)
{
    MPI_Request request;

    MPI_File_iread_at_all(file, 0, rank == 1 ? memory + 8 : word, 4, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        put(8);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_File_open(MPI_COMM_WORLD, "files_right.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 16 * rank, word, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    read_and_write();
    write_in_a_fence_epoch();
    read_together();
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 releases the buffers of operations that are pending: of a receive, of a send whose handle
 * others share, of a longer one, of a put, and of a receive into a structure with a gap; with each
 * of the functions that release memory (MPI-3.1 sections 3.7.2 and 11.3). It gets the same memory
 * again at once, so that nothing else is overwritten.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: memory-released error
 * SAYS: free \(buffers.c:\d+\) of rank 0 releases the buffer that the pending MPI_Irecv \(buffers.c:\d+\) writes
 * SAYS: free \(buffers.c:\d+\) of rank 0 releases the buffer that the pending MPI_Isend \(buffers.c:\d+\) reads
 * SAYS: realloc \(buffers.c:\d+\) of rank 0 releases the buffer that the pending MPI_Irecv \(buffers.c:\d+\) writes
 * SAYS: munmap \(buffers.c:\d+\) of rank 0 releases the buffer that the pending MPI_Issend \(buffers.c:\d+\) reads
 * SAYS: MPI_Free_mem \(buffers.c:\d+\) of rank 0 releases the buffer that the pending MPI_Irecv \(buffers.c:\d+\) writes
 * SAYS: free \(buffers.c:\d+\) of rank 0 releases the buffer that the pending MPI_Put \(buffers.c:\d+\) reads
 * EXIT: 66
 */
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { WORDS = 64, PAGE = 4096, MANY = 100000 };

static int rank;
static void *kept[16];
static int num_kept;

/* Memory of this size, which is not in use otherwise. */
static void take(size_t size)
{
    kept[num_kept++] = malloc(size);
}

static void from_free(void)
{
    int *words = calloc(WORDS, sizeof(*words));
    MPI_Request request;

    if (rank == 0) {
        MPI_Irecv(words, WORDS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        free(words);
        take(WORDS * sizeof(*words));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(words, WORDS, MPI_INT, 0, 0, MPI_COMM_WORLD);
        free(words);
    }
}

/* Some libraries complete both sends at once, and have one handle for all such requests. */
static void from_sends(void)
{
    MPI_Request request[2];
    int words[WORDS];

    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            int *copy = calloc(WORDS, sizeof(*copy));
            MPI_Isend(copy, WORDS, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[i]);
            free(copy);
            take(WORDS * sizeof(*copy));
        }
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Recv(words, WORDS, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* A buffer with a gap. */
static void from_realloc(void)
{
    int *words = calloc(WORDS, sizeof(*words));
    MPI_Datatype type;
    MPI_Request request;

    MPI_Type_vector(2, 4, WORDS / 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        MPI_Irecv(words, 1, type, 1, 2, MPI_COMM_WORLD, &request);
        words = realloc(words, MANY * sizeof(*words));
        take(WORDS * sizeof(*words));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(words, 1, type, 0, 2, MPI_COMM_WORLD);
    }
    free(words);
    MPI_Type_free(&type);
}

static void from_munmap(void)
{
    static char page[PAGE];
    MPI_Request request;

    if (rank == 0) {
        const int access = PROT_READ | PROT_WRITE, how = MAP_PRIVATE | MAP_ANONYMOUS;
        char *pages = mmap(NULL, 2 * PAGE, access, how, -1, 0);
        MPI_Issend(pages + PAGE, PAGE, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &request);
        munmap(pages + PAGE, PAGE);
        mmap(pages + PAGE, PAGE, access, how | MAP_FIXED, -1, 0);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        munmap(pages, 2 * PAGE);
    } else {
        MPI_Recv(page, PAGE, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void from_free_mem(void)
{
    MPI_Request request;
    int *words;

    MPI_Alloc_mem(WORDS * sizeof(*words), MPI_INFO_NULL, &words);
    words[0] = 0;
    if (rank == 0) {
        MPI_Irecv(words, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
        MPI_Free_mem(words);
        MPI_Alloc_mem(WORDS * sizeof(*words), MPI_INFO_NULL, &words);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(words, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Free_mem(words);
}

static void from_put(void)
{
    int *words = calloc(WORDS, sizeof(*words)), *memory;
    MPI_Win win;

    MPI_Win_allocate(WORDS * sizeof(*memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(words, WORDS, MPI_INT, 1, 0, WORDS, MPI_INT, win);
    free(words);
    take(WORDS * sizeof(*words));
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    from_free();
    from_sends();
    from_realloc();
    from_munmap();
    from_free_mem();
    from_put();
    for (int i = 0; i < num_kept; i++)
        free(kept[i]);
    MPI_Finalize();
    return 0;
}

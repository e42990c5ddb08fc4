/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that seem to reach past a block of malloc(), and do not (MPI-3.1 sections 3.2.2, 3.11 and
 * 4.1.12): all bytes of a block, also more than were asked for; a part of a pool whose content has
 * the form of a small block; a block that another thread has got; counts of calls to nobody, and
 * of elements without data; types from the middle of a block; absolute addresses.
 *
 * RANKS: 1
 * EXPECT: clean
 * EXIT: 0
 */
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 100, POOL = 5000, MAPPED = 1 << 20, MANY = 1 << 24 };

static char in[2 * MAPPED];
static char global[POOL] __attribute__((aligned(16)));

static void pass(const void *out, int count, MPI_Datatype type)
{
    MPI_Request request[2];

    MPI_Irecv(in, (int)sizeof(in), MPI_CHAR, 0, 0, MPI_COMM_SELF, &request[0]);
    MPI_Isend(out, count, type, 0, 0, MPI_COMM_SELF, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void whole_blocks(void)
{
    char *block[5] = {calloc(1, SMALL), calloc(1, POOL), calloc(1, MAPPED),
                      aligned_alloc(64, 10 * 64), malloc(SMALL)};

    block[4] = realloc(block[4], 3 * POOL);
    memset(block[3], 0, 10 * 64);
    memset(block[4], 0, 3 * POOL);
    for (int i = 0; i < 5; i++) {
        pass(block[i], (int)malloc_usable_size(block[i]), MPI_CHAR);
        free(block[i]);
    }
}

/* A pool keeps the sizes of its blocks before them, as malloc() does. */
static void pools(void)
{
    const uint64_t size = 48 | 1;
    char *pool = calloc(1, POOL), *shared = aligned_alloc(4096, MAPPED);

    memset(shared, 0, MAPPED);
    memcpy(pool + 64 - sizeof(size), &size, sizeof(size));
    memcpy(global + 64 - sizeof(size), &size, sizeof(size));
    memcpy(shared + sizeof(size), &size, sizeof(size));
    pass(pool + 64, POOL / 2, MPI_CHAR);
    pass(global + 64, POOL / 2, MPI_CHAR);
    pass(shared + 16, MAPPED - 16, MPI_CHAR);
    free(pool);
    free(shared);
}

static void *allocate(void *unused)
{
    (void)unused;
    return calloc(1, POOL);
}

/* Its block is in a segment of its own. */
static void of_another_thread(void)
{
    pthread_t thread;
    void *block = NULL;

    pthread_create(&thread, NULL, allocate, NULL);
    pthread_join(thread, &block);
    pass(block, POOL, MPI_CHAR);
    free(block);
}

static void counts_that_do_not_count(void)
{
    char *block = calloc(1, SMALL);
    MPI_Datatype empty;

    MPI_Type_contiguous(0, MPI_CHAR, &empty);
    MPI_Type_commit(&empty);
    pass(block, MANY, empty);
    MPI_Send(block, MANY, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_SELF);
    MPI_Recv(block, MANY, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Type_free(&empty);
    free(block);
}

static void types(void)
{
    char *block = calloc(1, POOL), *second = calloc(1, POOL);
    const MPI_Aint back[2] = {-POOL / 2, POOL / 2 - 10};
    MPI_Aint address[2];
    MPI_Datatype around, column, absolute;

    MPI_Type_create_hindexed_block(2, 10, back, MPI_CHAR, &around);
    MPI_Type_vector(POOL / 100, 10, 100, MPI_CHAR, &column);
    MPI_Get_address(block, &address[0]);
    MPI_Get_address(second, &address[1]);
    MPI_Type_create_hindexed_block(2, 10, address, MPI_CHAR, &absolute);
    MPI_Type_commit(&around);
    MPI_Type_commit(&column);
    MPI_Type_commit(&absolute);
    pass(block + POOL / 2, 1, around);
    pass(block, 1, column);
    pass(MPI_BOTTOM, 1, absolute);
    MPI_Type_free(&around);
    MPI_Type_free(&column);
    MPI_Type_free(&absolute);
    free(block);
    free(second);
}

int main(int argc, char **argv)
{
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    whole_blocks();
    pools();
    of_another_thread();
    counts_that_do_not_count();
    types();
    MPI_Finalize();
    return 0;
}

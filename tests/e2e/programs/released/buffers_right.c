/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory is released as soon as it is allowed, while other operations are pending in the memory
 * around it: after each of the calls that complete an operation, of operations without data, of
 * persistent ones that are not active, in place, and by a pool that keeps what it has. Correct
 * (MPI-3.1 sections 3.7.2 to 3.7.6 and 3.9).
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ROUNDS = 300, WORDS = 500, HOWS = 6 };

static int rank, other;

static void complete(MPI_Request *request, int how)
{
    int flag = 0, index, indices[1];

    if (how == 0)
        MPI_Wait(request, MPI_STATUS_IGNORE);
    else if (how == 1)
        MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
    else if (how == 2)
        MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE);
    else if (how == 3)
        MPI_Waitsome(1, request, &index, indices, MPI_STATUSES_IGNORE);
    while (how == 4 && !flag)
        MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    while (how == 5 && !flag)
        MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
}

static void exchange(int round, size_t words)
{
    int *in = calloc(words, sizeof(*in)), *out = calloc(words, sizeof(*out));
    int *near[8];
    MPI_Request request[2];

    MPI_Irecv(in, (int)words, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, (int)words, MPI_INT, other, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 8; i++)
        near[i] = malloc(words * sizeof(*near[i]));
    for (int i = 0; i < 8; i++)
        free(near[i]);
    complete(&request[0], round % HOWS);
    free(in);
    complete(&request[1], round / HOWS % HOWS);
    free(out);
    for (int i = 0; i < 2; i++) {
        if (request[i] != MPI_REQUEST_NULL)
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
}

/* A block that becomes smaller or larger in its place. */
static void in_place(void)
{
    char *bytes = malloc(4096);
    MPI_Request request;

    MPI_Irecv(bytes, 16, MPI_CHAR, other, 1, MPI_COMM_WORLD, &request);
    char *same = realloc(bytes, 2048);
    if (same != bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Send("fifteen letters", 16, MPI_CHAR, other, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(same);
}

static void without_data(void)
{
    int *words = calloc(WORDS, sizeof(*words));
    MPI_Request request[4];

    MPI_Irecv(words, WORDS, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(words, WORDS, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(words, 0, MPI_INT, other, 2, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(words, 0, MPI_INT, other, 2, MPI_COMM_WORLD, &request[3]);
    free(words);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

static void persistent(void)
{
    int *words = calloc(WORDS, sizeof(*words));
    MPI_Request request;

    MPI_Send_init(words, WORDS, MPI_INT, other, 3, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Recv(words + 100, WORDS - 100, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    int *in = malloc(WORDS * sizeof(*in));
    MPI_Recv(in, WORDS, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(words);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request_free(&request);
    free(in);
}

static void cancelled(void)
{
    int *words = calloc(WORDS, sizeof(*words));
    MPI_Request request;

    MPI_Irecv(words, WORDS, MPI_INT, other, 4, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(words);
}

/* The request is freed, and a reply says that the message was received (section 3.7.3). */
static void freed(void)
{
    int *words = calloc(WORDS, sizeof(*words)), in[WORDS];
    MPI_Request request;

    MPI_Isend(words, WORDS, MPI_INT, other, 5, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(in, WORDS, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    free(words);
}

/* Another thread releases what is complete, and the memory is used again. */
static void *release(void *words)
{
    free(words);
    return NULL;
}

static void other_thread(void)
{
    MPI_Request pending, request;
    int *kept = calloc(WORDS, sizeof(*kept));
    pthread_t thread;

    MPI_Irecv(kept, WORDS, MPI_INT, other, 6, MPI_COMM_WORLD, &pending);
    for (int i = 0; i < 20; i++) {
        int *words = calloc(WORDS, sizeof(*words)), in[WORDS];
        MPI_Isend(words, WORDS, MPI_INT, other, 7, MPI_COMM_WORLD, &request);
        MPI_Recv(in, WORDS, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_create(&thread, NULL, release, words);
        pthread_join(thread, NULL);
    }
    MPI_Send(kept, 0, MPI_INT, other, 6, MPI_COMM_WORLD);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    free(kept);
}

/* A pool: what it gets back it gives to the next one. */
static char pool[2][4096];
static unsigned used;

static void *pool_take(void)
{
    return pool[used++ % 2];
}

static void from_pool(void)
{
    MPI_Request request[2];

    for (int i = 0; i < 20; i++) {
        MPI_Irecv(pool_take(), 4096, MPI_CHAR, other, 8, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(pool_take(), 4096, MPI_CHAR, other, 8, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
}

/* The pages on both sides of a buffer are unmapped. */
static void mapped(void)
{
    enum { PAGE = 4096 };
    char *pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char out[PAGE];
    MPI_Request request;

    memset(out, 1, PAGE);
    MPI_Irecv(pages + PAGE, PAGE, MPI_CHAR, other, 9, MPI_COMM_WORLD, &request);
    munmap(pages, PAGE);
    munmap(pages + 2 * PAGE, PAGE);
    MPI_Send(out, PAGE, MPI_CHAR, other, 9, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    munmap(pages + PAGE, PAGE);
}

int main(int argc, char **argv)
{
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (int i = 0; i < ROUNDS; i++)
        exchange(i, i % 7 == 0 ? 20000 : WORDS);
    in_place();
    without_data();
    persistent();
    cancelled();
    freed();
    other_thread();
    from_pool();
    mapped();
    MPI_Finalize();
    return 0;
}

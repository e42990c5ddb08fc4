/* SPDX-License-Identifier: BSD-3-Clause */
/* Local variables are the buffers of pending operations in frames that have not returned: of
 * callers, of threads, and of fibers, which have stacks of their own, on the heap or in a frame of
 * the thread, and wait while another one runs; and in a frame that has returned after the operation
 * was complete. Correct.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

enum { ROOM = 10000, ROUNDS = 30, STACK = 1 << 18 };

static int rank, other;

/* Waits far below the frame that has the buffers. */
static int __attribute__((noinline)) wait_below(int depth, MPI_Request request[2])
{
    volatile char room[ROOM];

    room[0] = (char)depth;
    if (depth == 0) {
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        wait_below(depth - 1, request);
    }
    return room[0];
}

static void __attribute__((noinline)) callers(void)
{
    int out[100] = {0}, in[100];
    MPI_Request request[2];

    MPI_Irecv(in, 100, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, 100, MPI_INT, other, 0, MPI_COMM_WORLD, &request[1]);
    wait_below(20, request);
}

/* The frame that starts is below the one that waits, and has only the handles. */
static char __attribute__((noinline)) start(int *buffers, MPI_Request request[2])
{
    volatile char room[ROOM];

    room[0] = 0;
    MPI_Irecv(buffers, 10, MPI_INT, other, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(buffers + 10, 10, MPI_INT, other, 1, MPI_COMM_WORLD, &request[1]);
    return room[0];
}

static void starters(void)
{
    int buffers[20] = {0};
    MPI_Request request[2];

    start(buffers, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

/* The frames of all calls are at the same place. */
static void __attribute__((noinline)) complete_here(int round)
{
    int out[50] = {round}, in[50], flag = 0;
    MPI_Request request[2];

    MPI_Irecv(in, 50, MPI_INT, other, 2, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, 50, MPI_INT, other, 2, MPI_COMM_WORLD, &request[1]);
    while (round % 2 == 0 && !flag)
        MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
    if (round % 2 != 0)
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static ucontext_t main_fiber, second_fiber;
static MPI_Request of_fiber[2], of_main[2];

static void fiber(void)
{
    int out[50] = {0}, in[50];

    MPI_Irecv(in, 50, MPI_INT, other, 3, MPI_COMM_WORLD, &of_fiber[0]);
    MPI_Isend(out, 50, MPI_INT, other, 3, MPI_COMM_WORLD, &of_fiber[1]);
    MPI_Waitall(2, of_main, MPI_STATUSES_IGNORE);
    swapcontext(&second_fiber, &main_fiber);
}

/* Each of two fibers waits for what the other one has started. */
static void fibers(void)
{
    int out[50] = {0}, in[50];
    char *stack = malloc(STACK);

    MPI_Irecv(in, 50, MPI_INT, other, 4, MPI_COMM_WORLD, &of_main[0]);
    MPI_Isend(out, 50, MPI_INT, other, 4, MPI_COMM_WORLD, &of_main[1]);
    getcontext(&second_fiber);
    second_fiber.uc_stack.ss_sp = stack;
    second_fiber.uc_stack.ss_size = STACK;
    makecontext(&second_fiber, fiber, 0);
    swapcontext(&main_fiber, &second_fiber);
    MPI_Waitall(2, of_fiber, MPI_STATUSES_IGNORE);
    free(stack);
}

/* The stacks of both are arrays in a frame of the thread, and the lower one waits. */
static ucontext_t low_fiber, high_fiber;
static MPI_Request of_low[2];

static void low(void)
{
    int out[50] = {0}, in[50];

    MPI_Irecv(in, 50, MPI_INT, other, 6, MPI_COMM_WORLD, &of_low[0]);
    MPI_Isend(out, 50, MPI_INT, other, 6, MPI_COMM_WORLD, &of_low[1]);
    swapcontext(&low_fiber, &high_fiber);
    in[0] = out[0];
}

static void high(void)
{
    MPI_Waitall(2, of_low, MPI_STATUSES_IGNORE);
}

static void arrays_as_stacks(void)
{
    char stack[2][STACK];

    getcontext(&low_fiber);
    low_fiber.uc_stack.ss_sp = stack[0];
    low_fiber.uc_stack.ss_size = sizeof(stack[0]);
    getcontext(&high_fiber);
    high_fiber.uc_stack.ss_sp = stack[1];
    high_fiber.uc_stack.ss_size = sizeof(stack[1]);
    high_fiber.uc_link = &main_fiber;
    makecontext(&low_fiber, low, 0);
    makecontext(&high_fiber, high, 0);
    swapcontext(&main_fiber, &low_fiber);
}

/* The main thread completes what another thread has started, whose frame is there. */
static pthread_barrier_t started, completed;
static MPI_Request of_thread[2];

static void *thread(void *unused)
{
    int out[50] = {0}, in[50];

    MPI_Irecv(in, 50, MPI_INT, other, 5, MPI_COMM_WORLD, &of_thread[0]);
    MPI_Isend(out, 50, MPI_INT, other, 5, MPI_COMM_WORLD, &of_thread[1]);
    pthread_barrier_wait(&started);
    pthread_barrier_wait(&completed);
    return unused;
}

static void threads(void)
{
    pthread_t id;

    pthread_barrier_init(&started, NULL, 2);
    pthread_barrier_init(&completed, NULL, 2);
    pthread_create(&id, NULL, thread, NULL);
    pthread_barrier_wait(&started);
    MPI_Waitall(2, of_thread, MPI_STATUSES_IGNORE);
    pthread_barrier_wait(&completed);
    pthread_join(id, NULL);
}

int main(int argc, char **argv)
{
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    callers();
    starters();
    for (int i = 0; i < ROUNDS; i++)
        complete_here(i / 3);
    fibers();
    arrays_as_stacks();
    if (level >= MPI_THREAD_SERIALIZED)
        threads();
    MPI_Finalize();
    return 0;
}

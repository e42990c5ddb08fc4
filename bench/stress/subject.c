/* SPDX-License-Identifier: BSD-3-Clause */
/* Small programs for bench/stress/stress, one for each word of argv[1]; argv[2] seeds what is left
 * to chance. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BIG = 1 << 20, SMALL = 64, LOOPS = 200 };

static int rank, size;
static int victim; /* the rank that ends early */
static char buffer[2][BIG];

static int next(void)
{
    return (rank + 1) % size;
}

static int previous(void)
{
    return (rank + size - 1) % size;
}

static void nap(long us)
{
    struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};

    nanosleep(&t, NULL);
}

/* ---- correct ---- */

static void empty(void)
{
}

static void ring(void)
{
    for (int i = 0; i < LOOPS; i++)
        MPI_Sendrecv(buffer[0], SMALL, MPI_CHAR, next(), 1, buffer[1], SMALL, MPI_CHAR, previous(),
                     1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void halo(void)
{
    for (int i = 0; i < LOOPS; i++) {
        MPI_Request r[2];
        MPI_Irecv(buffer[1], SMALL, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(buffer[0], SMALL, MPI_CHAR, next(), 1, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
}

static void big_halo(void)
{
    for (int i = 0; i < 10; i++) {
        MPI_Request r[2];
        MPI_Irecv(buffer[1], BIG, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(buffer[0], BIG, MPI_CHAR, next(), 1, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
}

static void collectives(void)
{
    int in = rank, out;

    for (int i = 0; i < LOOPS / 4; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(buffer[0], SMALL, MPI_CHAR, i % size, MPI_COMM_WORLD);
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Reduce(&in, &out, 1, MPI_INT, MPI_MAX, i % size, MPI_COMM_WORLD);
        MPI_Gather(&in, 1, MPI_INT, buffer[1], 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Alltoall(buffer[0], 4, MPI_CHAR, buffer[1], 4, MPI_CHAR, MPI_COMM_WORLD);
    }
}

static void big_bcast(void)
{
    for (int i = 0; i < 20; i++)
        MPI_Bcast(buffer[0], BIG, MPI_CHAR, i % size, MPI_COMM_WORLD);
}

static void farm(void)
{
    int work = 0, answer;

    if (rank != 0) {
        while (MPI_Recv(&work, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), work >= 0)
            MPI_Send(&work, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        return;
    }
    for (int r = 1; r < size; r++)
        MPI_Send(&work, 1, MPI_INT, r, 1, MPI_COMM_WORLD);
    for (int left = (size - 1) * 50; left > 0; left--) {
        MPI_Status status;
        MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        work = left > size - 1 ? 1 : -1;
        MPI_Send(&work, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
    }
}

static void persistent(void)
{
    MPI_Request r[2];

    MPI_Send_init(buffer[0], SMALL, MPI_CHAR, next(), 1, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(buffer[1], SMALL, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, &r[1]);
    for (int i = 0; i < LOOPS; i++) {
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

static void comms(void)
{
    for (int i = 0; i < 10; i++) {
        MPI_Comm dup, half;
        MPI_Comm_dup(MPI_COMM_WORLD, &dup);
        MPI_Comm_split(dup, rank % 2, rank, &half);
        MPI_Barrier(half);
        MPI_Comm_free(&half);
        MPI_Comm_free(&dup);
    }
}

static void tests(void)
{
    for (int i = 0; i < 20; i++) {
        MPI_Request r[2];
        int done = 0;
        MPI_Irecv(buffer[1], SMALL, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, &r[0]);
        nap(rand() % 2000);
        MPI_Isend(buffer[0], SMALL, MPI_CHAR, next(), 1, MPI_COMM_WORLD, &r[1]);
        while (!done)
            MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
    }
}

static void probes(void)
{
    MPI_Request r;

    for (int i = 0; i < 50; i++) {
        MPI_Status status;
        int there = 0, count;
        MPI_Isend(buffer[0], rand() % SMALL, MPI_CHAR, next(), 1, MPI_COMM_WORLD, &r);
        while (!there)
            MPI_Iprobe(previous(), 1, MPI_COMM_WORLD, &there, &status);
        MPI_Get_count(&status, MPI_CHAR, &count);
        MPI_Recv(buffer[1], count, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

static void window(void)
{
    MPI_Win win;
    int *base;

    MPI_Win_allocate((MPI_Aint)size * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &base, &win);
    for (int i = 0; i < 10; i++) {
        MPI_Win_fence(0, win);
        MPI_Put(&rank, 1, MPI_INT, next(), rank, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
}

static void uneven(void)
{
    for (int i = 0; i < 5; i++) {
        nap(rand() % 100000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Rank 0 takes the messages of ranks 1 and 2 in any order. */
static void two_first(void)
{
    for (int i = 0; i < 2 && rank == 0; i++)
        MPI_Recv(buffer[1], SMALL, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 || rank == 2)
        MPI_Send(buffer[0], SMALL, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
}

/* All ranks take a number of rank 0. */
static void counter(void)
{
    MPI_Win win;
    int *base, one = 1, mine;

    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    *base = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &mine, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* ---- correct, though a library that does not buffer would deadlock ---- */

/* Many messages to a rank that is in a barrier: the sender waits for room in a queue. */
static void flood(void)
{
    if (rank == 0) {
        for (int i = 0; i < 20000; i++)
            MPI_Send(buffer[0], SMALL, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < 20000; i++)
        MPI_Recv(buffer[1], SMALL, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The same while the receiver is stopped for a while. */
static void stopped_flood(void)
{
    if (rank == 1 && fork() == 0) {
        nap(200000);
        kill(getppid(), SIGSTOP);
        nap(1000000 + rand() % 3000000);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    for (int i = 0; i < 5; i++)
        flood();
}

static void buffered_exchange(void)
{
    MPI_Send(buffer[0], SMALL, MPI_CHAR, next(), 1, MPI_COMM_WORLD);
    MPI_Recv(buffer[1], SMALL, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- mistakes that end no job ---- */

/* Ranks 1 and 2 put to the same bytes. */
static void conflict(void)
{
    MPI_Win win;
    int *base;

    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    if (rank == 1 || rank == 2)
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void leak(void)
{
    MPI_Comm dup;

    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Barrier(dup);
}

static void wrong_type(void)
{
    if (rank == 0)
        MPI_Send(buffer[0], 1, MPI_FLOAT, 1, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(buffer[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Overlapping buffers of two pending receives. */
static void overlap(void)
{
    MPI_Request r[2];

    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(buffer[1] + i, SMALL, MPI_CHAR, 1, i, MPI_COMM_WORLD, &r[i]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 2 && rank == 1; i++)
        MPI_Send(buffer[0], SMALL, MPI_CHAR, 0, i, MPI_COMM_WORLD);
}

/* ---- deadlocks ---- */

static void recv_recv(void)
{
    MPI_Recv(buffer[1], SMALL, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer[0], SMALL, MPI_CHAR, next(), 1, MPI_COMM_WORLD);
}

static void ssend_ssend(void)
{
    MPI_Ssend(buffer[0], SMALL, MPI_CHAR, next(), 1, MPI_COMM_WORLD);
    MPI_Recv(buffer[1], SMALL, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void big_send_send(void)
{
    MPI_Send(buffer[0], BIG, MPI_CHAR, next(), 1, MPI_COMM_WORLD);
    MPI_Recv(buffer[1], BIG, MPI_CHAR, previous(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_wait(void)
{
    MPI_Request r[2];

    MPI_Irecv(buffer[0], SMALL, MPI_CHAR, previous(), 2, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(buffer[1], SMALL, MPI_CHAR, next(), 1, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void any_any(void)
{
    MPI_Recv(buffer[1], SMALL, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The receive that takes any message needs the one that the next one names. */
static void any_then_one(void)
{
    if (rank != 0) {
        MPI_Send(buffer[0], SMALL, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        return;
    }
    for (int i = 0; i < size; i++)
        MPI_Recv(buffer[1], SMALL, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A deadlock if the message of rank 2 comes first, which is late in most runs. */
static void rare(void)
{
    MPI_Status status;

    if (rank == 2)
        nap(200000);
    if (rank == 1 || rank == 2)
        MPI_Send(buffer[0], SMALL, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    if (rank != 0)
        return;
    MPI_Recv(buffer[1], SMALL, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    MPI_Recv(buffer[1], SMALL, MPI_CHAR, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void crossed_collectives(void)
{
    int in = 1, out;

    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void missing_barrier(void)
{
    if (rank != 0)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void barrier_recv(void)
{
    if (rank == 0)
        MPI_Recv(buffer[1], SMALL, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Send(buffer[0], SMALL, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
}

/* ---- ends early: one rank, while the others do something that takes long ---- */

static void wait_for_victim(void)
{
    switch (rand() % 3) {
    case 0:
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Recv(buffer[1], SMALL, MPI_CHAR, victim, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    default:
        nap(rand() % 500000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void ends(void (*how)(void))
{
    ring();
    if (rank == victim) {
        nap(rand() % 300000);
        how();
    }
    wait_for_victim();
}

static void crash(void)
{
    raise(SIGSEGV);
}

static void killed(void)
{
    raise(SIGKILL);
}

static void terminated(void)
{
    raise(SIGTERM);
}

static void mpi_abort(void)
{
    MPI_Abort(MPI_COMM_WORLD, 5);
}

static void exit_three(void)
{
    exit(3);
}

static void exit_zero(void)
{
    _exit(0);
}

static void fatal_error(void)
{
    MPI_Send(buffer[0], SMALL, MPI_CHAR, size + 1, 1, MPI_COMM_WORLD);
}

static void die_crash(void)
{
    ends(crash);
}

static void die_killed(void)
{
    ends(killed);
}

static void die_terminated(void)
{
    ends(terminated);
}

static void die_abort(void)
{
    ends(abort);
}

static void die_mpi_abort(void)
{
    ends(mpi_abort);
}

static void die_exit_three(void)
{
    ends(exit_three);
}

static void die_exit_zero(void)
{
    ends(exit_zero);
}

static void die_fatal_error(void)
{
    ends(fatal_error);
}

/* ---- run for some seconds: something to cancel ---- */

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void long_(void (*what)(void))
{
    double end = seconds() + 8;
    int go = 1;

    while (go) {
        what();
        go = seconds() < end;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

static void long_ring(void)
{
    long_(ring);
}

static void long_farm(void)
{
    long_(farm);
}

static void long_collectives(void)
{
    long_(collectives);
}

static void long_computation(void)
{
    double end = seconds() + 8;

    while (seconds() < end)
        rank += rand() % 2 * 0;
}

#define KIND(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

static const struct {
    const char *name;
    void (*run)(void);
} kind[] = {
    KIND(empty),
    KIND(ring),
    KIND(halo),
    KIND(big_halo),
    KIND(collectives),
    KIND(big_bcast),
    KIND(farm),
    KIND(persistent),
    KIND(comms),
    KIND(tests),
    KIND(probes),
    KIND(window),
    KIND(two_first),
    KIND(counter),
    KIND(conflict),
    KIND(leak),
    KIND(wrong_type),
    KIND(overlap),
    KIND(rare),
    KIND(uneven),
    KIND(flood),
    KIND(stopped_flood),
    KIND(recv_recv),
    KIND(ssend_ssend),
    KIND(big_send_send),
    KIND(wait_wait),
    KIND(any_any),
    KIND(any_then_one),
    KIND(barrier_recv),
    KIND(long_ring),
    KIND(crossed_collectives),
    KIND(long_farm),
    KIND(die_crash),
    KIND(missing_barrier),
    KIND(die_killed),
    KIND(die_terminated),
    KIND(buffered_exchange),
    KIND(die_abort),
    KIND(die_mpi_abort),
    KIND(long_collectives),
    KIND(die_exit_zero),
    KIND(die_exit_three),
    KIND(long_computation),
    KIND(die_fatal_error),
};

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    victim = atoi(argv[2]) % size;
    srand((unsigned)(atoi(argv[2]) * 1000 + rank));
    for (size_t i = 0; i < sizeof(kind) / sizeof(kind[0]); i++) {
        if (strcmp(kind[i].name, argv[1]) == 0)
            kind[i].run();
    }
    MPI_Finalize();
    return 0;
}

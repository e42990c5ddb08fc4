/* SPDX-License-Identifier: BSD-3-Clause */
/* Three ranks: where ork_library_grants_locks() says so, MPI_Win_lock does not return while another
 * rank holds the lock. For each kind of window a rank holds the lock of rank 0, which a second one
 * requests; and both count in memory that only the lock protects. Arguments: kinds of windows for
 * which it must say so; with a minus before it, for which it must not, and locks are seen to be
 * granted later. */
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 3, HOLDER = 1, NEXT_ONE = 2, TARGET = 0, HOLDS = 10, ROUNDS = 300 };

/* Processor time that a rank has for its return from MPI_Win_lock while another one holds the lock:
 * a call that does not wait takes a hundredth of it. */
static const double CALL_SECONDS = 0.005;

/* Of a round, as the next one sees it. */
enum { UNTRIED, REQUESTED, RETURNED, STATES };

/* Of all ranks, beside MPI. */
struct shared {
    _Atomic int held;    /* rounds in which the lock was taken by its holder */
    _Atomic int request; /* of the next one: number of the round * STATES + state */
    _Atomic int released;
    _Atomic int early; /* locks that the next one had before they were released */
    _Atomic int pid;   /* of the next one */
    volatile int count;
};

enum kind { CREATE, ALLOCATE, SHARED, DYNAMIC, KINDS };

static const char *const kind_name[KINDS] = {"create", "allocate", "shared", "dynamic"};
static int me;
static struct shared *shared;

/* The functions of the library itself, as in a process without the interceptor. */
_Atomic(ork_function) ork_next_table[ORK_CALL_MAX];

ork_function ork_next_resolve(enum ork_call_id call, const char *symbol)
{
    void *found = dlsym(RTLD_DEFAULT, symbol);
    ork_function function;

    memcpy(&function, &found, sizeof(function));
    atomic_store(&ork_next_table[call], function);
    return function;
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "rank %d: %s\n", me, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void share(void)
{
    char path[] = "/tmp/orknot-unit-locks-XXXXXX";
    int fd = -1;

    if (me == 0)
        fd = mkstemp(path);
    MPI_Bcast(path, (int)sizeof(path), MPI_CHAR, 0, MPI_COMM_WORLD);
    if (me != 0)
        fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || (me == 0 && ftruncate(fd, sizeof(*shared)) != 0))
        fail("no file to share");
    MPI_Barrier(MPI_COMM_WORLD);
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared == MAP_FAILED)
        fail("no memory to share");
    close(fd);
    if (me == 0)
        unlink(path);
}

static MPI_Win make_window(enum kind kind)
{
    static int memory[4];
    void *base;
    MPI_Win win = MPI_WIN_NULL;

    if (kind == CREATE)
        MPI_Win_create(memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    else if (kind == ALLOCATE)
        MPI_Win_allocate(sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    else if (kind == SHARED)
        MPI_Win_allocate_shared(sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    else
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    return win;
}

/* ---- a lock that is held ---- */

static double processor_seconds(pid_t pid)
{
    clockid_t clock;
    struct timespec t;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        fail("the processor time of the other rank is unknown");
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Until the next one has returned, or has had the time for it. */
static void hold(int round)
{
    while (shared->request / STATES != round || shared->request % STATES == UNTRIED)
        sched_yield();
    double begin = processor_seconds(shared->pid);
    while (shared->request % STATES != RETURNED &&
           processor_seconds(shared->pid) - begin < CALL_SECONDS)
        sched_yield();
}

/* Round by round, from 1 on. */
static void hold_and_request(MPI_Win win)
{
    for (int round = 1; round <= HOLDS; round++) {
        if (me == HOLDER) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, win);
            shared->held = round;
            hold(round);
            shared->released = round;
            MPI_Win_unlock(TARGET, win);
        } else if (me == NEXT_ONE) {
            while (shared->held != round)
                sched_yield();
            shared->request = round * STATES + REQUESTED;
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, win);
            shared->early += shared->released != round;
            shared->request = round * STATES + RETURNED;
            MPI_Win_unlock(TARGET, win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* ---- a count ---- */

static void count(MPI_Win win)
{
    for (int i = 0; i < ROUNDS && me != TARGET; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, win);
        int before = shared->count;
        if (i % 8 == 0)
            sched_yield();
        shared->count = before + 1;
        MPI_Win_unlock(TARGET, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- */

static bool is_named(char **name, const char *sign, enum kind kind)
{
    char text[32];

    snprintf(text, sizeof(text), "%s%s", sign, kind_name[kind]);
    while (*name != NULL && strcmp(*name, text) != 0)
        name++;
    return *name != NULL;
}

static void check(enum kind kind, char **name)
{
    MPI_Win win = make_window(kind);
    bool grants = ork_library_grants_locks(win);

    if (me == 0)
        *shared = (struct shared){.held = 0};
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == NEXT_ONE)
        shared->pid = (int)getpid();
    MPI_Barrier(MPI_COMM_WORLD);
    hold_and_request(win);
    count(win);
    const int lost = (RANKS - 1) * ROUNDS - shared->count;
    if (me == 0)
        printf("%s: granted in the call: %s; early: %d of %d; counts lost: %d of %d\n",
               kind_name[kind], grants ? "yes" : "not said", shared->early, HOLDS, lost,
               (RANKS - 1) * ROUNDS);
    if (grants && shared->early != 0)
        fail("MPI_Win_lock returned while another rank held the lock");
    if (grants && lost != 0)
        fail("two ranks were in the critical section");
    if (!grants && is_named(name, "", kind))
        fail("it is not known that locks are granted");
    if (is_named(name, "-", kind) && (grants || shared->early == 0))
        fail("locks are granted, or said to be");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != RANKS)
        fail("three ranks are needed");
    share();
    for (enum kind kind = 0; kind < KINDS; kind++)
        check(kind, argv + 1);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of the MPI programs of the tests: how a rank waits. If there are more ranks than processors,
 * Open MPI calls sched_yield() whenever it finds nothing to do. Beside other work that costs the
 * rank its turn, and it gets the next one after tens of milliseconds: four ranks that wait for each
 * other in a loop take a minute instead of three seconds. A rank that sleeps gets its turn when it
 * wakes. So a rank whose sched_yield() took long sleeps instead, the next times.
 *
 * In programs that mostly wait, with many ranks (ORK_WAITS_MOSTLY), a rank that found nothing many
 * times in a row sleeps in any case, and leaves the processors to others. A program that exchanges
 * thousands of messages takes minutes with that.
 *
 * Without ORKNOT_TEST_SLEEPS=1 (see environment.cmake.in) all is as it is in a user's program. */
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef ORK_WAITS_MOSTLY
#define ORK_WAITS_MOSTLY 0
#endif

enum {
    TAKEN = 1000000, /* ns after which others had the processor in the meantime */
    NEXT = 1000,     /* times that the rank then sleeps instead */
    NAP = 20000,     /* ns */
    ROW = 30,        /* times that a rank asks for something to do, at once */
    WORKED = 20000,  /* ns between two calls after which the rank has done something else */
    SHORT = 100000,  /* ns that it sleeps first */
    LONG = 1000000,  /* ns that it sleeps when it has slept that often */
};

static long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int sleeps(void)
{
    static _Thread_local int is_known, is_so;

    if (!is_known) {
        is_so = getenv("ORKNOT_TEST_SLEEPS") != NULL;
        is_known = 1;
    }
    return is_so;
}

static void sleep_ns(long ns)
{
    const struct timespec pause = {.tv_nsec = ns};

    nanosleep(&pause, NULL);
}

__attribute__((visibility("default"))) int sched_yield(void)
{
    static _Thread_local long long last;
    static _Thread_local int row, naps;

    if (!sleeps())
        return (int)syscall(SYS_sched_yield);
    if (naps > 0) {
        naps--;
        sleep_ns(NAP);
        return 0;
    }
    long long begin = now();
    row = begin - last > WORKED ? 0 : row + 1;
    if (ORK_WAITS_MOSTLY && row > ROW) {
        sleep_ns(row > 3 * ROW ? LONG : SHORT);
        last = now();
        return 0;
    }
    syscall(SYS_sched_yield);
    last = now();
    naps = last - begin > TAKEN ? NEXT : 0;
    return 0;
}

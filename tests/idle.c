/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of MPI programs of the tests that mostly wait, for others than themselves: a rank that waits
 * leaves the processor to those that work. If there are more ranks than processors, Open MPI calls
 * sched_yield() whenever it finds nothing to do. That gives the processor away for a moment only;
 * here a rank that finds nothing many times in a row sleeps. A program that exchanges thousands of
 * messages takes minutes with it. Without ORKNOT_TEST_SLEEPS=1 (see environment.cmake.in) all is as
 * it is in a user's program. */
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    ROW = 30,       /* times that a rank asks for something to do, at once */
    WORKED = 20000, /* ns between two calls after which the rank has done something else */
    SHORT = 100000, /* ns that it sleeps first */
    LONG = 1000000, /* ns that it sleeps when it has slept that often */
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

__attribute__((visibility("default"))) int sched_yield(void)
{
    static _Thread_local long long last;
    static _Thread_local int row;

    if (!sleeps())
        return (int)syscall(SYS_sched_yield);
    row = now() - last > WORKED ? 0 : row + 1;
    if (row > ROW) {
        struct timespec pause = {.tv_nsec = row > 3 * ROW ? LONG : SHORT};
        nanosleep(&pause, NULL);
    } else {
        syscall(SYS_sched_yield);
    }
    last = now();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A walk finds the same frames as the unwinder of the compiler's library. */
#include "interceptor/site/unwind.h"
#include "tests/unit/interceptor/unwind_cleanup.h"

#include <alloca.h>
#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define NOINLINE __attribute__((noinline, noclone, noipa, no_sanitize_address))
#define SMALL    NOINLINE __attribute__((optimize("O2", "omit-frame-pointer")))
#define FRAMED   NOINLINE __attribute__((optimize("O2", "no-omit-frame-pointer")))

#ifdef __x86_64__

enum { ROOM = 200 };

static void *expected[ROOM], *found[ROOM];
static int num_expected, num_found;
static volatile int sink;

static void walk(struct ork_frame f)
{
    num_found = 0;
    do
        found[num_found++] = (void *)f.pc;
    while (num_found < ROOM && ork_frame_up(&f));
}

/* All frames, up to the start of the process, as far as the other one knows them. */
static void assert_same(int first)
{
    assert_true(num_found >= 6);
    assert_true(num_found <= num_expected - first);
    assert_true(num_found >= num_expected - first - 1);
    for (int i = 1; i < num_found; i++)
        assert_ptr_equal(found[i], expected[first + i]);
}

NOINLINE static void look(void)
{
    struct ork_frame f;

    num_expected = backtrace(expected, ROOM);
    assert_true(ork_frame_here(&f));
    walk(f);
    sink++;
}

SMALL static void plain(void (*inner)(void))
{
    inner();
    sink++;
}

FRAMED static void framed(void (*inner)(void))
{
    plain(inner);
    sink++;
}

static void (*innermost)(void);

static void framed_innermost(void)
{
    framed(innermost);
}

/* Saves all registers that a callee saves. */
SMALL static int with_registers(int a, int b, int c, int d, int e, void (*inner)(void))
{
    innermost = inner;
    unwind_with_cleanup(framed_innermost);
    return a * b + c * d + e + sink;
}

/* Its stack is aligned, and its size is known at run time only. */
SMALL static int aligned(size_t n, void (*inner)(void))
{
    _Alignas(128) volatile char local[128];
    volatile char *more = alloca(n);

    more[0] = local[0] = 1;
    sink += with_registers(1, 2, 3, 4, 5, inner);
    return local[0] + more[0];
}

SMALL static int with_an_aligned_array(void (*inner)(void))
{
    _Alignas(64) volatile double local[16] = {0};

    sink += aligned(100, inner);
    return (int)local[3];
}

static void a_walk_goes_from_here_to_the_start_of_the_process(void **state)
{
    (void)state;
    with_an_aligned_array(look);
    assert_same(0);
}

static void on_signal(int signo, siginfo_t *info, void *context)
{
    struct ork_frame f;

    (void)signo, (void)info;
    num_expected = backtrace(expected, ROOM);
    assert_true(ork_frame_at(context, &f));
    walk(f);
}

SMALL static void raise_one(void)
{
    raise(SIGUSR1);
    sink++;
}

static void a_walk_goes_from_the_place_of_a_signal(void **state)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO}, before;
    int first = 0;

    (void)state;
    action.sa_sigaction = on_signal;
    sigaction(SIGUSR1, &action, &before);
    with_an_aligned_array(raise_one);
    sigaction(SIGUSR1, &before, NULL);
    while (first < num_expected && expected[first] != found[0])
        first++;
    assert_true(first < num_expected);
    assert_same(first);
}

static sigjmp_buf out;
static struct ork_frame fault;

static void on_fault(int signo, siginfo_t *info, void *context)
{
    (void)signo, (void)info;
    ork_frame_at(context, &fault);
    walk(fault);
    siglongjmp(out, 1);
}

static void (*volatile nothing)(void);

SMALL static void jump_to_nothing(void)
{
    num_expected = backtrace(expected, ROOM);
    nothing();
    sink++;
}

static void a_walk_goes_on_from_a_jump_to_nowhere(void **state)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO}, before;

    (void)state;
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, &before);
    if (sigsetjmp(out, 1) == 0)
        with_an_aligned_array(jump_to_nothing);
    sigaction(SIGSEGV, &before, NULL);
    assert_null(found[0]);
    num_found--; /* what follows is a place in the function that jumped */
    memmove(found, found + 1, (size_t)num_found * sizeof(found[0]));
    assert_same(0);
}

static void a_walk_ends_where_there_is_no_function(void **state)
{
    char here[64] = {0};
    uintptr_t top = (uintptr_t)here & ~(uintptr_t)7;
    struct ork_frame f = {.pc = (uintptr_t)here, .sp = top, .bp = top, .is_call = true};

    (void)state;
    assert_false(ork_frame_up(&f));
    f = (struct ork_frame){.pc = (uintptr_t)look + 1, .sp = UINTPTR_MAX - 7, .is_call = true};
    assert_false(ork_frame_up(&f));
}

#else

static void a_walk_goes_from_here_to_the_start_of_the_process(void **state)
{
    struct ork_frame f;

    (void)state;
    assert_false(ork_frame_here(&f));
}

static void a_walk_goes_from_the_place_of_a_signal(void **state)
{
    (void)state;
    skip();
}

static void a_walk_goes_on_from_a_jump_to_nowhere(void **state)
{
    (void)state;
    skip();
}

static void a_walk_ends_where_there_is_no_function(void **state)
{
    (void)state;
    skip();
}

#endif

int test_unwind_walk(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_goes_from_here_to_the_start_of_the_process),
        cmocka_unit_test(a_walk_goes_from_the_place_of_a_signal),
        cmocka_unit_test(a_walk_goes_on_from_a_jump_to_nowhere),
        cmocka_unit_test(a_walk_ends_where_there_is_no_function),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

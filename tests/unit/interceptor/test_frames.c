/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/frames.h"

#include "interceptor/site/backtrace.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <execinfo.h>
#include <stdlib.h>
#include <ucontext.h>

/* Of the sites, which are not here, either. */
int (*_Atomic ork_unwinder)(void **address, int room) = backtrace;
void ork_load_unwinder(void)
{
}

/* The stack pointer of a caller of MPI: below its own variables. */
static uint64_t here(void)
{
    return (uint64_t)(uintptr_t)__builtin_frame_address(0) - 256;
}

static bool is_gone(int64_t address)
{
    return ork_frame_may_be_gone(address) && ork_frame_is_gone(address);
}

static void a_frame_below_the_stack_pointer_has_returned(void **unused)
{
    (void)unused;
    ork_thread.stack = here();
    assert_true(is_gone((int64_t)here() - 8));
    assert_true(is_gone((int64_t)here() - 100000));
    assert_false(is_gone((int64_t)here()));
    assert_false(is_gone((int64_t)here() + 300));
    assert_true(ork_frame_may_be_live((int64_t)here() + 300));
    assert_false(ork_frame_may_be_live((int64_t)here() - 8));
}

static void other_memory_is_in_no_frame(void **unused)
{
    static char global[16];
    char *block = malloc(16);

    (void)unused;
    ork_thread.stack = here();
    assert_false(is_gone((int64_t)(uintptr_t)global));
    assert_false(is_gone((int64_t)(uintptr_t)block));
    assert_false(is_gone(0));
    free(block);
}

static void nothing_is_said_on_another_stack(void **unused)
{
    enum { SIZE = 1 << 20 };
    char *fiber = malloc(SIZE);

    (void)unused;
    ork_thread.stack = (uint64_t)(uintptr_t)fiber + SIZE / 2;
    assert_true(ork_frame_may_be_gone((int64_t)(uintptr_t)fiber + 16));
    assert_false(is_gone((int64_t)(uintptr_t)fiber + 16));
    assert_false(is_gone((int64_t)here() - 8));
    free(fiber);
}

enum { FIBER = 1 << 18 };

static ucontext_t outer, inner;
static char *low_stack;

static void on_fiber(void)
{
    ork_thread.stack = here();
    assert_true(ork_frame_may_be_gone((int64_t)(uintptr_t)low_stack));
    assert_false(is_gone((int64_t)(uintptr_t)low_stack));
    assert_false(is_gone((int64_t)here() - 8));
}

/* Two arrays of a frame: that of the fiber that runs is above the other one. */
static void nothing_is_said_on_a_stack_in_a_frame_of_the_thread(void **unused)
{
    char stack[2][FIBER];

    (void)unused;
    low_stack = stack[0];
    getcontext(&inner);
    inner.uc_stack.ss_sp = stack[1];
    inner.uc_stack.ss_size = FIBER;
    inner.uc_link = &outer;
    makecontext(&inner, on_fiber, 0);
    assert_int_equal(swapcontext(&outer, &inner), 0);
    ork_thread.stack = (uint64_t)(uintptr_t)low_stack - 256;
    assert_true(is_gone((int64_t)(uintptr_t)low_stack - 264));
    assert_false(is_gone((int64_t)(uintptr_t)low_stack));
}

static void nothing_is_said_without_a_stack_pointer(void **unused)
{
    (void)unused;
    ork_thread.stack = 0;
    assert_false(is_gone((int64_t)here() - 8));
    assert_false(is_gone(16));
}

static void *of_thread(void *main_frame)
{
    ork_thread.stack = here();
    assert_true(is_gone((int64_t)here() - 8));
    assert_false(is_gone((int64_t)(uintptr_t)main_frame));
    return NULL;
}

static void each_thread_has_its_own_stack(void **unused)
{
    pthread_t thread;

    (void)unused;
    assert_int_equal(pthread_create(&thread, NULL, of_thread, (void *)((uintptr_t)here() - 8)), 0);
    pthread_join(thread, NULL);
}

int test_frames(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_below_the_stack_pointer_has_returned),
        cmocka_unit_test(other_memory_is_in_no_frame),
        cmocka_unit_test(nothing_is_said_on_another_stack),
        cmocka_unit_test(nothing_is_said_on_a_stack_in_a_frame_of_the_thread),
        cmocka_unit_test(nothing_is_said_without_a_stack_pointer),
        cmocka_unit_test(each_thread_has_its_own_stack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

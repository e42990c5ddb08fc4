/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of frames of functions of many forms, as their return addresses prove them. */
#include "interceptor/site/unwind.h"

#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define NOINLINE __attribute__((noinline, noclone, noipa))
/* A frame without a frame pointer has a constant size even in a build that keeps frame pointers. */
#define SMALL NOINLINE __attribute__((optimize("O2", "omit-frame-pointer"), no_sanitize_address))
#define FRAMED                                                                                     \
    NOINLINE __attribute__((optimize("O2", "no-omit-frame-pointer"), no_sanitize_address))

#ifdef __x86_64__

static volatile int sink;
static uintptr_t above; /* return address of the function that calls look() */
static uint32_t size;   /* of its frame */
static uintptr_t found; /* what is there */

NOINLINE static void look(void)
{
    uintptr_t cfa = (uintptr_t)__builtin_dwarf_cfa();

    size = ork_frame_size((uintptr_t)__builtin_return_address(0));
    found = ((const uintptr_t *)(cfa + size))[-1];
}

#define ENTER() (above = (uintptr_t)__builtin_return_address(0))

static void assert_exact(void)
{
    assert_int_not_equal(size, 0);
    assert_int_equal(found, above);
    size = 0;
}

SMALL static void plain(void)
{
    ENTER();
    look();
    sink++;
}

SMALL static int with_locals(int n)
{
    char local[300];

    ENTER();
    memset(local, n, sizeof(local));
    __asm__ volatile("" : : "r"(local) : "memory");
    look();
    return local[n];
}

/* Saves all registers that a callee saves. */
SMALL static int with_registers(int a, int b, int c, int d, int e, int f)
{
    ENTER();
    look();
    return a * b + c * d + e * f + sink;
}

NOINLINE static int seven_and_more(int a, int b, int c, int d, int e, int f, int g, int h, int i)
{
    look();
    return a + b + c + d + e + f + g + h + i;
}

SMALL static int with_arguments_on_the_stack(int n)
{
    ENTER();
    int sum = seven_and_more(n, 2, 3, 4, 5, 6, 7, 8, 9);
    look();
    return sum + seven_and_more(n, 1, 1, 1, 1, 1, 1, 1, 1);
}

/* Rows after an epilogue in the middle say again what was said before it. */
SMALL static int with_two_ways_out(int n)
{
    ENTER();
    if (n == 0) {
        look();
        return sink;
    }
    for (int i = 0; i < n; i++)
        sink += i;
    look();
    return sink * n;
}

SMALL static int variadic(int n, ...)
{
    va_list list;

    ENTER();
    va_start(list, n);
    look();
    int sum = n + va_arg(list, int);
    va_end(list);
    return sum;
}

static jmp_buf out;

NOINLINE __attribute__((noreturn)) static void look_and_leave(void)
{
    uintptr_t cfa = (uintptr_t)__builtin_dwarf_cfa();

    size = ork_frame_size((uintptr_t)__builtin_return_address(0));
    found = ((const uintptr_t *)(cfa + size))[-1];
    longjmp(out, 1);
}

/* The call is the function's last instruction: the return address is the next function's. */
SMALL static void never_returns(void)
{
    ENTER();
    look_and_leave();
}

FRAMED static void with_a_frame_pointer(void)
{
    ENTER();
    look();
    sink++;
}

SMALL static int of_any_size(size_t n)
{
    volatile char *local = alloca(n);

    ENTER();
    local[0] = 1;
    look();
    return local[0];
}

static void a_frame_ends_at_its_return_address(void **state)
{
    (void)state;
    plain();
    assert_exact();
    with_locals(7);
    assert_exact();
    with_registers(1, 2, 3, 4, 5, 6);
    assert_exact();
    with_arguments_on_the_stack(1);
    variadic(1, 2);
    assert_exact();
    for (int n = 0; n < 3; n++) {
        with_two_ways_out(n);
        assert_exact();
    }
    if (setjmp(out) == 0)
        never_returns();
    assert_exact();
}

static void a_frame_of_no_constant_size_is_not_guessed(void **state)
{
    (void)state;
    size = 1;
    with_a_frame_pointer();
    assert_int_equal(size, 0);
    size = 1;
    of_any_size(100);
    assert_int_equal(size, 0);
}

#else

static void a_frame_ends_at_its_return_address(void **state)
{
    (void)state;
    skip();
}

static void a_frame_of_no_constant_size_is_not_guessed(void **state)
{
    (void)state;
    assert_int_equal(ork_frame_size((uintptr_t)__builtin_return_address(0)), 0);
}

#endif

static void an_address_in_no_file_has_no_frame(void **state)
{
    char here = 0;

    (void)state;
    assert_int_equal(ork_frame_size((uintptr_t)&here), 0);
    assert_int_equal(ork_frame_size(0), 0);
    assert_int_equal(ork_frame_size(UINTPTR_MAX), 0);
}

int test_unwind(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_ends_at_its_return_address),
        cmocka_unit_test(a_frame_of_no_constant_size_is_not_guessed),
        cmocka_unit_test(an_address_in_no_file_has_no_frame),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

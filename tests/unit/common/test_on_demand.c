/* SPDX-License-Identifier: BSD-3-Clause */
/* The stubs of a library that is opened when one of its functions is called. */
#include "common/exitcode.h"
#include "common/log.h"
#include "tests/unit/common/on_demand_subject.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static bool is_loaded(void)
{
    return dlopen(ORK_SUBJECT, RTLD_LAZY | RTLD_NOLOAD) != NULL;
}

/* In a process of its own: the exit code, and what it wrote to stderr. */
static int run(void (*function)(void), char *said, size_t size)
{
    int ends[2], status;
    ssize_t n;

    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        function();
        _exit(0);
    }
    close(ends[1]);
    n = read(ends[0], said, size - 1);
    close(ends[0]);
    assert_true(n >= 0);
    said[n] = '\0';
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void call_once(void)
{
    bool before = is_loaded();
    long sum = subject_sum(1, 2, 3, 4, 5, 6, 7, 8);

    _exit(!before && sum == 87654321 && is_loaded() ? 1 : 2);
}

static void a_library_is_opened_by_the_first_call(void **state)
{
    char said[256];

    (void)state;
    assert_int_equal(run(call_once, said, sizeof(said)), 1);
}

/* The first call of a function finds it, the second does not. */
static void arguments_and_results_are_passed_on(void **state)
{
    (void)state;
    for (int call = 0; call < 2; call++) {
        assert_int_equal(subject_sum(8, 7, 6, 5, 4, 3, 2, 1), 12345678);
        assert_true(subject_mean(1, 2, 3, 4, 5, 6, 7, 8, 9, 9) == 5.0);
        assert_true(subject_list("ldldldldldldldld", 1L, 2.0, 3L, 4.0, 5L, 6.0, 7L, 8.0, 1L, 2.0,
                                 3L, 4.0, 5L, 6.0, 7L, 8.0) == 1234567812345678.0);
        struct subject_three three = subject_three(call, -7, INT64_MAX);
        assert_int_equal(three.first, call);
        assert_int_equal(three.second, -7);
        assert_int_equal(three.third, INT64_MAX);
    }
}

static void a_pointer_to_a_function_can_be_called(void **state)
{
    long (*sum)(long, long, long, long, long, long, long, long) = subject_sum;

    (void)state;
    assert_int_equal(sum(1, 1, 1, 1, 1, 1, 1, 1), 11111111);
}

static void a_function_that_is_missing_ends_the_process_with_one_line(void **state)
{
    char said[1024];

    (void)state;
    ork_log_init("must-tool", false);
    assert_int_equal(run(subject_absent, said, sizeof(said)), ORK_EXIT_UNAVAILABLE);
    assert_memory_equal(said, "must-tool: ", 11);
    assert_non_null(strstr(said, "subject_absent"));
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

int test_on_demand(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_is_opened_by_the_first_call),
        cmocka_unit_test(arguments_and_results_are_passed_on),
        cmocka_unit_test(a_pointer_to_a_function_can_be_called),
        cmocka_unit_test(a_function_that_is_missing_ends_the_process_with_one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

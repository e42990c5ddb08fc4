/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program (loads.c) does with values that it loads. */
#include "overlay/stacktrace/load_use.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* Of the last load with this name. */
static enum ork_load_use use_of(const char *name)
{
    struct ork_load_uses *uses;
    enum ork_load_use use = ORK_LOAD_REPEATS;
    unsigned long address;
    char line[256], found[128];
    unsigned count = 0;
    FILE *out = popen(ORK_TEST_LOADS, "r");

    assert_non_null(out);
    assert_int_equal(ork_load_uses_create(&uses), ORK_OK);
    while (fgets(line, sizeof(line), out) != NULL) {
        if (sscanf(line, "%lx %127[^\n]", &address, found) != 2 || strcmp(found, name) != 0)
            continue;
        use = ork_load_uses_find(uses, ORK_TEST_LOADS, address);
        count++;
    }
    assert_true(count > 0);
    pclose(out);
    ork_load_uses_destroy(uses);
    return use;
}

static void a_load_without_a_decision_is_no_wait(void **state)
{
    (void)state;
    assert_int_equal(use_of("increment"), ORK_LOAD_IS_TAKEN);
    assert_int_equal(use_of("many addresses"), ORK_LOAD_IS_TAKEN);
}

static void a_loop_that_counts_is_no_wait(void **state)
{
    (void)state;
    assert_int_equal(use_of("sum"), ORK_LOAD_DECIDES);
}

static void a_branch_in_a_loop_may_end_a_wait(void **state)
{
    (void)state;
    assert_int_equal(use_of("wait"), ORK_LOAD_REPEATS);
    assert_int_equal(use_of("wait in caller"), ORK_LOAD_REPEATS);
}

static void what_was_seen_may_decide_from_another_place(void **state)
{
    (void)state;
    assert_int_equal(use_of("wait by address"), ORK_LOAD_REPEATS);
    assert_int_equal(use_of("wait by copy"), ORK_LOAD_REPEATS);
}

static void one_look_that_decides_may_be_a_wait(void **state)
{
    (void)state;
    assert_int_equal(use_of("decides"), ORK_LOAD_REPEATS);
    assert_int_equal(use_of("once"), ORK_LOAD_REPEATS);
}

static void who_calls_a_function_of_a_table_is_not_known(void **state)
{
    (void)state;
    assert_int_equal(use_of("in a table"), ORK_LOAD_REPEATS);
}

static void what_cannot_be_read_may_wait(void **state)
{
    struct ork_load_uses *uses;
    char folder[] = "/tmp/loads-XXXXXX", fifo[sizeof(folder) + 5];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(ork_load_uses_create(&uses), ORK_OK);
    assert_int_equal(ork_load_uses_find(uses, "/nonexistent", 16), ORK_LOAD_REPEATS);
    assert_int_equal(ork_load_uses_find(uses, fifo, 16), ORK_LOAD_REPEATS);
    assert_int_equal(ork_load_uses_find(uses, __FILE__, 16), ORK_LOAD_REPEATS);
    assert_int_equal(ork_load_uses_find(uses, ORK_TEST_LOADS, 1), ORK_LOAD_REPEATS);
    ork_load_uses_destroy(uses);
    assert_int_equal(unlink(fifo), 0);
    assert_int_equal(rmdir(folder), 0);
}

int test_load_use(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_without_a_decision_is_no_wait),
        cmocka_unit_test(a_loop_that_counts_is_no_wait),
        cmocka_unit_test(a_branch_in_a_loop_may_end_a_wait),
        cmocka_unit_test(what_was_seen_may_decide_from_another_place),
        cmocka_unit_test(one_look_that_decides_may_be_a_wait),
        cmocka_unit_test(who_calls_a_function_of_a_table_is_not_known),
        cmocka_unit_test(what_cannot_be_read_may_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/file_modes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum {
    READ_ALL = ORK_FILE_READ | ORK_FILE_INDIVIDUAL | ORK_FILE_COLLECTIVE,
    WRITE_AT = ORK_FILE_WRITE | ORK_FILE_EXPLICIT,
    WRITE_SHARED = ORK_FILE_WRITE | ORK_FILE_SHARED,
    READ_ORDERED = ORK_FILE_READ | ORK_FILE_SHARED | ORK_FILE_COLLECTIVE,
    READ_SHARED = ORK_FILE_READ | ORK_FILE_SHARED,
    BEGIN_READ = ORK_FILE_READ | ORK_FILE_INDIVIDUAL | ORK_FILE_BEGIN,
    END_READ = ORK_FILE_READ | ORK_FILE_INDIVIDUAL | ORK_FILE_END,
    END_READ_AT = ORK_FILE_READ | ORK_FILE_EXPLICIT | ORK_FILE_END,
};

static void modes_that_exclude_each_other_are_wrong(void **state)
{
    (void)state;
    for (unsigned amode = 0; amode < 2 * ORK_AMODE_SEQUENTIAL; amode++) {
        int accesses = ((amode & ORK_AMODE_RDONLY) != 0) + ((amode & ORK_AMODE_RDWR) != 0) +
                       ((amode & ORK_AMODE_WRONLY) != 0);
        bool creates = (amode & ORK_AMODE_CREATE) != 0, excludes = (amode & ORK_AMODE_EXCL) != 0;
        enum ork_file_misuse expected = ORK_FILE_RIGHT;
        if (accesses != 1)
            expected = ORK_FILE_AMODE_NOT_ONE;
        else if ((amode & ORK_AMODE_RDONLY) != 0 && (creates || excludes))
            expected = ORK_FILE_AMODE_CREATE;
        else if ((amode & ORK_AMODE_RDWR) != 0 && (amode & ORK_AMODE_SEQUENTIAL) != 0)
            expected = ORK_FILE_AMODE_RDWR;
        else if (excludes && !creates)
            expected = ORK_FILE_AMODE_EXCL;
        assert_int_equal(ork_file_check_amode(amode), expected);
    }
}

static void check(unsigned amode, unsigned uses, enum ork_file_misuse expected)
{
    struct ork_file_state s = {.amode = amode, .opened = {.site = 7, .call = 8}};
    struct ork_epoch_place other = {0};

    assert_int_equal(ork_file_check_uses(&s, uses, 0, &other), expected);
    assert_int_equal(other.site, expected != ORK_FILE_RIGHT ? 7 : 0);
}

static void a_mode_allows_only_some_calls(void **state)
{
    (void)state;
    check(ORK_AMODE_RDONLY, READ_ALL, ORK_FILE_RIGHT);
    check(ORK_AMODE_RDONLY, WRITE_AT, ORK_FILE_NOT_WRITABLE);
    check(ORK_AMODE_WRONLY, WRITE_AT, ORK_FILE_RIGHT);
    check(ORK_AMODE_WRONLY, READ_ALL, ORK_FILE_NOT_READABLE);
    check(ORK_AMODE_WRONLY, BEGIN_READ, ORK_FILE_NOT_READABLE);
    check(ORK_AMODE_RDWR, READ_ALL, ORK_FILE_RIGHT);
    check(ORK_AMODE_RDWR, WRITE_AT, ORK_FILE_RIGHT);
    check(ORK_AMODE_WRONLY | ORK_AMODE_SEQUENTIAL, WRITE_SHARED, ORK_FILE_RIGHT);
    check(ORK_AMODE_RDONLY | ORK_AMODE_SEQUENTIAL, READ_ORDERED, ORK_FILE_RIGHT);
    check(ORK_AMODE_WRONLY | ORK_AMODE_SEQUENTIAL, WRITE_AT, ORK_FILE_IS_SEQUENTIAL);
    check(ORK_AMODE_RDONLY | ORK_AMODE_SEQUENTIAL, READ_ALL, ORK_FILE_IS_SEQUENTIAL);
    check(ORK_AMODE_RDONLY | ORK_AMODE_SEQUENTIAL, ORK_FILE_SHARED | ORK_FILE_POSITION,
          ORK_FILE_IS_SEQUENTIAL);
    check(ORK_AMODE_WRONLY | ORK_AMODE_SEQUENTIAL, ORK_FILE_RESIZE | ORK_FILE_ALONE,
          ORK_FILE_IS_NOT_RESIZED);
    check(ORK_AMODE_WRONLY, ORK_FILE_RESIZE | ORK_FILE_ALONE, ORK_FILE_RIGHT);
}

/* A call after BEGIN_READ of thread 1. */
static enum ork_file_misuse after_begin(unsigned uses, uint16_t thread)
{
    struct ork_file_state s = {.amode = ORK_AMODE_RDWR};
    struct ork_epoch_place other = {0};

    ork_file_follow(&s, BEGIN_READ, 1, (struct ork_epoch_place){.site = 3, .call = 4});
    enum ork_file_misuse misuse = ork_file_check_uses(&s, uses, thread, &other);
    assert_int_equal(other.site, misuse != ORK_FILE_RIGHT ? 3 : 0);
    ork_file_follow(&s, uses, thread, other);
    assert_int_equal(s.split != 0, (uses & ORK_FILE_END) == 0);
    return misuse;
}

static void a_split_operation_is_begun_and_ended_once(void **state)
{
    struct ork_file_state fresh = {.amode = ORK_AMODE_RDWR};
    struct ork_epoch_place other = {0};

    (void)state;
    assert_int_equal(ork_file_check_uses(&fresh, BEGIN_READ, 1, &other), ORK_FILE_RIGHT);
    assert_int_equal(ork_file_check_uses(&fresh, END_READ, 1, &other), ORK_FILE_NOT_BEGUN);
    assert_int_equal(other.site, 0);
    assert_int_equal(after_begin(END_READ, 1), ORK_FILE_RIGHT);
    assert_int_equal(after_begin(END_READ_AT, 1), ORK_FILE_BEGUN_OTHER);
    assert_int_equal(after_begin(END_READ, 2), ORK_FILE_BEGUN_BY_OTHER);
    assert_int_equal(after_begin(BEGIN_READ, 1), ORK_FILE_BEGUN_TWICE);
    assert_int_equal(after_begin(READ_ALL, 1), ORK_FILE_SPLIT_IS_ACTIVE);
    assert_int_equal(after_begin(ORK_FILE_ALONE, 1), ORK_FILE_NOT_ENDED);
    assert_int_equal(after_begin(READ_SHARED, 1), ORK_FILE_RIGHT);
    assert_int_equal(after_begin(WRITE_AT, 2), ORK_FILE_RIGHT);
}

int test_file_modes(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_that_exclude_each_other_are_wrong),
        cmocka_unit_test(a_mode_allows_only_some_calls),
        cmocka_unit_test(a_split_operation_is_begun_and_ended_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

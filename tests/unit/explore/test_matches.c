/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/matches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static enum ork_status read_text(const char *text, struct ork_matches **out, char *error)
{
    char path[] = "/tmp/orknot-matches-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    enum ork_status status = ork_matches_read(path, out, error);
    unlink(path);
    return status;
}

/* Only the line of the run is read: what follows are its alternatives. */
static void a_match_is_found_by_the_choice_of_its_receive(void **state)
{
    struct ork_matches *m;
    char error[ORK_MATCHES_ERROR];
    size_t count;

    (void)state;
    assert_int_equal(
        read_text("{\"ranks\":3,\"matches\":[[1,1,7,4,0,9,2],[0,2,7,4,2,9,3],[0,1,7,4,1,9,2]],"
                  "\"places\":[[0,4,\"main\",\"a.c\",30,null,0],[1,2,null,null,0,\"a.out\",64]]}\n"
                  "no JSON\n",
                  &m, error),
        ORK_OK);
    const struct ork_run_match *match = ork_matches_find(m, 0, 1, &count);
    assert_non_null(match);
    assert_int_equal(count, 1);
    assert_true(match->has_send);
    assert_int_equal(match->send.rank, 1);
    assert_int_equal(match->send.call, 9);
    assert_int_equal(match->receive.call, 7);
    assert_int_equal(ork_matches_find(m, 0, 2, &count)->send.rank, 2);
    assert_int_equal(ork_matches_find(m, 1, 1, &count)->send.rank, 0);
    assert_null(ork_matches_find(m, 0, 3, &count));
    assert_null(ork_matches_find(m, 2, 1, &count));
    struct ork_call_place receive = ork_matches_place(m, &match->receive);
    assert_string_equal(receive.function, "main");
    assert_string_equal(receive.file, "a.c");
    assert_int_equal(receive.line, 30);
    assert_null(receive.module);
    struct ork_call_place send = ork_matches_place(m, &match->send);
    assert_null(send.file);
    assert_string_equal(send.module, "a.out");
    assert_int_equal(send.offset, 64);
    struct ork_call_place unknown = ork_matches_place(m, &ork_matches_find(m, 0, 2, &count)->send);
    assert_null(unknown.file);
    ork_matches_destroy(m);
    ork_matches_destroy(NULL);
}

/* A wait that completed two receives, and a lock before all others. */
static void a_choice_may_have_several_or_only_a_place(void **state)
{
    struct ork_matches *m;
    char error[ORK_MATCHES_ERROR];
    size_t count;

    (void)state;
    assert_int_equal(read_text("{\"matches\":[[0,3,7,4,2,9,2],[0,4,7,4,1,9,2],[0,3,7,4,1,9,2],"
                               "[1,1,8,4,-1,0,0]],\"places\":[[1,4,\"main\",\"a.c\",30,null,0]]}\n",
                               &m, error),
                     ORK_OK);
    const struct ork_run_match *match = ork_matches_find(m, 0, 3, &count);
    assert_int_equal(count, 2);
    assert_int_equal(match[0].send.rank, 1);
    assert_int_equal(match[1].send.rank, 2);
    match = ork_matches_find(m, 1, 1, &count);
    assert_int_equal(count, 1);
    assert_false(match->has_send);
    assert_int_equal(ork_matches_place(m, &match->receive).line, 30);
    ork_matches_destroy(m);
}

static void a_run_may_have_none(void **state)
{
    struct ork_matches *m;
    char error[ORK_MATCHES_ERROR];
    size_t count;

    (void)state;
    assert_int_equal(read_text("{\"ranks\":3}\n", &m, error), ORK_OK);
    assert_null(ork_matches_find(m, 0, 1, &count));
    assert_int_equal(count, 0);
    ork_matches_destroy(m);
}

static void other_files_are_refused(void **state)
{
    struct ork_matches *m;
    char error[ORK_MATCHES_ERROR] = "";

    (void)state;
    assert_int_equal(read_text("{\"matches\":[", &m, error), ORK_INVALID);
    assert_string_equal(error, "line 1 is no JSON");
    assert_int_equal(ork_matches_read("/nonexistent/file", &m, error), ORK_IO);
}

int test_matches(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_is_found_by_the_choice_of_its_receive),
        cmocka_unit_test(a_choice_may_have_several_or_only_a_place),
        cmocka_unit_test(a_run_may_have_none),
        cmocka_unit_test(other_files_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/alternatives.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CHANGE                                                                                     \
    "{\"rank\":1,\"number\":3,\"post\":0,\"took\":[1,2],\"kind\":3,\"source\":-4,\"tag\":0,"       \
    "\"polls\":1,\"poll\":[5,6,7,8,4,3,9,2,6],\"index\":[2,5],"                                    \
    "\"keep\":[4,2],\"kept_polls\":[[0,-1]],\"ahead\":[[0,6,2,1,9]]}\n"

static enum ork_status read_text(const char *text, struct ork_alternatives **out, char *error)
{
    char path[] = "/tmp/orknot-alternatives-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    enum ork_status status = ork_alternatives_read(path, 2, out, error);
    unlink(path);
    return status;
}

static void a_file_is_read(void **state)
{
    struct ork_alternatives *a;
    char error[ORK_ALTERNATIVES_ERROR];

    (void)state;
    assert_int_equal(read_text("{\"ranks\":2,\"lost\":\"rank 0: "
                               "why\",\"gaps\":[0,2,0,1,2,2,1],\"pending\":[[1,4,0,7]],"
                               "\"polls\":[[1,2,3,2,1,2,1,1,2]],\"locks\":[[0,1,0],[1,5,1,0,3]],"
                               "\"unordered\":[\"MPI_Accumulate at a.c:7\"]}\n" CHANGE,
                               &a, error),
                     ORK_OK);
    assert_string_equal(a->lost, "rank 0: why");
    assert_int_equal(a->num_unordered, 1);
    assert_string_equal(a->unordered[0], "MPI_Accumulate at a.c:7");
    assert_int_equal(a->gap[ORK_GAP_CUT], 2);
    assert_int_equal(a->gap[ORK_GAP_LOCK], 1);
    assert_int_equal(a->gap[ORK_GAP_SET], 2);
    assert_int_equal(a->gap[ORK_GAP_CLOCKS], 2);
    assert_int_equal(a->gap[ORK_GAP_POLL], 1);
    assert_int_equal(a->num_pending, 1);
    assert_int_equal(a->pending[0].post, 4);
    assert_int_equal(a->pending[0].tag, 7);
    assert_int_equal(a->num, 1);
    const struct ork_change *c = &a->change[0];
    assert_int_equal(c->rank, 1);
    assert_int_equal(c->number, 3);
    assert_int_equal(c->kind, ORK_CHOICE_WAIT);
    assert_int_equal(c->count, 2);
    assert_int_equal(c->index[1], 5);
    assert_int_equal(c->keep[0], 4);
    assert_true(c->keep_polls[0] == ORK_POLLS_ALL);
    assert_int_equal(c->keep_polls[1], 0);
    assert_int_equal(c->polls, ORK_POLLS_FEWER);
    assert_int_equal(c->poll.call, 5);
    assert_int_equal(c->poll.site, 6);
    assert_int_equal(c->poll.place, 7);
    assert_int_equal(c->poll.polls, 8);
    assert_int_equal(c->poll.different, 4);
    assert_int_equal(c->poll.same, 3);
    assert_int_equal(c->poll.num_distinct, 9);
    assert_int_equal(c->poll.poll_index, 2);
    assert_int_equal(c->poll.first, 6);
    assert_int_equal(a->num_polled, 1);
    assert_int_equal(a->polled[0].rank, 1);
    assert_int_equal(a->polled[0].number, 2);
    assert_int_equal(a->polled[0].polls, 3);
    assert_int_equal(a->polled[0].different, 2);
    assert_int_equal(a->polled[0].same, 1);
    assert_int_equal(a->polled[0].num_distinct, 2);
    assert_int_equal(a->polled[0].poll_index, 1);
    assert_int_equal(a->polled[0].series_abandoned, 1);
    assert_int_equal(a->polled[0].all_abandoned, 2);
    assert_int_equal(a->num_locked, 2);
    assert_int_equal(a->locked[0].count, 0);
    assert_int_equal(a->locked[1].rank, 1);
    assert_int_equal(a->locked[1].number, 5);
    assert_int_equal(a->locked[1].count, 2);
    assert_int_equal(a->locked[1].before[0], 0);
    assert_int_equal(a->locked[1].before[1], 3);
    assert_int_equal(c->num_ahead, 1);
    assert_int_equal(c->took_tag, 2);
    assert_int_equal(c->ahead[0].number, 6);
    assert_int_equal(c->ahead[0].post, 2);
    assert_int_equal(c->ahead[0].tag, 9);
    ork_alternatives_destroy(a);
    ork_alternatives_destroy(NULL);
}

static const char *const invalid_files[] = {
    "",
    "{",
    "[]\n",
    "{\"ranks\":3,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[[0,0,1,1,0]],\"locks\":[],"
    "\"unordered\":[]}"
    "\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[[0,1,1,2,0]],\"locks\":[],"
    "\"unordered\":[]}"
    "\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[[0,1,3,2,3,1,0]],"
    "\"locks\":[],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[[0,1,3,2,1,3,1]],"
    "\"locks\":[],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[[0,1,3,2,1,1,2]],"
    "\"locks\":[],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[[0,1,3,2,1,1,1,2,0]],"
    "\"locks\":[],\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[[0,1,3,2,1,1,1,0,2]],"
    "\"locks\":[],\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[[2,1,1,1,0]],\"locks\":[],"
    "\"unordered\":[]}"
    "\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[[0,1,2]],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[[0,1]],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[[2,1,0]],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[[0,0,0]],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[[0,1,0,1]],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[[0,1,0,2,1]],"
    "\"unordered\":[]}"
    "\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[[0,1,0,1,1,0,1]"
    "]}"
    "\n",
    "{\"ranks\":2,\"pending\":[],\"polls\":[],\"locks\":[],\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,3],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[[2,1,0,0]]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}\n{}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}\n{"
    "\"rank\":"
    "2,\"number\":"
    "3,\"post\":0,"
    "\"took\":[1,2],\"kind\":"
    "3,\"source\":0,"
    "\"tag\":0,\"polls\":0,\"poll\":[],"
    "\"index\":[],\"keep\":[4,2],\"kept_polls\":[],\"ahead\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}\n{"
    "\"rank\":"
    "1,\"number\":"
    "3,\"post\":0,"
    "\"took\":[1,2],\"kind\":"
    "99,\"source\":"
    "0,\"tag\":0,\"polls\":0,\"poll\":[],"
    "\"index\":[],\"keep\":[4,2],\"kept_polls\":[],\"ahead\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}\n{"
    "\"rank\":"
    "1,\"number\":"
    "3,\"post\":0,"
    "\"took\":[1,2],\"kind\":"
    "3,\"source\":0,"
    "\"tag\":0,\"polls\":0,\"poll\":[],"
    "\"index\":[],\"keep\":[4],\"kept_polls\":[],\"ahead\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[]}\n" CHANGE "junk",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[]}\n",
    "{\"ranks\":2,\"gaps\":[0,0,0,0,0,0,0],\"pending\":[],\"polls\":[],\"locks\":[],"
    "\"unordered\":[1]}\n",
};

static void an_invalid_file_is_refused(void **state)
{
    struct ork_alternatives *a = NULL;
    char error[ORK_ALTERNATIVES_ERROR];

    (void)state;
    for (size_t i = 0; i < sizeof(invalid_files) / sizeof(invalid_files[0]); i++) {
        error[0] = '\0';
        assert_int_equal(read_text(invalid_files[i], &a, error), ORK_INVALID);
        assert_true(strncmp(error, "line ", 5) == 0);
    }
    assert_int_equal(ork_alternatives_read("/nowhere/at/all", 2, &a, error), ORK_IO);
    assert_int_equal(errno, ENOENT);
}

int test_alternatives(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(an_invalid_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

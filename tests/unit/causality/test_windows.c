/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Win_test: a successful one could have been unsuccessful, an unsuccessful one successful if
 * all origins have ended their epochs. Rank 0 is the target. */
#include "script.h"
#include "tests/unit/detector/unit.h"

enum { WINDOW = 5 };

static struct script begin_with_window(void)
{
    struct script s = script_begin();

    for (uint32_t r = 0; r < RANKS; r++)
        script_put(&s, r,
                   (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                                       .flags = ORK_F_SAME_GROUP,
                                       .mode = ORK_COLL_WIN_CREATE,
                                       .comm = WINDOW,
                                       .extra = 77});
    return s;
}

/* An epoch with `count` ranks from `first` on; the call that ends one has no ranks. */
static void put_epoch(struct script *s, uint32_t rank, unsigned kind, uint32_t first,
                      uint32_t count)
{
    struct ork_record r = {.kind = (uint8_t)kind, .comm = WINDOW};

    if (count > 0)
        PUT_LIST(s, rank, r, first, 1, count);
    else
        script_put(s, rank, r);
}

static void put_access(struct script *s, uint32_t rank)
{
    put_epoch(s, rank, ORK_KIND_WIN_START, 0, 1);
    put_epoch(s, rank, ORK_KIND_WIN_COMPLETE, 0, 0);
}

static void put_window_poll(struct script *s, uint64_t polls)
{
    script_put(s, 0,
               (struct ork_record){.kind = ORK_KIND_POLL,
                                   .site = 1,
                                   .comm = WINDOW,
                                   .arg = ORK_POLL_WINDOW,
                                   .bytes = polls,
                                   .extra = 1});
}

/* All origins have ended their epochs. The second poll is equal to the first one. */
static void an_unsuccessful_win_test_could_have_been_successful(void **state)
{
    struct script s = begin_with_window();

    (void)state;
    put_epoch(&s, 0, ORK_KIND_WIN_POST, 1, 2);
    put_access(&s, 1);
    put_access(&s, 2);
    put_window_poll(&s, 0);
    put_window_poll(&s, 1);
    put_epoch(&s, 0, ORK_KIND_WIN_WAIT, 0, 0);
    script_check(&s, "0:1 test fewer 0 keep 0 0 0\n"
                     "0:1 test fewer 1 keep 0 0 0\n");
}

/* The origin `late` waits for a message that was sent after the poll. */
static void check_late(uint32_t late, const char *expected)
{
    struct script s = begin_with_window();

    put_epoch(&s, 0, ORK_KIND_WIN_POST, 1, 2);
    put_window_poll(&s, 0);
    script_send(&s, 0, 2);
    for (uint32_t r = 1; r < RANKS; r++) {
        if (r == late)
            script_put(&s, r, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0});
        put_access(&s, r);
    }
    put_epoch(&s, 0, ORK_KIND_WIN_WAIT, 0, 0);
    script_check(&s, expected);
}

static void a_win_test_needs_all_origins(void **state)
{
    (void)state;
    check_late(2, "");
    check_late(RANKS, "0:1 test fewer 0 keep 0 0 0\n");
}

/* The epoch before was over. */
static void a_win_test_needs_the_end_of_its_own_epoch(void **state)
{
    struct script s = begin_with_window();

    (void)state;
    put_epoch(&s, 0, ORK_KIND_WIN_POST, 1, 1);
    put_access(&s, 1);
    put_epoch(&s, 0, ORK_KIND_WIN_WAIT, 0, 0);
    put_epoch(&s, 0, ORK_KIND_WIN_POST, 1, 1);
    put_window_poll(&s, 0);
    script_send(&s, 0, 1);
    script_put(&s, 1, (struct ork_record){.kind = ORK_KIND_RECV, .peer = 0});
    put_access(&s, 1);
    put_epoch(&s, 0, ORK_KIND_WIN_WAIT, 0, 0);
    script_check(&s, "");
}

static void a_win_test_could_have_been_unsuccessful(void **state)
{
    struct script s = begin_with_window();

    (void)state;
    put_epoch(&s, 0, ORK_KIND_WIN_POST, 1, 1);
    put_access(&s, 1);
    script_put(&s, 0, (struct ork_record){.kind = ORK_KIND_WIN_TESTED, .comm = WINDOW, .extra = 1});
    script_check(&s, "0:1 test one more keep 0 0 0\n");
}

int test_windows(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unsuccessful_win_test_could_have_been_successful),
        cmocka_unit_test(a_win_test_needs_all_origins),
        cmocka_unit_test(a_win_test_needs_the_end_of_its_own_epoch),
        cmocka_unit_test(a_win_test_could_have_been_unsuccessful),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/stop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *text, uint32_t rank, uint32_t thread, uint64_t choice)
{
    struct ork_stop stop;

    assert_true(ork_stop_read(text, &stop));
    assert_int_equal(stop.rank, rank);
    assert_int_equal(stop.thread, thread);
    assert_true(stop.choice == choice);
}

static void rank_thread_and_choice_are_read(void **state)
{
    (void)state;
    check("0:1", 0, 0, 1);
    check("2:17", 2, 0, 17);
    check("02.3:017", 2, 3, 17);
    check("1048575.65535:18446744073709551615", ORK_ORDER_RANKS - 1, ORK_CHOICE_THREADS - 1,
          UINT64_MAX);
}

static void all_else_is_refused(void **state)
{
    static const char *const bad[] = {
        "",      ":",     "1",         "1:",        "1:0",   ":1",      "1.:1",
        ".1:1",  "1.2",   "1:2:3",     "1:2 ",      " 1:2",  "+1:2",    "1:-2",
        "1,2:3", "0x1:2", "1048576:1", "1.65536:1", "1:1.0", "1.2.3:4", "1:18446744073709551616"};
    struct ork_stop stop;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (ork_stop_read(bad[i], &stop))
            fail_msg("\"%s\" was read", bad[i]);
    }
}

/* Thread 0 makes two choices, thread 1 makes one; both end. */
static size_t encode(uint8_t *out)
{
    static const struct ork_choice choices[] = {
        {.kind = ORK_CHOICE_RECEIVE, .source = 1},
        {.kind = ORK_CHOICE_RECEIVE, .thread = 1, .source = 2},
        {.kind = ORK_CHOICE_PROBE, .source = 3},
        {.kind = ORK_CHOICE_END},
        {.kind = ORK_CHOICE_END, .thread = 1},
    };
    struct ork_order_encoder *encoder = ork_order_encoder_create();
    size_t size = 0;

    assert_non_null(encoder);
    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
        size += ork_order_encode(encoder, &choices[i], out + size);
    size += ork_order_encode_pending(encoder, out + size);
    ork_order_encoder_destroy(encoder);
    return size;
}

static void a_choice_must_be_in_the_recording(void **state)
{
    uint8_t bytes[6 * ORK_CHOICE_ROOM(0)];
    struct ork_order_rank ranks[] = {{.rank = 0}, {.rank = 1, .stream = bytes}};
    const struct ork_order_file file = {.rank = ranks, .num_ranks = 2};
    static const struct {
        struct ork_stop stop;
        const char *why; /* NULL: it is there */
    } cases[] = {
        {{1, 0, 1}, NULL},
        {{1, 0, 2}, NULL},
        {{1, 1, 1}, NULL},
        {{1, 0, 3}, "rank 1 made only 2 choices in the recording"},
        {{1, 1, 2}, "rank 1, thread 1, made only 1 choice in the recording"},
        {{1, 2, 1}, "rank 1, thread 2, made no choices in the recording"},
        {{0, 0, 1}, "rank 0 made no choices in the recording"},
        {{2, 0, 1}, "the recording has no rank 2, it has 2 ranks"},
    };

    (void)state;
    ranks[1].size = encode(bytes);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char why[ORK_ORDER_ERROR] = "";
        enum ork_status status = ork_stop_find(&file, &cases[i].stop, why);
        assert_int_equal(status, cases[i].why == NULL ? ORK_OK : ORK_NOTFOUND);
        assert_string_equal(why, cases[i].why == NULL ? "" : cases[i].why);
    }
}

static void an_invalid_stream_is_no_answer(void **state)
{
    uint8_t bytes[64];
    struct ork_order_rank ranks[] = {{.stream = bytes, .size = sizeof(bytes)}};
    const struct ork_order_file file = {.rank = ranks, .num_ranks = 1};
    char why[ORK_ORDER_ERROR];

    (void)state;
    memset(bytes, 0xff, sizeof(bytes));
    assert_int_equal(ork_stop_find(&file, &(struct ork_stop){.choice = 1}, why), ORK_INVALID);
}

int test_stop(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_thread_and_choice_are_read),
        cmocka_unit_test(all_else_is_refused),
        cmocka_unit_test(a_choice_must_be_in_the_recording),
        cmocka_unit_test(an_invalid_stream_is_no_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

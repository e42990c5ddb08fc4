/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of which it is known in how many ways they can run. */
#include "bench/lazy_clocks.h"
#include "tests/unit/causality/explore.h"
#include "tests/unit/detector/unit.h"

#include <stdio.h>

#define SEND_TO(dest, t)                                                                           \
    {                                                                                              \
        .type = SEND, .peer = (dest), .tag = (t)                                                   \
    }
#define RECV_OF(src, t)                                                                            \
    {                                                                                              \
        .type = RECV, .peer = (src), .tag = (t)                                                    \
    }
#define IRECV_OF(src, t, r)                                                                        \
    {                                                                                              \
        .type = IRECV, .peer = (src), .tag = (t), .request = (r)                                   \
    }
#define WAIT_FOR(r)                                                                                \
    {                                                                                              \
        .type = WAIT, .request = (r)                                                               \
    }
#define WAITANY_OF(s)                                                                              \
    {                                                                                              \
        .type = WAITANY, .set = (s)                                                                \
    }
#define PROBE_OF(src, t)                                                                           \
    {                                                                                              \
        .type = PROBE, .peer = (src), .tag = (t)                                                   \
    }
#define TEST_OF(s)                                                                                 \
    {                                                                                              \
        .type = TEST, .set = (s)                                                                   \
    }
#define BARRIER_OF_ALL                                                                             \
    {                                                                                              \
        .type = BARRIER                                                                            \
    }

/* From several first runs: exactly the ends that are possible. */
static void check(const struct program *p, size_t count)
{
    struct states ends = {0};

    assert_true(program_ends(p, &ends));
    assert_int_equal(ends.count, count);
    for (uint64_t seed = 0; seed < 20; seed++) {
        uint64_t random = seed;
        struct explored e;
        assert_true(explore(p, &ork_clocks_exact, 0, &random, &e));
        assert_int_equal(e.diverged, 0);
        assert_int_equal(e.ends.count, count);
        for (size_t i = 0; i < count; i++)
            assert_true(states_have(&e.ends, &ends.item[i]));
        states_release(&e.ends);
    }
    states_release(&ends);
}

/* The least and the greatest number of ends to which lazy clocks lead. Returns how many runs could
 * not make a choice that they offer. */
static unsigned check_lazy(const struct program *p, const struct clocks *clocks, size_t least,
                           size_t most)
{
    size_t low = SIZE_MAX, high = 0;
    unsigned diverged = 0;

    for (uint64_t seed = 0; seed < 40; seed++) {
        uint64_t random = seed;
        struct explored e;
        assert_true(explore(p, clocks, 0, &random, &e));
        low = e.ends.count < low ? e.ends.count : low;
        high = e.ends.count > high ? e.ends.count : high;
        diverged += e.diverged;
        states_release(&e.ends);
    }
    assert_int_equal(low, least);
    assert_int_equal(high, most);
    return diverged;
}

/* Two ranks test, and nothing depends on it: both can be unsuccessful. */
static void independent_tests_are_unsuccessful_together(void **state)
{
    const struct program p = {
        .ranks = 3,
        .ops = {3, 3, 2},
        .op = {{IRECV_OF(2, 0, 0), TEST_OF(1), WAIT_FOR(0)},
               {IRECV_OF(2, 0, 0), TEST_OF(1), WAIT_FOR(0)},
               {SEND_TO(0, 0), SEND_TO(1, 0)}},
    };

    (void)state;
    check(&p, 4);
}

/* A receive that is complete only after a barrier takes a message sent behind it. */
static void a_message_from_behind_a_barrier(void **state)
{
    static const struct program p = {
        .ranks = 3,
        .ops = {2, 4, 2},
        .op = {{SEND_TO(1, 0), BARRIER_OF_ALL},
               {IRECV_OF(ANY, 0, 0), BARRIER_OF_ALL, RECV_OF(ANY, 0), WAIT_FOR(0)},
               {BARRIER_OF_ALL, SEND_TO(1, 0)}}};

    (void)state;
    check(&p, 2);
    assert_int_equal(check_lazy(&p, &scalar_clocks, 2, 2), 0);
    assert_int_equal(check_lazy(&p, &vector_clocks, 2, 2), 0);
}

static void scalar_clocks_depend_on_the_first_run(void **state)
{
    static const struct program p = {.ranks = 3,
                                     .ops = {2, 2, 2},
                                     .op = {{RECV_OF(ANY, 0), SEND_TO(2, 0)},
                                            {SEND_TO(0, 0), SEND_TO(2, 0)},
                                            {RECV_OF(ANY, 0), RECV_OF(0, 0)}}};

    (void)state;
    check(&p, 2);
    check_lazy(&p, &scalar_clocks, 1, 2);
    assert_int_equal(check_lazy(&p, &vector_clocks, 2, 2), 0);
}

/* A send that depends on a receive through the match of an earlier one, which is not complete. */
static void a_match_is_certain_before_its_receive_is_complete(void **state)
{
    static const struct program p = {
        .ranks = 3,
        .ops = {2, 4, 2},
        .op = {{RECV_OF(ANY, 0), SEND_TO(1, 0)},
               {IRECV_OF(ANY, 0, 0), RECV_OF(ANY, 0), SEND_TO(0, 0), WAIT_FOR(0)},
               {SEND_TO(0, 0), SEND_TO(1, 0)}}};

    (void)state;
    check(&p, 2);
    assert_true(check_lazy(&p, &vector_clocks, 3, 3) > 0);
}

static void a_probe_and_the_receive_after_it_choose_independently(void **state)
{
    static const struct program p = {.ranks = 3,
                                     .ops = {3, 1, 1},
                                     .op = {{PROBE_OF(ANY, 0), RECV_OF(ANY, 0), RECV_OF(ANY, 0)},
                                            {SEND_TO(0, 0)},
                                            {SEND_TO(0, 0)}}};

    (void)state;
    check(&p, 4);
}

/* A probed message that is received by its source and tag. */
static void a_probe_decides_for_the_receive_of_its_message(void **state)
{
    static const struct program p = {.ranks = 3,
                                     .ops = {3, 2, 1},
                                     .op = {{PROBE_OF(ANY, 0), RECV_OF(1, 0), SEND_TO(1, 0)},
                                            {SEND_TO(0, 0), RECV_OF(0, 0)},
                                            {SEND_TO(0, 0)}}};

    (void)state;
    check(&p, 2);
}

static void each_request_of_a_waitany_can_be_the_first(void **state)
{
    static const struct program p = {
        .ranks = 4,
        .ops = {6, 1, 1, 1},
        .op = {{IRECV_OF(1, 0, 0), IRECV_OF(2, 0, 1), IRECV_OF(3, 0, 2), WAITANY_OF(7),
                WAITANY_OF(7), WAITANY_OF(7)},
               {SEND_TO(0, 0)},
               {SEND_TO(0, 0)},
               {SEND_TO(0, 0)}}};

    (void)state;
    check(&p, 6);
}

/* Rank 2 sends only after rank 0 has seen the message of rank 1. */
static void a_request_that_depends_on_a_waitany_cannot_be_the_first(void **state)
{
    static const struct program p = {
        .ranks = 3,
        .ops = {5, 1, 2},
        .op = {{IRECV_OF(1, 0, 0), IRECV_OF(2, 0, 1), WAITANY_OF(3), SEND_TO(2, 0), WAITANY_OF(3)},
               {SEND_TO(0, 0)},
               {RECV_OF(0, 0), SEND_TO(0, 0)}}};

    (void)state;
    check(&p, 1);
}

/* Messages of one sender with two tags, and receives with MPI_ANY_TAG. */
static void messages_of_one_sender_stay_in_order(void **state)
{
    static const struct program p = {
        .ranks = 3,
        .ops = {6, 2, 2},
        .op = {{IRECV_OF(ANY, 1, 0), IRECV_OF(1, 1, 1), RECV_OF(1, ANY), SEND_TO(2, 0), WAIT_FOR(0),
                WAIT_FOR(1)},
               {SEND_TO(0, 1), SEND_TO(0, 2)},
               {RECV_OF(0, 0), SEND_TO(0, 1)}}};
    struct states ends = {0};

    (void)state;
    assert_true(program_ends(&p, &ends));
    size_t count = ends.count;
    states_release(&ends);
    check(&p, count);
}

/* The second receive of rank 1 has MPI_ANY_TAG, and could take the message of rank 2 if the first
 * one had another one by then; but that one is sent only after the second receive is complete. */
static void a_message_is_for_an_earlier_receive(void **state)
{
    static const struct program p = {
        .ranks = 3,
        .ops = {6, 7, 1},
        .op = {{IRECV_OF(1, 0, 4), IRECV_OF(ANY, 0, 1), SEND_TO(1, 1), WAIT_FOR(4), SEND_TO(1, 0),
                WAIT_FOR(1)},
               {IRECV_OF(ANY, 0, 2), IRECV_OF(ANY, ANY, 0), WAIT_FOR(0), SEND_TO(0, 0),
                RECV_OF(ANY, 1), SEND_TO(0, 0), WAIT_FOR(2)},
               {SEND_TO(1, 0)}}};

    (void)state;
    check(&p, 2);
}

/* All orders of three workers. */
static void a_master_and_its_workers(void **state)
{
    static const struct program p = {.ranks = 4,
                                     .ops = {3, 1, 1, 1},
                                     .op = {{RECV_OF(ANY, 0), RECV_OF(ANY, 0), RECV_OF(ANY, 0)},
                                            {SEND_TO(0, 0)},
                                            {SEND_TO(0, 0)},
                                            {SEND_TO(0, 0)}}};

    (void)state;
    check(&p, 6);
}

/* A run in which a receive is matched, but never complete: the other match lets the program end. */
static void a_receive_that_is_never_complete_is_a_choice(void **state)
{
    static const struct program p = {.ranks = 3,
                                     .ops = {3, 1, 1},
                                     .op = {{IRECV_OF(ANY, 0, 0), RECV_OF(1, 0), WAIT_FOR(0)},
                                            {SEND_TO(0, 0)},
                                            {SEND_TO(0, 0)}}};

    (void)state;
    check(&p, 2);
}

int test_scenarios(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_tests_are_unsuccessful_together),
        cmocka_unit_test(a_message_from_behind_a_barrier),
        cmocka_unit_test(scalar_clocks_depend_on_the_first_run),
        cmocka_unit_test(a_match_is_certain_before_its_receive_is_complete),
        cmocka_unit_test(a_probe_and_the_receive_after_it_choose_independently),
        cmocka_unit_test(a_probe_decides_for_the_receive_of_its_message),
        cmocka_unit_test(each_request_of_a_waitany_can_be_the_first),
        cmocka_unit_test(a_request_that_depends_on_a_waitany_cannot_be_the_first),
        cmocka_unit_test(messages_of_one_sender_stay_in_order),
        cmocka_unit_test(a_message_is_for_an_earlier_receive),
        cmocka_unit_test(a_master_and_its_workers),
        cmocka_unit_test(a_receive_that_is_never_complete_is_a_choice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Probing: the decisions of a search, what it leaves out, and what it does when it is stopped. */
#include "tests/unit/detector/memory.h"
#include "tests/unit/detector/unit.h"
#include "tests/unit/interleave/programs.h"

static const struct ork_interleave_options plain;

/* ---- decisions ---- */

static void first_any_takes_from_1(struct ork_interleave *p)
{
    write_send(p, 0, 1, 0);
    write_recv(p, 1, ANY, 0);
    write_recv(p, 1, 2, 0);
    write_send(p, 2, 1, 0);
    write_ends(p, 3);
}

static void a_receive_of_anybody_may_take_what_the_next_one_needs(void **state)
{
    (void)state;
    program_check(first_any_takes_from_1, 3, "DDE");
}

/* The message that closes the circle is sent only after another receive of anybody was decided. */
static void deferred(struct ork_interleave *p)
{
    write_recv(p, 0, ANY, 0);
    write_recv(p, 0, 1, 0);
    write_recv(p, 1, ANY, 0);
    write_send(p, 1, 0, 0);
    write_wait(p, 2, write_isend(p, 2, 0, 0));
    write_send(p, 3, 1, 0);
    write_ends(p, 4);
}

static void a_decision_may_have_to_wait_for_a_later_message(void **state)
{
    (void)state;
    program_check(deferred, 4, "DEDE");
}

static void the_decisions_of_a_deadlock_are_told_in_order(void **state)
{
    (void)state;
    struct ork_interleave *p = program_create(3);

    first_any_takes_from_1(p);
    assert_int_equal(program_search(p, &plain), ORK_INTERLEAVE_DEADLOCK);
    assert_int_equal(ork_interleave_num_decisions(p), 1);
    struct ork_interleave_decision d = ork_interleave_decision(p, 0);
    assert_int_equal(ork_interleave_op(p, d.receive)->rank, 1);
    assert_int_equal(ork_interleave_op(p, d.send)->rank, 2);
    assert_false(d.differs);
    assert_true(ork_interleave_position(p, 1).inside);
    assert_int_equal(ork_interleave_position(p, 1).info, 101);
    assert_true(ork_interleave_position(p, 2).ended);
    struct ork_interleave_graph g = ork_interleave_take_graph(p);
    assert_int_equal(ork_wfg_num_bottom(g.wfg), 1);
    ork_interleave_graph_release(&g);
    ork_interleave_destroy(p);
}

/* ---- what need not be searched ---- */

enum { WORKERS = 8, MESSAGES = 8 };

static void farm(struct ork_interleave *p)
{
    for (uint32_t i = 0; i < WORKERS * MESSAGES; i++)
        write_recv(p, 0, ANY, 0);
    for (uint32_t r = 1; r <= WORKERS; r++) {
        for (uint32_t i = 0; i < MESSAGES; i++)
            write_send(p, r, 0, 0);
    }
    write_ends(p, WORKERS + 1);
}

static void a_master_that_takes_all_that_comes_needs_no_search(void **state)
{
    (void)state;
    assert_int_equal(program_states(farm, WORKERS + 1, &plain), 0);
}

static void one_message_each(struct ork_interleave *p)
{
    for (uint32_t r = 1; r <= 10; r++) {
        write_recv(p, 0, ANY, 0);
        write_send(p, r, 0, 0);
    }
    write_ends(p, 11);
}

static void senders_that_are_alike_are_tried_once(void **state)
{
    (void)state;
    struct ork_interleave_options options = {.no_filter = true};

    /* one more: the ranks that no decision concerns */
    assert_in_range(program_states(one_message_each, 11, &options), 1, 12);
    options.no_symmetry = true; /* then: which of them were received already */
    assert_int_equal(program_states(one_message_each, 11, &options), (1 << 10) + 1);
}

enum { TRIPLES = 6 };

/* Two senders to each of several receivers, each with a way out of the filter's reach. */
static void triples(struct ork_interleave *p)
{
    for (uint32_t r = 0; r < 3 * TRIPLES; r += 3) {
        for (int i = 0; i < 4; i++) {
            write_recv(p, r, ANY, i % 2);
            write_send(p, r + 1 + (uint32_t)i / 2, r, i % 2);
        }
    }
    write_ends(p, 3 * TRIPLES);
}

static void ranks_that_share_nothing_are_searched_one_after_the_other(void **state)
{
    (void)state;
    struct ork_interleave_options options = {.no_filter = true, .no_persistent = true};
    struct ork_interleave *p = program_create(3 * TRIPLES);

    triples(p);
    assert_int_equal(program_search(p, &options), ORK_INTERLEAVE_SAFE);
    struct ork_interleave_statistics apart = ork_interleave_statistics(p);
    assert_int_equal(apart.components, TRIPLES);
    assert_int_equal(apart.open_components, TRIPLES);
    ork_interleave_destroy(p);
    options.no_components = true;
    assert_true(program_states(triples, 3 * TRIPLES, &options) > 4 * apart.states);
}

/* ---- stopping ---- */

static void a_search_that_was_stopped_goes_on_where_it_was(void **state)
{
    (void)state;
    unsigned stops = 0;
    struct ork_interleave_options options = {.no_filter = true, .no_symmetry = true};
    uint64_t states = program_states(one_message_each, 11, &options);
    struct ork_interleave *p = program_create(11);

    options.max_steps = 5000;
    one_message_each(p);
    while (program_search(p, &options) == ORK_INTERLEAVE_STOPPED)
        assert_true(++stops < 1000);
    assert_in_range(stops, 5, 1000);
    assert_in_range(ork_interleave_statistics(p).states, states, states + stops * UINT64_C(11));
    ork_interleave_destroy(p);
}

static bool is_expired(void *context)
{
    ++*(unsigned *)context;
    return true;
}

static void a_search_asks_whether_its_time_is_up(void **state)
{
    (void)state;
    unsigned asked = 0;
    const struct ork_interleave_options options = {.no_filter = true,
                                                   .no_symmetry = true,
                                                   .no_memo = true,
                                                   .no_persistent = true,
                                                   .expired = is_expired,
                                                   .context = &asked};
    struct ork_interleave *p = program_create(11);

    one_message_each(p);
    assert_int_equal(program_search(p, &options), ORK_INTERLEAVE_STOPPED);
    assert_int_equal(asked, 1);
    ork_interleave_destroy(p);
}

/* On every machine: the number of steps decides, not the time. */
static void a_limit_of_steps_is_met_at_the_same_state_each_time(void **state)
{
    (void)state;
    struct ork_interleave_options options = {
        .no_filter = true, .no_symmetry = true, .max_steps = 20000};
    struct ork_interleave_statistics once = {0};

    for (unsigned i = 0; i < 2; i++) {
        struct ork_interleave *p = program_create(11);
        one_message_each(p);
        assert_int_equal(program_search(p, &options), ORK_INTERLEAVE_STOPPED);
        struct ork_interleave_statistics now = ork_interleave_statistics(p);
        assert_in_range(now.steps, 20000, 30000);
        assert_true(i == 0 || (now.steps == once.steps && now.states == once.states));
        once = now;
        ork_interleave_destroy(p);
    }
}

static void a_deadlock_is_found_after_a_stop(void **state)
{
    (void)state;
    struct ork_interleave_options options = {
        .no_filter = true, .no_symmetry = true, .max_steps = 20};
    struct ork_interleave *p = program_create(12);

    one_message_each(p);
    write_recv(p, 0, 11, 1); /* when all is received, and it never comes */
    ork_interleave_set_end(p, 11, ORK_INTERLEAVE_ENDED);
    assert_int_equal(program_search(p, &options), ORK_INTERLEAVE_STOPPED);
    options.max_steps = 0;
    assert_int_equal(program_search(p, &options), ORK_INTERLEAVE_DEADLOCK);
    assert_int_equal(ork_interleave_num_decisions(p), 10);
    ork_interleave_destroy(p);
}

/* ---- errors ---- */

static void assert_invalid(struct ork_interleave *p)
{
    enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;

    write_send(p, 0, 1, 0); /* makes no difference any more */
    assert_int_equal(ork_interleave_search(p, &plain, &result), ORK_INVALID);
    assert_int_equal(result, ORK_INTERLEAVE_STOPPED);
    ork_interleave_destroy(p);
}

static void numbers_that_name_nothing_are_invalid(void **state)
{
    (void)state;
    const uint32_t nobody = 9;
    struct ork_interleave_part part = {.number = 0};
    struct ork_interleave_op op = write_message(0, ANY, 0);
    struct ork_interleave *p = program_create(2);

    assert_int_equal(ork_interleave_group(p, &nobody, 1), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = program_create(2);
    assert_int_equal(ork_interleave_wave(p, 7, false, 0), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = program_create(2);
    assert_int_equal(write_isend(p, 2, 0, 0), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = program_create(2);
    assert_int_equal(write_isend(p, 0, 2, 0), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = program_create(2);
    assert_int_equal(write_isend(p, 0, ANY, 0), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = program_create(2);
    op.group = 1;
    assert_int_equal(ork_interleave_post(p, &op), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = program_create(2);
    ork_interleave_peek(p, &op, 0);
    assert_invalid(p);
    p = program_create(2);
    ork_interleave_await(p, 0, ORK_INTERLEAVE_ALL, &part, 1, 0, 0);
    assert_invalid(p);
    p = program_create(2);
    ork_interleave_arrive(p, 0, 0);
    assert_invalid(p);
    p = program_create(2);
    ork_interleave_release(p, 0);
    assert_invalid(p);
    p = program_create(2);
    ork_interleave_set_end(p, 2, ORK_INTERLEAVE_ENDED);
    assert_invalid(p);
}

static void who_is_not_in_a_group_cannot_arrive(void **state)
{
    (void)state;
    struct ork_interleave *p = program_create(2);
    const uint32_t first = 0;
    uint32_t wave = ork_interleave_wave(p, ork_interleave_group(p, &first, 1), false, 0);

    ork_interleave_arrive(p, 1, wave);
    assert_invalid(p);
}

static void after_an_error_there_is_still_an_operation_to_change(void **state)
{
    (void)state;
    struct ork_interleave *p = program_create(2);

    ork_interleave_change(p, write_isend(p, 2, 0, 0))->took = 1;
    assert_invalid(p);
}

/* ---- memory ---- */

/* Returns whether all went well. */
static bool run_with(long succeed, void (*write)(struct ork_interleave *p), uint32_t ranks,
                     enum ork_interleave_result expected)
{
    enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;
    const struct ork_interleave_options options = {.no_filter = true};
    enum ork_status status = ORK_NOMEM;

    memory_arm(succeed);
    struct ork_interleave *p = program_create(ranks);
    if (p != NULL) {
        write(p);
        status = ork_interleave_search(p, &options, &result);
    }
    bool failed = memory_failures() > 0;
    if (status == ORK_OK) /* without room to remember what was searched it goes on */
        assert_int_equal(result, expected);
    else
        assert_int_equal(status, ORK_NOMEM);
    if (!failed)
        assert_int_equal(status, ORK_OK);
    ork_interleave_destroy(p);
    memory_disarm();
    assert_int_equal(memory_live(), 0);
    return !failed;
}

/* Rank 0 takes a message of each other rank; after each it is in a barrier with rank 1. */
static void barriers_of_two(struct ork_interleave *p)
{
    const uint32_t pair[2] = {0, 1};
    uint32_t both = ork_interleave_group(p, pair, 2);

    for (uint32_t i = 2; i <= 4; i++) {
        write_recv_that_took(p, 0, i, IGNORED);
        uint32_t wave = ork_interleave_wave(p, both, false, 0);
        write_arrive(p, 0, wave);
        write_arrive(p, 1, wave);
        write_send(p, i, 0, 0);
    }
    write_ends(p, 5);
}

static void memory_that_runs_out_never_gives_a_wrong_result_and_never_leaks(void **state)
{
    (void)state;
    long n = 0;

    while (!run_with(n, deferred, 4, ORK_INTERLEAVE_DEADLOCK))
        n++;
    assert_true(n > 30);
    n = 0;
    while (!run_with(n, barriers_of_two, 5, ORK_INTERLEAVE_SAFE))
        n++;
    assert_true(n > 30);
}

int test_search(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_receive_of_anybody_may_take_what_the_next_one_needs),
        cmocka_unit_test(a_decision_may_have_to_wait_for_a_later_message),
        cmocka_unit_test(the_decisions_of_a_deadlock_are_told_in_order),
        cmocka_unit_test(a_master_that_takes_all_that_comes_needs_no_search),
        cmocka_unit_test(senders_that_are_alike_are_tried_once),
        cmocka_unit_test(ranks_that_share_nothing_are_searched_one_after_the_other),
        cmocka_unit_test(a_search_that_was_stopped_goes_on_where_it_was),
        cmocka_unit_test(a_limit_of_steps_is_met_at_the_same_state_each_time),
        cmocka_unit_test(a_search_asks_whether_its_time_is_up),
        cmocka_unit_test(a_deadlock_is_found_after_a_stop),
        cmocka_unit_test(numbers_that_name_nothing_are_invalid),
        cmocka_unit_test(who_is_not_in_a_group_cannot_arrive),
        cmocka_unit_test(after_an_error_there_is_still_an_operation_to_change),
        cmocka_unit_test(memory_that_runs_out_never_gives_a_wrong_result_and_never_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

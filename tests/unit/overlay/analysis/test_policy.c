/* SPDX-License-Identifier: BSD-3-Clause */
/* The state machines of the root, without a root. */
#include "overlay/root/policy.h"

#include "tests/unit/overlay/stage/unit.h"

#define SECOND UINT64_C(1000000000)

static int set_up(void **state)
{
    static struct root_policy policy;

    ork_policy_init(&policy);
    *state = &policy;
    return 0;
}

/* ---- the state ---- */

static void a_run_goes_on_until_something_is_reported(void **state)
{
    const struct root_policy *p = *state;

    assert_int_equal(p->state, ROOT_RUNNING);
    assert_int_equal(p->candidate, ROOT_CANDIDATE_NONE);
    assert_true(ork_policy_may_report_hang(p));
    assert_false(ork_policy_is_ending(p));
}

static void a_hang_is_reported_once_and_ends_nothing(void **state)
{
    struct root_policy *p = *state;

    ork_policy_take(p, ROOT_HANG_IS_REPORTED);
    assert_int_equal(p->state, ROOT_HANG);
    assert_false(ork_policy_may_report_hang(p));
    assert_false(ork_policy_is_ending(p));
}

static void a_fatal_finding_ends_the_job_whatever_was_reported_before(void **state)
{
    struct root_policy *p = *state;

    ork_policy_take(p, ROOT_FATAL_IS_REPORTED);
    assert_int_equal(p->state, ROOT_ENDING);
    assert_true(ork_policy_is_ending(p));
    assert_false(ork_policy_may_report_hang(p));
    ork_policy_take(p, ROOT_FATAL_IS_REPORTED); /* a second deadlock */
    assert_int_equal(p->state, ROOT_ENDING);
    set_up(state);
    ork_policy_take(p, ROOT_HANG_IS_REPORTED);
    ork_policy_take(p, ROOT_FATAL_IS_REPORTED);
    assert_int_equal(p->state, ROOT_ENDING);
}

static void an_interrupt_is_the_last_word(void **state)
{
    struct root_policy *p = *state;

    ork_policy_take(p, ROOT_FATAL_IS_REPORTED);
    ork_policy_take(p, ROOT_USER_INTERRUPTS);
    assert_int_equal(p->state, ROOT_INTERRUPTED);
    assert_true(ork_policy_is_ending(p));
    ork_policy_take(p, ROOT_FATAL_IS_REPORTED); /* by the search that the interrupt makes */
    ork_policy_take(p, ROOT_USER_INTERRUPTS);
    assert_int_equal(p->state, ROOT_INTERRUPTED);
}

/* ---- the candidate ---- */

static void ranks_that_run_may_join_a_deadlock_for_half_a_second(void **state)
{
    struct root_policy *p = *state;

    assert_true(ork_policy_waits_for_others(p, ROOT_CANDIDATE_MANIFEST, true, SECOND));
    assert_int_equal(p->candidate, ROOT_CANDIDATE_MANIFEST);
    assert_true(ork_policy_is_watching(p));
    assert_true(
        ork_policy_waits_for_others(p, ROOT_CANDIDATE_MANIFEST, true, SECOND + ROOT_JOIN_NS - 1));
    assert_false(
        ork_policy_waits_for_others(p, ROOT_CANDIDATE_MANIFEST, true, SECOND + ROOT_JOIN_NS));
}

static void a_deadlock_of_all_ranks_waits_for_nobody(void **state)
{
    struct root_policy *p = *state;

    assert_false(ork_policy_waits_for_others(p, ROOT_CANDIDATE_POTENTIAL, false, SECOND));
    assert_false(ork_policy_waits_for_others(p, ROOT_CANDIDATE_MANIFEST, false, SECOND));
    assert_int_equal(p->candidate, ROOT_CANDIDATE_NONE);
}

static void the_time_to_join_begins_anew_for_each_potential_deadlock_only(void **state)
{
    struct root_policy *p = *state;
    uint64_t later = SECOND + ROOT_JOIN_NS;

    assert_true(ork_policy_waits_for_others(p, ROOT_CANDIDATE_POTENTIAL, true, SECOND));
    assert_false(ork_policy_waits_for_others(p, ROOT_CANDIDATE_POTENTIAL, true, later));
    ork_policy_forget_potential(p);
    assert_true(ork_policy_waits_for_others(p, ROOT_CANDIDATE_POTENTIAL, true, later));
    assert_true(ork_policy_waits_for_others(p, ROOT_CANDIDATE_MANIFEST, true, SECOND));
    ork_policy_set_candidate(p, ROOT_CANDIDATE_NONE);
    assert_false(ork_policy_waits_for_others(p, ROOT_CANDIDATE_MANIFEST, true, later));
}

static void nobody_is_waited_for_after_an_interrupt(void **state)
{
    struct root_policy *p = *state;

    ork_policy_take(p, ROOT_USER_INTERRUPTS);
    assert_false(ork_policy_waits_for_others(p, ROOT_CANDIDATE_MANIFEST, true, SECOND));
    assert_false(ork_policy_waits_for_others(p, ROOT_CANDIDATE_POTENTIAL, true, SECOND));
}

static void a_deadlock_is_watched_but_threads_that_may_act_are_not(void **state)
{
    struct root_policy *p = *state;

    ork_policy_set_candidate(p, ROOT_CANDIDATE_UNDECIDED);
    assert_true(ork_policy_is_watching(p));
    ork_policy_set_candidate(p, ROOT_CANDIDATE_THREADS);
    assert_false(ork_policy_is_watching(p));
}

/* ---- when to search ---- */

static void without_a_reason_there_is_no_search(void **state)
{
    struct root_policy *p = *state;

    assert_false(ork_policy_is_search_due(p, SECOND, false, 0));
    p->is_dirty = true;
    assert_true(ork_policy_is_search_due(p, SECOND, false, 0));
    p->is_dirty = false;
    for (int c = ROOT_CANDIDATE_THREADS; c <= ROOT_CANDIDATE_UNDECIDED; c++) {
        ork_policy_set_candidate(p, (enum root_candidate)c);
        assert_true(ork_policy_is_search_due(p, SECOND, false, 0));
    }
}

static void records_that_stream_in_are_searched_ten_times_a_second_or_when_many_wait(void **state)
{
    struct root_policy *p = *state;

    p->is_dirty = true;
    p->next_ns = SECOND;
    assert_false(ork_policy_is_search_due(p, SECOND - 1, true, UINT64_MAX));
    assert_true(ork_policy_is_search_due(p, SECOND, false, 0));
    assert_false(ork_policy_is_search_due(p, SECOND, true, 0));
    assert_true(ork_policy_is_search_due(p, SECOND, true, ROOT_QUEUE_FIRST));
    assert_true(ork_policy_is_search_due(p, SECOND + ROOT_PAUSE_BUSY_NS, true, 0));
}

static uint64_t pause_after(struct root_policy *p, enum root_candidate candidate, bool is_dirty)
{
    ork_policy_init(p);
    ork_policy_set_candidate(p, candidate);
    p->is_dirty = is_dirty;
    ork_policy_count_search(p, SECOND, SECOND);
    ork_policy_schedule(p, SECOND, 0);
    return p->next_ns - SECOND;
}

static void the_pause_depends_on_what_was_found(void **state)
{
    struct root_policy *p = *state;

    assert_int_equal(pause_after(p, ROOT_CANDIDATE_NONE, true), ROOT_PAUSE_QUIET_NS);
    assert_int_equal(pause_after(p, ROOT_CANDIDATE_UNDECIDED, true), ROOT_PAUSE_QUIET_NS);
    assert_int_equal(pause_after(p, ROOT_CANDIDATE_NONE, false), ROOT_PAUSE_WATCH_NS);
    assert_int_equal(pause_after(p, ROOT_CANDIDATE_UNDECIDED, false), ROOT_PAUSE_WATCH_NS);
    assert_int_equal(pause_after(p, ROOT_CANDIDATE_THREADS, false), ROOT_PAUSE_BUSY_NS);
}

static void a_search_that_takes_long_is_made_less_often(void **state)
{
    struct root_policy *p = *state;

    ork_policy_count_search(p, SECOND, 2 * SECOND);
    ork_policy_schedule(p, 2 * SECOND, 0);
    assert_int_equal(p->next_ns, (2 + ROOT_SEARCH_SHARE) * SECOND);
}

static void what_still_waits_after_a_search_does_not_bring_the_next_one_about(void **state)
{
    struct root_policy *p = *state;

    ork_policy_schedule(p, SECOND, ROOT_QUEUE_FIRST);
    assert_int_equal(p->queue_limit, 2 * ROOT_QUEUE_FIRST);
    ork_policy_schedule(p, SECOND, 0);
    assert_int_equal(p->queue_limit, ROOT_QUEUE_FIRST);
}

static void the_analysis_catches_up_when_nothing_comes_or_many_records_wait(void **state)
{
    struct root_policy *p = *state;

    assert_false(ork_policy_may_catch_up(p, ROOT_STILL_NS - 1, ROOT_QUEUE_FIRST - 1));
    assert_true(ork_policy_may_catch_up(p, ROOT_STILL_NS, 0));
    assert_true(ork_policy_may_catch_up(p, 0, ROOT_QUEUE_FIRST));
    ork_policy_take(p, ROOT_USER_INTERRUPTS);
    assert_true(ork_policy_may_catch_up(p, 0, 0));
}

#define CASE(name) cmocka_unit_test_setup(name, set_up)

int test_policy(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_run_goes_on_until_something_is_reported),
        CASE(the_analysis_catches_up_when_nothing_comes_or_many_records_wait),
        CASE(a_hang_is_reported_once_and_ends_nothing),
        CASE(a_fatal_finding_ends_the_job_whatever_was_reported_before),
        CASE(an_interrupt_is_the_last_word),
        CASE(ranks_that_run_may_join_a_deadlock_for_half_a_second),
        CASE(a_deadlock_of_all_ranks_waits_for_nobody),
        CASE(the_time_to_join_begins_anew_for_each_potential_deadlock_only),
        CASE(nobody_is_waited_for_after_an_interrupt),
        CASE(a_deadlock_is_watched_but_threads_that_may_act_are_not),
        CASE(without_a_reason_there_is_no_search),
        CASE(records_that_stream_in_are_searched_ten_times_a_second_or_when_many_wait),
        CASE(the_pause_depends_on_what_was_found),
        CASE(a_search_that_takes_long_is_made_less_often),
        CASE(what_still_waits_after_a_search_does_not_bring_the_next_one_about),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

#include "brute.h"
#include "text.h"

#include <time.h>

static struct brute brute;

/* The search says so, and so does the definition. */
static void assert_knots(uint32_t nprocs, const char *conditions, const char *dead,
                         const char *bottom, const char *maximal)
{
    struct ork_wfg *wfg = text_search(nprocs, conditions);

    assert_string_equal(text_dead(wfg), dead);
    assert_string_equal(text_bottom(wfg), bottom);
    assert_string_equal(text_maximal(wfg), maximal);
    brute_init(&brute, wfg);
    assert_null(brute_compare(&brute, wfg));
    ork_wfg_destroy(wfg);
}

static void fig_3a_two_receives_wait_for_each_other(void **state)
{
    (void)state;
    assert_knots(2, "0 1; 1 0", "0 1", "{0 1}", "{0 1}*");
}

static void fig_3b_send_receive_and_barrier_are_one_knot(void **state)
{
    (void)state;
    assert_knots(3, "0 1; 1 2; 2 &(0 1)", "0 1 2", "{0 1 2}", "{0 1 2}*");
    assert_knots(3, "#&0 0 1; 0 1; 1 2; 2 #0", "0 1 2 3", "{0 1 2 3}", "{0 1 2 3}*");
}

static void fig_3c_a_wildcard_receive_and_a_receive(void **state)
{
    (void)state;
    assert_knots(2, "0 |(1); 1 0", "0 1", "{0 1}", "{0 1}*");
    assert_knots(3, "0 |(1 2); 1 0", "", "", "");
}

static void fig_4_has_exactly_three_or_knots(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_search(4, "0 &(|10(0 1 2) |11(0 2 3)); 1 2; 2 0; 3 2");

    brute_init(&brute, wfg);
    assert_int_equal(brute.num_knots, 3);
    assert_int_equal(brute.knot[0], 0x17); /* 0, 1, 2, request[0] */
    assert_int_equal(brute.knot[1], 0x2d); /* 0, 2, 3, request[1] */
    assert_int_equal(brute.knot[2], 0x3f);
    assert_string_equal(text_dead(wfg), "0 1 2 3 4 5");
    assert_string_equal(text_bottom(wfg), "{0 1 2 3 4 5}");
    assert_string_equal(text_maximal(wfg), "{0 1 2 3 4 5}*");
    assert_null(brute_compare(&brute, wfg));
    ork_wfg_destroy(wfg);
}

static void a_process_that_is_done_is_the_root_of_who_waits_for_it(void **state)
{
    (void)state;
    assert_knots(3, "0 done; 1 0; 2 |(0 1)", "0 1 2", "{0}", "{0}*");
    assert_knots(3, "0 done; 1 |(0 2)", "0", "{0}", "{0}*");
}

static void an_empty_or_is_a_deadlock_of_its_own(void **state)
{
    (void)state;
    assert_knots(2, "0 |(); 1 0", "0 1", "{0}", "{0}*");
    assert_knots(2, "0 &(1 |()); 1 0", "0 1", "{0 1}", "{0 1}*");
}

static void an_empty_and_is_none(void **state)
{
    (void)state;
    assert_knots(2, "0 &(); 1 0", "", "", "");
}

static void a_wildcard_receive_nobody_else_can_serve_is_a_knot(void **state)
{
    (void)state;
    assert_knots(3, "#|0 0 1 2; 0 #0; 1 #0; 2 #0", "0 1 2 3", "{0 1 2 3}", "{0 1 2 3}*");
    assert_knots(3, "#|0 0 1 2; 0 #0; 1 #0", "", "", "");
}

static void independent_roots_are_reported_each(void **state)
{
    (void)state;
    assert_knots(5, "0 1; 1 0; 2 3; 3 2; 4 &(0 2)", "0 1 2 3 4", "{0 1} {2 3}", "{0 1}* {2 3}*");
}

static void a_cycle_that_also_waits_for_another_deadlock_is_a_further_cause(void **state)
{
    (void)state;
    assert_knots(4, "0 1; 1 &(0 2); 2 3; 3 2", "0 1 2 3", "{2 3}", "{0 1} {2 3}*");
}

static void an_or_that_may_leave_the_cycle_is_no_further_cause(void **state)
{
    (void)state;
    assert_knots(4, "0 1; 1 |(0 2); 2 3; 3 2", "0 1 2 3", "{2 3}", "{2 3}*");
}

static void a_cause_can_hide_inside_a_component(void **state)
{
    (void)state;
    /* 0..3 are strongly connected, but 3 may be served by 4: what remains of them is {0, 1}. */
    assert_knots(5, "0 &(1 3); 1 &(0 2); 2 3; 3 |(0 4); 4 done", "0 1 2 3 4", "{4}", "{0 1} {4}*");
}

static void several_causes_can_hide_in_one_component(void **state)
{
    (void)state;
    /* Without 4, which may be served by 5, the component falls apart into two cycles and what joins
     * them. */
    assert_knots(6, "0 &(1 2); 1 0; 2 &(3 4); 3 2; 4 |(0 5); 5 done", "0 1 2 3 4 5", "{5}",
                 "{0 1} {2 3} {5}*");
}

static void a_hub_of_released_processes_only_is_in_no_knot(void **state)
{
    (void)state;
    assert_knots(4, "#&0 0 1; 0 1; 1 0; 2 |(#0 3)", "0 1 4", "{0 1}", "{0 1}*");
}

static void a_hub_nobody_refers_to_is_in_no_knot(void **state)
{
    (void)state;
    assert_knots(2, "#|0 0 1; 0 1; 1 0", "0 1", "{0 1}", "{0 1}*");
}

/* Processor time: whatever else runs on the machine takes none of it. */
static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { MANY = 100000 };

static void a_hundred_thousand_processes_are_searched_in_no_time(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(MANY, "#|0; #&0");

    for (uint32_t p = 0; p < MANY; p++) {
        ork_wfg_add_member(wfg, 0, p);
        if (p % 2 == 0)
            ork_wfg_add_member(wfg, 1, p); /* not in the barrier of the odd ones */
        ork_wfg_begin(wfg, p);
        ork_wfg_hub(wfg, p % 2, 0);
        ork_wfg_end(wfg);
    }
    double begin = seconds();
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    double end = seconds();
    assert_int_equal(ork_wfg_num_deadlocked(wfg), MANY);
    assert_int_equal(ork_wfg_num_bottom(wfg), 1);
    assert_int_equal(ork_wfg_bottom(wfg, 0).count, MANY + 2);
    /* Milliseconds, in fact; anything quadratic takes minutes. */
    assert_true(end - begin < 5.0);
    ork_wfg_destroy(wfg);
}

static void a_ring_of_a_hundred_thousand_is_one_knot(void **state)
{
    (void)state;
    struct ork_wfg *wfg = text_build(MANY, "");

    for (uint32_t p = 0; p < MANY; p++) {
        ork_wfg_begin(wfg, p);
        ork_wfg_atom(wfg, (p + 1) % MANY, 0);
        ork_wfg_end(wfg);
    }
    assert_int_equal(ork_wfg_search(wfg), ORK_OK);
    assert_int_equal(ork_wfg_num_maximal(wfg), 1);
    assert_int_equal(ork_wfg_maximal(wfg, 0).count, MANY);
    assert_true(ork_wfg_maximal(wfg, 0).bottom);
    ork_wfg_destroy(wfg);
}

int test_knots(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fig_3a_two_receives_wait_for_each_other),
        cmocka_unit_test(fig_3b_send_receive_and_barrier_are_one_knot),
        cmocka_unit_test(fig_3c_a_wildcard_receive_and_a_receive),
        cmocka_unit_test(fig_4_has_exactly_three_or_knots),
        cmocka_unit_test(a_process_that_is_done_is_the_root_of_who_waits_for_it),
        cmocka_unit_test(an_empty_or_is_a_deadlock_of_its_own),
        cmocka_unit_test(an_empty_and_is_none),
        cmocka_unit_test(a_wildcard_receive_nobody_else_can_serve_is_a_knot),
        cmocka_unit_test(independent_roots_are_reported_each),
        cmocka_unit_test(a_cycle_that_also_waits_for_another_deadlock_is_a_further_cause),
        cmocka_unit_test(an_or_that_may_leave_the_cycle_is_no_further_cause),
        cmocka_unit_test(a_cause_can_hide_inside_a_component),
        cmocka_unit_test(several_causes_can_hide_in_one_component),
        cmocka_unit_test(a_hub_of_released_processes_only_is_in_no_knot),
        cmocka_unit_test(a_hub_nobody_refers_to_is_in_no_knot),
        cmocka_unit_test(a_hundred_thousand_processes_are_searched_in_no_time),
        cmocka_unit_test(a_ring_of_a_hundred_thousand_is_one_knot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

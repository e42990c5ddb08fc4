/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that make and free communicators for as long as they run: what the detector keeps does
 * not grow with their number, and what findings say of them stays true. */
#include "tests/unit/detector/unit.h"

#include "detector/state/state.h"
#include "tests/unit/detector/memory.h"
#include "tests/unit/detector/script.h"

#include <limits.h>

enum { RANKS = 2, MANY = 100000, WARM = 10000, SOME = 1000, FIRST = 2, HISTORY = 512 };

/* What one rank does in a step with the communicator that has this number. */
typedef void (*iteration)(struct ork_detector *d, uint32_t rank, uint32_t number);

/* What is kept in the first steps is as much as is ever kept. RATIONALE: the history, and queues
 * that are empty, grow until they are cut. */
static void assert_bounded(struct ork_detector *d, iteration iterate)
{
    long bytes = 0;
    uint32_t kept = 0;

    memory_arm(LONG_MAX);
    for (uint32_t i = 0; i < MANY; i++) {
        for (uint32_t r = 0; r < RANKS; r++)
            iterate(d, r, FIRST + i);
        assert_true(i < WARM || memory_bytes() <= bytes + bytes / 16);
        assert_true(i < WARM || d->comms.count <= kept);
        if (i >= WARM)
            continue;
        bytes = memory_bytes() > bytes ? memory_bytes() : bytes;
        kept = d->comms.count > kept ? d->comms.count : kept;
    }
    assert_int_equal(d->comms.made, 3 + MANY); /* world, self, and that of MPI_Finalize */
    memory_disarm();
    for (uint32_t r = 0; r < RANKS; r++)
        assert_null(ork_detector_fault(d, r));
    assert_int_equal(ork_detector_num_issues(d), 0);
    assert_string_equal(script_statuses(d, RANKS).of, "RR");
    ork_detector_destroy(d);
}

static struct ork_detector *create_with_history(void)
{
    struct ork_detector *d = script_create(RANKS);

    ork_detector_set_history(d, HISTORY);
    return d;
}

static void use(struct ork_detector *d, uint32_t r, uint32_t n)
{
    script_feed(d, r, RANK(DUP(n, 0), BAR(n), COMM_FREE(n)));
}

static void those_that_are_freed_take_no_memory(void **state)
{
    (void)state;
    assert_bounded(script_create(RANKS), use);
}

static void nor_do_they_in_the_history(void **state)
{
    (void)state;
    assert_bounded(create_with_history(), use);
}

/* A history with wildcards does not begin anew by itself. */
static void use_with_choice(struct ork_detector *d, uint32_t r, uint32_t n)
{
    if (r == 0)
        script_feed(d, r, RANK(DUP(n, 0), R_ON(n, ANY, 1), FOUND(1, 1), COMM_FREE(n)));
    else
        script_feed(d, r, RANK(DUP(n, 0), S_ON(n, 0, 1), COMM_FREE(n)));
}

static void nor_do_they_in_a_history_that_is_full(void **state)
{
    (void)state;
    assert_bounded(create_with_history(), use_with_choice);
}

static void nor_do_they_in_a_history_that_is_cut(void **state)
{
    struct ork_detector *d = create_with_history();
    uint32_t kept = 0;

    (void)state;
    for (uint32_t i = 0; i < SOME; i++) {
        for (uint32_t r = 0; r < RANKS; r++)
            use_with_choice(d, r, FIRST + i);
        if (i % 8 == 7)
            assert_true(ork_detector_renew_history(d));
        kept = d->comms.count > kept ? d->comms.count : kept;
    }
    assert_in_range(kept, 3 + 7, 3 + 8);
    assert_int_equal(ork_detector_is_history_full(d), false);
    ork_detector_destroy(d);
}

/* Requests that are complete only after the communicator was freed, and a persistent one. */
static void use_with_requests(struct ork_detector *d, uint32_t r, uint32_t n)
{
    script_feed(
        d, r,
        RANK(DUP(n, 0), IBAR(n, 0), BAR_INIT(n, 1), START(1), W(1), COMM_FREE(n), W(0), FREE(1)));
}

static void nor_do_they_with_requests(void **state)
{
    struct ork_detector *d = script_create(RANKS);

    (void)state;
    for (uint32_t i = 0; i < SOME; i++) {
        for (uint32_t r = 0; r < RANKS; r++)
            use_with_requests(d, r, FIRST + i);
    }
    assert_int_equal(d->comms.count, 3);
    assert_int_equal(d->comms.made, 3 + 2 * SOME);
    ork_detector_destroy(d);
}

/* The parent is freed first, so a later one that is made on it must not be taken for the child. */
static void those_made_on_freed_ones_are_told_apart(void **state)
{
    struct ork_detector *d = script_create(RANKS);

    (void)state;
    for (uint32_t i = 0; i < SOME; i++) {
        const uint32_t parent = FIRST + 2 * i, child = parent + 1;
        for (uint32_t r = 0; r < RANKS; r++)
            script_feed(d, r, RANK(DUP(parent, 0), DUP(child, parent), COMM_FREE(parent)));
    }
    assert_int_equal(d->comms.count, 3 + SOME);
    for (uint32_t i = 0; i < SOME; i++) {
        for (uint32_t r = 0; r < RANKS; r++)
            script_feed(d, r, RANK(BAR(FIRST + 2 * i + 1), COMM_FREE(FIRST + 2 * i + 1)));
    }
    assert_int_equal(d->comms.count, 3);
    assert_string_equal(script_statuses(d, RANKS).of, "RR");
    ork_detector_destroy(d);
}

/* The two ranks disagree on the root. */
static void what_a_finding_says_of_one_stays_true(void **state)
{
    struct ork_detector *d = script_create(RANKS);
    struct step name = {.rec = {.kind = ORK_KIND_COMM_NAME, .comm = FIRST, .bytes = 5, .count = 2}};

    (void)state;
    memcpy(name.list, "first", 5);
    for (uint32_t r = 0; r < RANKS; r++)
        script_feed(d, r, RANK(DUP(FIRST, 0), name, BCAST(FIRST, (int32_t)r)));
    assert_int_equal(ork_detector_num_issues(d), 1);
    const uint32_t id = ork_detector_issue(d, 0)->side[0].comm;
    for (uint32_t i = 1; i < SOME; i++) {
        for (uint32_t r = 0; r < RANKS; r++)
            use(d, r, FIRST + i);
    }
    for (uint32_t r = 0; r < RANKS; r++)
        script_feed(d, r, RANK(COMM_FREE(FIRST)));
    for (uint32_t i = SOME; i < 2 * SOME; i++) {
        for (uint32_t r = 0; r < RANKS; r++)
            use(d, r, FIRST + i);
    }
    assert_string_equal(ork_detector_comm(d, id).name, "first");
    assert_int_equal(ork_detector_comm(d, id).made_by, ORK_COLL_COMM_DUP);
    assert_int_equal(d->comms.count, 3 + 1);
    ork_detector_destroy(d);
}

static void numbers_may_be_above_any_that_was_valid_before(void **state)
{
    struct ork_detector *d = script_create(RANKS);

    (void)state;
    for (uint32_t n = FIRST; n < 1u << 23; n += 1u << 15) {
        for (uint32_t r = 0; r < RANKS; r++)
            use(d, r, n);
    }
    for (uint32_t r = 0; r < RANKS; r++)
        assert_null(ork_detector_fault(d, r));
    for (uint32_t r = 0; r < RANKS; r++)
        use(d, r, 1u << 24);
    assert_non_null(ork_detector_fault(d, 0));
    ork_detector_destroy(d);
}

int test_many_comms(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_are_freed_take_no_memory),
        cmocka_unit_test(nor_do_they_in_the_history),
        cmocka_unit_test(nor_do_they_in_a_history_that_is_full),
        cmocka_unit_test(nor_do_they_in_a_history_that_is_cut),
        cmocka_unit_test(nor_do_they_with_requests),
        cmocka_unit_test(those_made_on_freed_ones_are_told_apart),
        cmocka_unit_test(what_a_finding_says_of_one_stays_true),
        cmocka_unit_test(numbers_may_be_above_any_that_was_valid_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

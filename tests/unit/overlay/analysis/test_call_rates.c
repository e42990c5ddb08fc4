/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/call_rates.h"

#include "record/calls.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

#define SECOND UINT64_C(1000000000)
enum { RANKS = 3, MANY = 100 };

struct scene {
    struct ork_activity *activity;
    struct ork_call_rates *rates;
    uint64_t now;
};

static struct scene begin(uint32_t ranks)
{
    struct scene s = {.now = 5 * SECOND};

    assert_int_equal(ork_activity_create(ranks, &s.activity), ORK_OK);
    assert_int_equal(ork_call_rates_create(ranks, s.now, &s.rates), ORK_OK);
    return s;
}

static void end(struct scene *s)
{
    ork_call_rates_destroy(s->rates);
    ork_activity_destroy(s->activity);
}

static void call(struct scene *s, uint32_t rank, uint32_t times)
{
    const struct ork_record r = {.kind = ORK_KIND_SEND, .call = ORK_CALL_MPI_Send};

    ork_activity_records(s->activity, rank, &r, 1, times);
}

static void pass(struct scene *s, uint64_t seconds)
{
    s->now += seconds * SECOND;
    ork_call_rates_note(s->rates, s->activity, s->now);
}

static struct ork_finding look(struct scene *s)
{
    struct ork_finding f = {0};

    assert_int_equal(ork_call_rates_fill(s->rates, s->now, &f), ORK_OK);
    return f;
}

static void assert_calls(const struct ork_rank_rates *rates, const uint32_t *calls, uint32_t count)
{
    assert_int_equal(rates->calls.count, count);
    assert_memory_equal(rates->calls.item, calls, count * sizeof(*calls));
}

static void each_second_has_its_calls(void **state)
{
    struct scene s = begin(RANKS);

    (void)state;
    call(&s, 0, 7);
    pass(&s, 1);
    call(&s, 1, 2);
    ork_activity_call_of_all(s.activity);
    pass(&s, 1);
    pass(&s, 1);
    call(&s, 2, 1);
    pass(&s, 1);
    struct ork_finding f = look(&s);
    assert_int_equal(f.num_rates, RANKS);
    assert_calls(&f.rates[0], (const uint32_t[]){7, 1, 0, 0}, 4);
    assert_calls(&f.rates[1], (const uint32_t[]){0, 3, 0, 0}, 4);
    assert_calls(&f.rates[2], (const uint32_t[]){0, 1, 0, 1}, 4);
    assert_true(f.rates_ago < 0.001);
    ork_finding_release(&f);
    end(&s);
}

static void a_short_run_has_none(void **state)
{
    struct scene s = begin(RANKS);

    (void)state;
    call(&s, 0, 7);
    pass(&s, 2);
    struct ork_finding f = look(&s);
    assert_int_equal(f.num_rates, 0);
    end(&s);
}

/* What came before a hang of minutes is still known. */
static void a_hang_displaces_nothing(void **state)
{
    struct scene s = begin(RANKS);
    uint32_t expected[3 + ORK_RATE_STILL] = {5, 5, 5};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        call(&s, 0, 5);
        pass(&s, 1);
    }
    for (unsigned i = 0; i < 300; i++)
        pass(&s, 1);
    struct ork_finding f = look(&s);
    assert_calls(&f.rates[0], expected, 3 + ORK_RATE_STILL);
    assert_true(f.rates_ago > 289.9 && f.rates_ago < 290.1);
    ork_finding_release(&f);
    call(&s, 1, 1); /* it went on, after all: the seconds in between were there */
    pass(&s, 1);
    f = look(&s);
    assert_int_equal(f.rates[1].calls.count, ORK_RATE_SECONDS);
    assert_int_equal(f.rates[1].calls.item[ORK_RATE_SECONDS - 1], 1);
    assert_int_equal(f.rates[0].calls.item[0], 0);
    ork_finding_release(&f);
    end(&s);
}

static void what_comes_after_a_sleep_came_at_its_end(void **state)
{
    struct scene s = begin(RANKS);

    (void)state;
    call(&s, 0, 1);
    pass(&s, 1);
    call(&s, 0, 9);
    pass(&s, 4);
    struct ork_finding f = look(&s);
    assert_calls(&f.rates[0], (const uint32_t[]){1, 0, 0, 0, 9}, 5);
    ork_finding_release(&f);
    end(&s);
}

static void of_many_ranks_those_that_stopped_first_are_told(void **state)
{
    struct scene s = begin(MANY);

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t r = 0; r < MANY; r++)
            call(&s, r, r == 90 && i > 1 ? 0 : r == 5 ? 1000 : 10);
        pass(&s, 1);
    }
    struct ork_finding f = look(&s);
    assert_int_equal(f.num_rates, ORK_RATE_RANKS);
    bool has_late = false, has_most = false;
    for (uint32_t i = 0; i < f.num_rates; i++) {
        assert_true(i == 0 || f.rates[i - 1].rank < f.rates[i].rank);
        has_late |= f.rates[i].rank == 90;
        has_most |= f.rates[i].rank == 5;
    }
    assert_true(has_late && has_most);
    ork_finding_release(&f);
    end(&s);
}

int test_call_rates(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_second_has_its_calls),
        cmocka_unit_test(a_short_run_has_none),
        cmocka_unit_test(a_hang_displaces_nothing),
        cmocka_unit_test(what_comes_after_a_sleep_came_at_its_end),
        cmocka_unit_test(of_many_ranks_those_that_stopped_first_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

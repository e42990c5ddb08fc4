/* SPDX-License-Identifier: BSD-3-Clause */
/* How the records of a rank are divided into steps. */
#include "tests/unit/detector/script.h"
#include "tests/unit/detector/unit.h"

#include "detector/fold/steps.h"

enum { ROOM = 32 };

struct records {
    struct ork_record record[ROOM];
    unsigned count;
};

static struct records records_of(const struct step *step)
{
    struct records r = {.count = 0};

    for (; step->rec.kind != ORK_KIND_CONT; step++) {
        assert_in_range(r.count, 0, ROOM - 2);
        r.count += script_records(step, &r.record[r.count]);
    }
    return r;
}

/* The numbers of the steps, as letters; at most `batch` records at once. */
static const char *divide(struct steps *s, const struct step *step, unsigned batch)
{
    static char text[ROOM + 1];
    const struct records r = records_of(step);
    unsigned n = 0;

    for (unsigned i = 0; i < r.count;) {
        unsigned left = r.count - i;
        uint32_t number;
        size_t taken = ork_steps_take(s, &r.record[i], left < batch ? left : batch, &number);
        assert_false(s->has_failed);
        assert_true(taken > 0 || number != STEP_NONE);
        if (number != STEP_NONE)
            text[n++] = (char)('a' + number);
        i += (unsigned)taken;
    }
    text[n] = '\0';
    return text;
}

static void equal_calls_are_one_step(void **state)
{
    struct steps s = {0};

    (void)state;
    assert_string_equal(divide(&s, RANK(S(1, 0), R(1, 0), S(1, 0), R(2, 0), S(1, 0)), ROOM),
                        "abaca");
    assert_int_equal(s.count, 3);
    assert_int_equal(s.step[0].length, 1);
    ork_steps_release(&s);
}

static void a_list_belongs_to_its_call(void **state)
{
    struct steps s = {0};

    (void)state;
    assert_string_equal(divide(&s, RANK(W(1, 2), W(1, 3), W(1, 2)), ROOM), "aba");
    assert_int_equal(s.step[0].length, 2);
    assert_string_equal(divide(&s, RANK(W(1, 2), W(1, 3), W(1, 2)), 1), "aba");
    ork_steps_release(&s);
}

/* Until it was seen once, the call is a step, and its outcome another one. */
static void an_outcome_belongs_to_its_call(void **state)
{
    struct steps s = {0};

    (void)state;
    assert_string_equal(divide(&s, RANK(R(ANY, 0), FOUND(1, 0), S(1, 0)), 1), "abc");
    assert_true(s.step[0].waits);
    assert_true(s.step[1].is_rest);
    assert_string_equal(divide(&s, RANK(R(ANY, 0), FOUND(1, 0), S(1, 0), R(ANY, 0)), 1), "dc");
    assert_int_equal(s.num_open, 1);
    assert_string_equal(divide(&s, RANK(FOUND(2, 0), S(2, 0)), ROOM), "ef");
    assert_string_equal(divide(&s, RANK(R(ANY, 0), FOUND(1, 0), R(ANY, 0), FOUND(2, 0)), ROOM),
                        "de");
    assert_int_equal(s.step[3].length, 2);
    ork_steps_release(&s);
}

/* Of a call that waits for its outcome: another one follows. */
static void a_call_may_have_no_outcome(void **state)
{
    struct steps s = {0};

    (void)state;
    divide(&s, RANK(WANY(1, 2), COMPLETED(0, NOT_SEEN)), 1);
    assert_string_equal(divide(&s, RANK(WANY(1, 2), S(1, 0), S(1, 0)), ROOM), "acc");
    ork_steps_release(&s);
}

static void what_was_cut_off_is_no_step(void **state)
{
    struct steps s = {0};

    (void)state;
    assert_string_equal(divide(&s, RANK(R(ANY, 0), FOUND(1, 0), S(1, 0), R(ANY, 0)), 1), "abc");
    ork_steps_cut(&s);
    assert_string_equal(divide(&s, RANK(FOUND(1, 0), S(1, 0)), 1), "bc");
    assert_false(s.step[2].waits);
    ork_steps_release(&s);
}

static void different_steps_are_limited(void **state)
{
    struct steps s = {0};
    uint32_t number;

    (void)state;
    for (uint32_t i = 0; i < STEPS_MAX; i++) {
        const struct ork_record record = {.kind = ORK_KIND_SEND, .site = i};
        assert_int_equal(ork_steps_take(&s, &record, 1, &number), 1);
        assert_int_equal(number, i);
    }
    const struct ork_record one_more = {.kind = ORK_KIND_SEND, .site = STEPS_MAX};
    assert_int_equal(ork_steps_take(&s, &one_more, 1, &number), 1);
    assert_int_equal(number, STEP_NONE);
    assert_true(s.has_failed);
    assert_int_equal(s.num_open, 1); /* it is not lost */
    ork_steps_release(&s);
}

static void a_list_that_is_not_whole_is_seen(void **state)
{
    struct steps s = {0};
    struct ork_record record[2];
    uint32_t number;

    (void)state;
    script_records(&RANK(W(1, 2))[0], record);
    record[1] = record[0];
    assert_int_equal(ork_steps_take(&s, record, 2, &number), 1);
    assert_true(s.has_failed);
    ork_steps_release(&s);
}

int test_steps(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_calls_are_one_step),
        cmocka_unit_test(a_list_belongs_to_its_call),
        cmocka_unit_test(an_outcome_belongs_to_its_call),
        cmocka_unit_test(a_call_may_have_no_outcome),
        cmocka_unit_test(what_was_cut_off_is_no_step),
        cmocka_unit_test(different_steps_are_limited),
        cmocka_unit_test(a_list_that_is_not_whole_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

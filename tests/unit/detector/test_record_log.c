/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/detector/unit.h"

#include "detector/state/state.h"

#include <stdlib.h>

static int set_up(void **state)
{
    return ork_detector_create(1, (struct ork_detector **)state) != ORK_OK;
}

static int tear_down(void **state)
{
    ork_detector_destroy(*state);
    return 0;
}

static struct ork_record send_at(uint32_t site, int32_t tag)
{
    return (struct ork_record){.kind = ORK_KIND_SEND, .site = site, .tag = tag};
}

/* `n` records of a loop over `different` ones, from which it jumps to any of them now and then. */
static void write(struct ork_detector *d, struct record_log *y, uint32_t n, uint32_t different,
                  uint32_t seed)
{
    uint32_t site = 0;

    srand(seed);
    for (uint32_t i = 0; i < n; i++) {
        site = rand() % 8 != 0 ? (site + 1) % different : (uint32_t)rand() % different;
        const struct ork_record rec = send_at(site, (int32_t)(site % 3));
        assert_true(ork_record_log_add(d, y, &rec));
    }
}

static void expect(const struct record_log *y, uint32_t n, uint32_t different, uint32_t seed)
{
    uint32_t site = 0;

    srand(seed);
    assert_int_equal(y->count, n);
    for (uint32_t i = 0; i < n; i++) {
        site = rand() % 8 != 0 ? (site + 1) % different : (uint32_t)rand() % different;
        const struct ork_record rec = send_at(site, (int32_t)(site % 3));
        assert_memory_equal(record_log_at(y, i), &rec, sizeof(rec));
    }
    assert_null(record_log_at(y, n));
}

static void what_was_added_is_there_in_order(void **state)
{
    static const uint32_t different[] = {1, 2, 7, 100, 5000, 1 << 20};
    struct ork_detector *d = *state;

    for (uint32_t i = 0; i < sizeof(different) / sizeof(different[0]); i++) {
        struct record_log y = {0};
        assert_null(record_log_at(&y, 0));
        write(d, &y, 20000, different[i], i + 1);
        expect(&y, 20000, different[i], i + 1);
        ork_record_log_release(&y);
    }
}

static void a_loop_is_stored_once(void **state)
{
    enum { BODY = 40, LAPS = 1000 };
    struct ork_detector *d = *state;
    struct record_log y = {0};

    for (uint32_t i = 0; i < BODY * LAPS; i++) {
        const struct ork_record rec = send_at(i % BODY + 1, 0);
        assert_true(ork_record_log_add(d, &y, &rec));
    }
    assert_int_equal(y.num_entries, BODY);
    assert_int_equal(record_log_at(&y, BODY * LAPS - 1)->site, BODY);
    ork_record_log_release(&y);
}

/* Records that differ in one bit, whichever it is, are different. */
static void every_bit_counts(void **state)
{
    struct ork_detector *d = *state;
    struct record_log y = {0};

    for (unsigned bit = 0; bit < 8 * sizeof(struct ork_record); bit++) {
        unsigned char byte[sizeof(struct ork_record)] = {0};
        struct ork_record rec;
        byte[bit / 8] = (unsigned char)(1u << bit % 8);
        memcpy(&rec, byte, sizeof(rec));
        assert_true(ork_record_log_add(d, &y, &rec));
        assert_memory_equal(record_log_at(&y, bit), byte, sizeof(byte));
        assert_int_equal(y.num_entries, bit + 1);
    }
    ork_record_log_release(&y);
}

static void one_that_is_begun_anew_knows_nothing_of_before(void **state)
{
    static const uint32_t different[] = {3, 100, 5000, 20, 1 << 20, 2};
    struct ork_detector *d = *state;
    struct record_log y = {0};

    for (uint32_t i = 0; i < sizeof(different) / sizeof(different[0]); i++) {
        ork_record_log_clear(&y);
        assert_null(record_log_at(&y, 0));
        write(d, &y, 3000 * i, different[i], i + 1);
        expect(&y, 3000 * i, different[i], i + 1);
    }
    ork_record_log_release(&y);
}

static void what_was_cut_off_is_not_new(void **state)
{
    enum { BODY = 7, LAPS = 20 };
    struct ork_detector *d = *state;
    struct record_log y = {0};

    for (uint32_t i = 0; i < BODY * LAPS; i++) {
        const struct ork_record rec = send_at(i % BODY + 1, 0);
        assert_true(ork_record_log_add(d, &y, &rec));
    }
    assert_int_equal(y.news, BODY + 1); /* each, and the first again after the last */
    assert_true(ork_record_log_cut(d, &y, BODY * (LAPS - 1)));
    assert_int_equal(y.count, BODY);
    for (uint32_t i = 0; i < BODY; i++)
        assert_int_equal(record_log_at(&y, i)->site, i + 1);
    const struct ork_record first = send_at(1, 0), third = send_at(3, 0);
    assert_true(ork_record_log_add(d, &y, &first));
    assert_int_equal(y.news, BODY + 1);
    assert_true(ork_record_log_add(d, &y, &third)); /* not in this order */
    assert_int_equal(y.news, BODY + 2);
    ork_record_log_release(&y);
}

static void many_entries_that_are_not_used_are_given_up(void **state)
{
    enum { DIFFERENT = 1 << 14, LEFT = 100 };
    struct ork_detector *d = *state;
    struct record_log y = {0};

    for (uint32_t i = 0; i < DIFFERENT; i++) {
        const struct ork_record rec = send_at(i, 0);
        assert_true(ork_record_log_add(d, &y, &rec));
    }
    assert_true(ork_record_log_cut(d, &y, DIFFERENT - LEFT));
    assert_int_equal(y.num_entries, LEFT);
    assert_int_equal(y.count, LEFT);
    for (uint32_t i = 0; i < LEFT; i++)
        assert_int_equal(record_log_at(&y, i)->site, DIFFERENT - LEFT + i);
    assert_int_equal(y.news, DIFFERENT);
    ork_record_log_release(&y);
}

int test_record_log(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_added_is_there_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_loop_is_stored_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_bit_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_is_begun_anew_knows_nothing_of_before, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_was_cut_off_is_not_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_entries_that_are_not_used_are_given_up, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/handles.h"

#include "interceptor/ring/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct ork_recorder ork_recorder;

/* The tables are global: each test uses values of its own. */
enum { NULL_COMM = 7, MANY = 5000 };
static const int variable, other;

static struct ork_handle_place at(uint32_t site)
{
    return (struct ork_handle_place){.site = site, .call = (uint16_t)(site + 1)};
}

static void release(enum ork_handle_kind kind, uint64_t value, const void *address, uint32_t site)
{
    ork_handle_forget(kind, ork_handle_find(kind, value, address), at(site));
}

static void assert_state(enum ork_handle_kind kind, uint64_t value, enum ork_handle_state state,
                         uint32_t site)
{
    struct ork_handle_place place = {.site = 0};

    assert_int_equal(ork_handle_look(kind, value, &place), state);
    assert_int_equal(place.site, site);
    assert_int_equal(place.call, site != 0 ? site + 1 : 0);
    assert_int_equal(ork_handle_is_valid(kind, value), state == ORK_HANDLE_VALID);
    assert_int_equal(ork_handle_is_valid(kind, value), state == ORK_HANDLE_VALID);
}

/* How many live references were made at a site. */
struct count {
    uint32_t site;
    unsigned references;
};

static void count(void *context, enum ork_handle_kind kind, uint64_t value,
                  struct ork_handle_place place)
{
    struct count *c = context;

    struct ork_handle_place newest;

    assert_int_equal(ork_handle_look(kind, value, &newest), ORK_HANDLE_VALID);
    c->references += place.site == c->site;
}

static unsigned references_made_at(uint32_t site)
{
    struct count c = {.site = site};

    ork_handles_visit(count, &c);
    return c.references;
}

static void a_handle_is_valid_until_it_is_freed(void **state)
{
    (void)state;
    assert_state(ORK_HANDLE_COMM, 100, ORK_HANDLE_UNKNOWN, 0);
    ork_handle_enter(ORK_HANDLE_COMM, 100, &variable, at(1));
    assert_state(ORK_HANDLE_COMM, 100, ORK_HANDLE_VALID, 1);
    assert_state(ORK_HANDLE_GROUP, 100, ORK_HANDLE_UNKNOWN, 0);
    assert_int_equal(references_made_at(1), 1);
    release(ORK_HANDLE_COMM, 100, &variable, 2);
    assert_state(ORK_HANDLE_COMM, 100, ORK_HANDLE_FREED, 2);
    assert_int_equal(references_made_at(1), 0);
}

static void a_value_that_is_used_again_is_valid(void **state)
{
    (void)state;
    ork_handle_enter(ORK_HANDLE_INFO, 1, &variable, at(3));
    release(ORK_HANDLE_INFO, 1, &variable, 4);
    ork_handle_enter(ORK_HANDLE_INFO, 1, &variable, at(5));
    assert_state(ORK_HANDLE_INFO, 1, ORK_HANDLE_VALID, 5);
    assert_int_equal(references_made_at(3), 0);
    assert_int_equal(references_made_at(5), 1);
}

static void null_and_predefined_handles_are_never_entered(void **state)
{
    (void)state;
    ork_handle_set_null(ORK_HANDLE_COMM, NULL_COMM);
    ork_handle_enter(ORK_HANDLE_COMM, NULL_COMM, &variable, at(6));
    assert_state(ORK_HANDLE_COMM, NULL_COMM, ORK_HANDLE_NULL, 0);
    ork_handle_predefine(ORK_HANDLE_COMM, 8);
    ork_handle_enter(ORK_HANDLE_COMM, 8, &variable, at(6));
    assert_state(ORK_HANDLE_COMM, 8, ORK_HANDLE_VALID, 0);
    release(ORK_HANDLE_COMM, 8, &variable, 7);
    assert_state(ORK_HANDLE_COMM, 8, ORK_HANDLE_VALID, 0);
    assert_int_equal(references_made_at(6), 0);
}

static void a_keyval_may_be_zero(void **state)
{
    (void)state;
    ork_handle_set_null(ORK_HANDLE_KEYVAL, (uint64_t)-1);
    ork_handle_enter(ORK_HANDLE_KEYVAL, 0, &variable, at(8));
    assert_state(ORK_HANDLE_KEYVAL, 0, ORK_HANDLE_VALID, 8);
    release(ORK_HANDLE_KEYVAL, 0, &variable, 9);
    assert_state(ORK_HANDLE_KEYVAL, 0, ORK_HANDLE_FREED, 9);
}

static void each_reference_is_freed(void **state)
{
    (void)state;
    ork_handle_enter(ORK_HANDLE_GROUP, 50, &variable, at(10));
    ork_handle_enter(ORK_HANDLE_GROUP, 50, &other, at(11));
    ork_handle_enter(ORK_HANDLE_GROUP, 50, &other, at(12));
    release(ORK_HANDLE_GROUP, 50, &variable, 20);
    assert_int_equal(references_made_at(10), 0);
    release(ORK_HANDLE_GROUP, 50, &state, 21); /* a variable that is not known: the newest */
    assert_int_equal(references_made_at(12), 0);
    assert_state(ORK_HANDLE_GROUP, 50, ORK_HANDLE_VALID, 11);
    release(ORK_HANDLE_GROUP, 50, &other, 22);
    assert_state(ORK_HANDLE_GROUP, 50, ORK_HANDLE_FREED, 22);
    release(ORK_HANDLE_GROUP, 50, &other, 23); /* once too often: the first free counts */
    assert_state(ORK_HANDLE_GROUP, 50, ORK_HANDLE_FREED, 22);
}

/* Another thread got the value for a new handle while the call that freed the old one returned. */
static void only_the_reference_that_was_found_is_forgotten(void **state)
{
    struct ork_handle_reference old;

    (void)state;
    ork_handle_enter(ORK_HANDLE_WIN, 60, &variable, at(30));
    old = ork_handle_find(ORK_HANDLE_WIN, 60, &variable);
    ork_handle_enter(ORK_HANDLE_WIN, 60, &variable, at(31));
    ork_handle_forget(ORK_HANDLE_WIN, old, at(32));
    assert_state(ORK_HANDLE_WIN, 60, ORK_HANDLE_VALID, 31);
    ork_handle_forget(ORK_HANDLE_WIN, old, at(33));
    assert_state(ORK_HANDLE_WIN, 60, ORK_HANDLE_VALID, 31);
}

static void the_oldest_freed_handles_are_forgotten(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < MANY; i++) {
        ork_handle_enter(ORK_HANDLE_OP, 1000 + i * 16, &variable, at(40));
        release(ORK_HANDLE_OP, 1000 + i * 16, &variable, 41);
    }
    assert_state(ORK_HANDLE_OP, 1000, ORK_HANDLE_UNKNOWN, 0);
    assert_state(ORK_HANDLE_OP, 1000 + (MANY - 1) * 16, ORK_HANDLE_FREED, 41);
    for (unsigned i = 0; i < MANY; i++) { /* one value again and again */
        ork_handle_enter(ORK_HANDLE_OP, 999, &variable, at(42));
        assert_state(ORK_HANDLE_OP, 999, ORK_HANDLE_VALID, 42);
        release(ORK_HANDLE_OP, 999, &variable, 43);
        assert_state(ORK_HANDLE_OP, 999, ORK_HANDLE_FREED, 43);
    }
    assert_int_equal(references_made_at(40) + references_made_at(42), 0);
}

static void many_references_are_counted(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < MANY; i++)
        ork_handle_enter(ORK_HANDLE_DATATYPE, 1 + i % 100 * 64, &variable, at(50));
    assert_int_equal(references_made_at(50), MANY);
    for (uint64_t i = 0; i < MANY; i++)
        release(ORK_HANDLE_DATATYPE, 1 + i % 100 * 64, &variable, 51);
    assert_int_equal(references_made_at(50), 0);
}

static void nothing_is_known_to_be_freed_if_calls_were_missed(void **state)
{
    (void)state;
    ork_handle_enter(ORK_HANDLE_FILE, 70, &variable, at(60));
    ork_handle_enter(ORK_HANDLE_FILE, 71, &variable, at(60));
    release(ORK_HANDLE_FILE, 70, &variable, 61);
    assert_true(ork_handles_are_complete());
    ork_handles_set_incomplete();
    assert_false(ork_handles_are_complete());
    assert_state(ORK_HANDLE_FILE, 70, ORK_HANDLE_UNKNOWN, 0);
    assert_state(ORK_HANDLE_FILE, 71, ORK_HANDLE_VALID, 60);
}

int test_handles(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_is_valid_until_it_is_freed),
        cmocka_unit_test(a_value_that_is_used_again_is_valid),
        cmocka_unit_test(null_and_predefined_handles_are_never_entered),
        cmocka_unit_test(a_keyval_may_be_zero),
        cmocka_unit_test(each_reference_is_freed),
        cmocka_unit_test(only_the_reference_that_was_found_is_forgotten),
        cmocka_unit_test(the_oldest_freed_handles_are_forgotten),
        cmocka_unit_test(many_references_are_counted),
        cmocka_unit_test(nothing_is_known_to_be_freed_if_calls_were_missed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

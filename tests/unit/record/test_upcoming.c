/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/upcoming.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { COMM = 3, ANY = -1 };

static uint32_t serial_of(void *context, uint32_t id)
{
    (void)context;
    return id + 100;
}

static void read(struct ork_upcoming *u, enum ork_decided decided, uint32_t number, int32_t source,
                 int32_t tag)
{
    const struct ork_decision d = {
        .decided = decided, .number = number, .source = source, .tag = tag};

    ork_upcoming_read(u, &d, serial_of, NULL);
}

/* Messages of ranks 1, 2 and 1 with tags 5, 6 and 7; between them that of request 8; request 9
 * takes a later one. */
static void begin(struct ork_upcoming *u)
{
    *u = (struct ork_upcoming){.is_on = false};
    read(u, ORK_DECIDED_UPCOMING, COMM, 0, 0);
    read(u, ORK_DECIDED_UPCOMING_MESSAGE, 0, 1, 5);
    read(u, ORK_DECIDED_UPCOMING_MESSAGE, 0, 2, 6);
    read(u, ORK_DECIDED_UPCOMING_TAKEN, 8, 0, 0);
    read(u, ORK_DECIDED_UPCOMING_MESSAGE, 0, 1, 7);
    read(u, ORK_DECIDED_UPCOMING_LATER, 9, 0, 0);
    assert_false(u->is_on);
    read(u, ORK_DECIDED_UPCOMING_END, 6, 0, 0);
    assert_true(u->is_on);
}

static void the_first_message_that_fits_is_taken(void **state)
{
    struct ork_upcoming u;

    (void)state;
    begin(&u);
    assert_int_equal(ork_upcoming_find(&u, COMM, 1, 7), 3);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, 6), 1);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, ANY), 0);
    ork_upcoming_take(&u, 0);
    assert_int_equal(ork_upcoming_find(&u, COMM, 1, ANY), 3);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, ANY), 1);
    ork_upcoming_take(&u, 1);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, ANY), 3); /* 2 belongs to a request */
    ork_upcoming_take(&u, 3);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, ANY), ORK_UPCOMING_LATER);
}

static void what_does_not_fit_or_is_elsewhere_is_later(void **state)
{
    struct ork_upcoming u;

    (void)state;
    begin(&u);
    assert_int_equal(ork_upcoming_find(&u, COMM, 3, ANY), ORK_UPCOMING_LATER);
    assert_int_equal(ork_upcoming_find(&u, COMM, 2, 5), ORK_UPCOMING_LATER);
    assert_int_equal(ork_upcoming_find(&u, COMM + 1, ANY, ANY), ORK_UPCOMING_LATER);
    ork_upcoming_take(&u, ORK_UPCOMING_LATER);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, ANY), 0);
    ork_upcoming_drop(&u);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, ANY), ORK_UPCOMING_LATER);
}

static void a_request_is_known_by_its_number_and_serial(void **state)
{
    struct ork_upcoming u;
    uint32_t place = 77;

    (void)state;
    begin(&u);
    assert_true(ork_upcoming_place_of(&u, 8, 108, &place));
    assert_int_equal(place, 2);
    assert_true(ork_upcoming_place_of(&u, 9, 109, &place));
    assert_int_equal(place, ORK_UPCOMING_LATER);
    assert_false(ork_upcoming_place_of(&u, 8, 208, &place));
    assert_false(ork_upcoming_place_of(&u, 7, 107, &place));
    ork_upcoming_take(&u, 0);
    ork_upcoming_post(&u, 8, 208, 0);
    assert_true(ork_upcoming_place_of(&u, 8, 208, &place));
    assert_int_equal(place, 0);
    assert_false(ork_upcoming_place_of(&u, 8, 108, &place));
}

static void what_may_be_cancelled_is_forgotten(void **state)
{
    struct ork_upcoming u;
    uint32_t place = 77;

    (void)state;
    begin(&u);
    ork_upcoming_forget(&u, 7); /* it is not there */
    ork_upcoming_forget(&u, 8);
    assert_false(ork_upcoming_place_of(&u, 8, 108, &place));
    assert_true(ork_upcoming_place_of(&u, 9, 109, &place));
    ork_upcoming_take(&u, 0);
    ork_upcoming_take(&u, 1);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, ANY), 3); /* its message is not free */
}

static void a_list_with_more_requests_than_fit_is_dropped(void **state)
{
    struct ork_upcoming u;
    uint32_t place;

    (void)state;
    begin(&u);
    for (uint32_t id = 10; u.requests < ORK_UPCOMING_REQUESTS; id++)
        ork_upcoming_post(&u, id, 0, ORK_UPCOMING_LATER);
    assert_true(u.is_on);
    ork_upcoming_post(&u, 1000, 0, ORK_UPCOMING_LATER);
    assert_false(u.is_on);
    assert_false(ork_upcoming_place_of(&u, 8, 108, &place));
}

static void a_list_that_is_not_complete_does_not_count(void **state)
{
    struct ork_upcoming u;

    (void)state;
    begin(&u);
    read(&u, ORK_DECIDED_UPCOMING, COMM, 0, 0);
    assert_int_equal(ork_upcoming_find(&u, COMM, ANY, ANY), ORK_UPCOMING_LATER);
    for (unsigned i = 0; i <= ORK_UPCOMING_MAX; i++)
        read(&u, ORK_DECIDED_UPCOMING_MESSAGE, 0, 1, 1);
    read(&u, ORK_DECIDED_UPCOMING_END, ORK_UPCOMING_MAX + 1, 0, 0);
    assert_false(u.is_on);
}

int test_upcoming(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_message_that_fits_is_taken),
        cmocka_unit_test(what_does_not_fit_or_is_elsewhere_is_later),
        cmocka_unit_test(a_request_is_known_by_its_number_and_serial),
        cmocka_unit_test(what_may_be_cancelled_is_forgotten),
        cmocka_unit_test(a_list_with_more_requests_than_fit_is_dropped),
        cmocka_unit_test(a_list_that_is_not_complete_does_not_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

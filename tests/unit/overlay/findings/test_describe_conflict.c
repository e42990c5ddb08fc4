/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/datatype/basic.h"
#include "overlay/findings/describe_conflict.h"

#include "record/calls.h"
#include "tests/unit/overlay/stage/unit.h"

enum { RANKS = 40 };

static const struct ork_conflict stencil = {
    .first = {.rank = 1,
              .call = ORK_CALL_MPI_Get,
              .touch = ORK_TOUCH_GET,
              .epoch = ORK_IN_FENCE,
              .is_over = true,
              .low = 96,
              .high = 112},
    .second = {.rank = 2,
               .call = ORK_CALL_MPI_Put,
               .touch = ORK_TOUCH_PUT,
               .epoch = ORK_IN_FENCE,
               .is_over = true,
               .low = 80,
               .high = 160},
    .kind = ORK_CONFLICT_UNORDERED,
    .times = 1,
};

static struct ork_finding describe(const struct ork_conflict *const *conflict, uint32_t n)
{
    struct ork_call_sites *sites;
    struct ork_finding f;

    assert_int_equal(ork_call_sites_create(RANKS, &sites), ORK_OK);
    assert_int_equal(ork_describe_conflict(sites, conflict, n, &f), ORK_OK);
    ork_call_sites_destroy(sites);
    return f;
}

static void assert_says(const struct ork_conflict *c, const char *message, unsigned detail,
                        const char *text)
{
    struct ork_finding f = describe(&c, 1);

    assert_string_equal(f.message, message);
    assert_true(f.num_details > detail);
    assert_string_equal(f.detail[detail], text);
    ork_finding_release(&f);
}

static void a_conflict_has_both_accesses_and_what_would_order_them(void **state)
{
    const struct ork_conflict *c = &stencil;
    struct ork_finding f = describe(&c, 1);

    (void)state;
    assert_string_equal(f.id, "rma-conflict");
    assert_int_equal(f.severity, ORK_ERROR);
    assert_string_equal(f.message, "rank 1 got bytes 96-111 of the window of rank 0 while rank 2 "
                                   "put bytes 80-159 of it: nothing orders them");
    assert_string_equal(f.summary, "Rank 1 got bytes 96-111 of the window of rank 0 while rank 2 "
                                   "put bytes 80-159 of it: nothing orders them");
    assert_int_equal(f.num_details, 2);
    assert_string_equal(f.detail[0], "Both ranks are in an epoch of MPI_Win_fence.");
    assert_string_equal(f.detail[1], "An MPI_Win_fence between them would order them.");
    assert_int_equal(f.ranks.count, 2);
    assert_int_equal(f.num_waits, 2);
    assert_string_equal(f.waits[1].call, "MPI_Put");
    assert_int_equal(f.num_accesses, 2);
    assert_int_equal(f.access[0].rank, 1);
    assert_int_equal(f.access[0].target, 0);
    assert_true(f.access[0].low == 96 && f.access[0].high == 112);
    assert_string_equal(f.access[1].call, "MPI_Put");
    assert_string_equal(f.access[1].epoch, "an epoch of MPI_Win_fence");
    ork_finding_release(&f);
}

static void accesses_of_one_rank_are_not_complete(void **state)
{
    struct ork_conflict c = stencil;

    (void)state;
    c.second.rank = 1;
    c.first.epoch = c.second.epoch = ORK_IN_LOCK_ALL;
    assert_says(&c,
                "rank 1 got bytes 96-111 of the window of rank 0 and put bytes 80-159 of it before "
                "the first access was complete",
                1,
                "The second access may come only after the call that completes the first one: "
                "MPI_Win_flush or the unlock.");
}

static void operations_are_named(void **state)
{
    struct ork_conflict c = stencil;

    (void)state;
    c.first.touch = c.second.touch = ORK_TOUCH_ACCUMULATE;
    c.first.op = 1;
    c.second.op = 2;
    assert_says(&c,
                "rank 1 accumulated into bytes 96-111 of the window of rank 0 while rank 2 "
                "accumulated into bytes 80-159 of it: nothing orders them",
                1,
                "Accumulates to the same bytes are allowed only with the same operation or "
                "MPI_NO_OP (MPI-3.1 section 11.7.1); here they are MPI_SUM and MPI_MAX.");
    c.second.op = 1;
    assert_says(&c,
                "rank 1 accumulated into bytes 96-111 of the window of rank 0 while rank 2 "
                "accumulated into bytes 80-159 of it: nothing orders them",
                1,
                "Accumulates to the same bytes are atomic only in one window and with the same "
                "basic datatype (MPI-3.1 section 11.7.1).");
}

static uint32_t int_type(enum ork_basic basic)
{
    return (uint32_t)ORK_BASIC_IS_SIGNED << 16 | (uint32_t)basic << 8 | 4;
}

static void assert_detail(const struct ork_conflict *c, enum ork_severity severity,
                          const char *text)
{
    struct ork_finding f = describe(&c, 1);

    assert_int_equal(f.severity, severity);
    assert_string_equal(f.detail[1], text);
    ork_finding_release(&f);
}

static void datatypes_of_accumulates_are_named(void **state)
{
    struct ork_conflict c = stencil;

    (void)state;
    c.first.touch = c.second.touch = ORK_TOUCH_ACCUMULATE;
    c.first.op = c.second.op = 1;
    c.first.type = int_type(ORK_BASIC_MPI_INT);
    c.second.type = int_type(ORK_BASIC_MPI_INT32_T);
    c.kind = ORK_CONFLICT_BY_NAME;
    assert_detail(&c, ORK_WARNING,
                  "Accumulates to the same bytes are atomic only with the same basic datatype "
                  "(MPI-3.1 section 11.7.1); here they are MPI_INT and MPI_INT32_T, whose values "
                  "this library represents in the same way.");
    c.second.type = (uint32_t)ORK_BASIC_MPI_DOUBLE << 8 | 8;
    c.second.rank = 1;
    c.kind = ORK_CONFLICT_UNORDERED;
    assert_detail(&c, ORK_ERROR,
                  "Accumulates of one rank to the same bytes are ordered only with the same basic "
                  "datatype (MPI-3.1 section 11.7.2); here they are MPI_INT and MPI_DOUBLE.");
    c.second.type = c.first.type;
    c.second.rank = 2;
    c.second.low = 78;
    assert_detail(&c, ORK_ERROR,
                  "Accumulates to the same bytes are atomic only in one window and with the same "
                  "basic datatype (MPI-3.1 section 11.7.1); here an element of one overlaps two of "
                  "the other.");
}

static void a_buffer_is_named_by_its_call(void **state)
{
    struct ork_conflict c = stencil;

    (void)state;
    c.first.touch = ORK_TOUCH_WRITE;
    c.first.low = 0x7f00;
    c.first.high = 0x7f01;
    c.first.is_address = true;
    c.second.low = 159;
    assert_says(&c,
                "rank 1 wrote bytes 0x7f00-0x7f00 of the window of rank 0 as a buffer of MPI_Get "
                "while rank 2 put byte 159 of it: nothing orders them",
                0, "Both ranks are in an epoch of MPI_Win_fence.");
}

static void locks_do_not_order(void **state)
{
    struct ork_conflict c = stencil;

    (void)state;
    c.first.epoch = ORK_IN_LOCK;
    c.first.is_exclusive = true;
    c.second.epoch = ORK_IN_LOCK_ALL;
    assert_says(&c,
                "rank 1 got bytes 96-111 of the window of rank 0 while rank 2 put bytes 80-159 of "
                "it: nothing orders them",
                0,
                "Rank 1 is in an epoch of an exclusive MPI_Win_lock, rank 2 in an epoch of "
                "MPI_Win_lock_all.");
    assert_says(&c,
                "rank 1 got bytes 96-111 of the window of rank 0 while rank 2 put bytes 80-159 of "
                "it: nothing orders them",
                1,
                "Rank 1 completed its access, but no message or collective call tells rank 2: for "
                "example an MPI_Barrier after it would order them, and an exclusive lock would "
                "exclude one while the other is made.");
}

static void others_at_the_same_places_are_counted(void **state)
{
    struct ork_conflict other = stencil;
    const struct ork_conflict *const list[] = {&stencil, &other};

    (void)state;
    other.first.rank = 7;
    struct ork_finding f = describe(list, 2);
    assert_int_equal(f.num_details, 3);
    assert_string_equal(f.detail[2],
                        "The same calls conflict at 1 other pair of ranks or targets.");
    assert_int_equal(f.ranks.count, 3);
    ork_finding_release(&f);
}

static void an_access_outside_names_bytes_and_size(void **state)
{
    struct ork_outside o = {.access = stencil.second, .target = 3, .size = 128, .times = 2};
    const struct ork_outside *list = &o;
    struct ork_call_sites *sites;
    struct ork_finding f;

    (void)state;
    assert_int_equal(ork_call_sites_create(RANKS, &sites), ORK_OK);
    assert_int_equal(ork_describe_outside(sites, &list, 1, &f), ORK_OK);
    assert_string_equal(f.id, "window-bounds");
    assert_int_equal(f.severity, ORK_ERROR);
    assert_string_equal(f.message, "MPI_Put of rank 2 accesses bytes 80-159 of the window of rank "
                                   "3, which has 128 bytes");
    assert_int_equal(f.num_accesses, 1);
    assert_int_equal(f.access[0].target, 3);
    assert_int_equal(f.window_size, 128);
    ork_finding_release(&f);
    o.is_failed = true;
    assert_int_equal(ork_describe_outside(sites, &list, 1, &f), ORK_OK);
    assert_int_equal(f.severity, ORK_WARNING);
    assert_string_equal(f.detail[1], "The call failed; the error was returned to the application.");
    ork_finding_release(&f);
    ork_call_sites_destroy(sites);
}

static void a_load_or_store_is_named_by_its_place(void **state)
{
    struct ork_conflict c = stencil;
    const struct ork_conflict *list = &c;
    struct ork_finding f;

    (void)state;
    c.first = (struct ork_touched){
        .rank = 0, .touch = ORK_TOUCH_STORE, .epoch = ORK_IN_NONE, .low = 96, .high = 104};
    assert_says(&c,
                "rank 0 stored to bytes 96-103 of the window of rank 0 while rank 2 put bytes "
                "80-159 of it: nothing orders them",
                0, "Rank 2 is in an epoch of MPI_Win_fence.");
    f = describe(&list, 1);
    assert_int_equal(f.severity, ORK_ERROR);
    assert_string_equal(f.waits[0].call, "store");
    assert_string_equal(f.detail[1], "An MPI_Win_fence between them would order them.");
    ork_finding_release(&f);
    c.first.touch = ORK_TOUCH_LOAD;
    c.first.is_read = true;
    f = describe(&list, 1);
    assert_int_equal(f.severity, ORK_WARNING);
    assert_string_equal(f.waits[0].call, "load");
    assert_string_equal(f.detail[1], "Both accesses are allowed, but the value that is read "
                                     "depends on timing (MPI-3.1 section 11.7).");
    ork_finding_release(&f);
}

static void what_lacks_only_a_call_that_synchronises_is_in_order(void **state)
{
    struct ork_conflict c = stencil;
    const struct ork_conflict *list = &c;

    (void)state;
    c.first = (struct ork_touched){
        .rank = 0, .touch = ORK_TOUCH_LOAD, .epoch = ORK_IN_NONE, .low = 96, .high = 104};
    c.first.is_read = true;
    c.kind = ORK_CONFLICT_UNSYNCED;
    c.is_second_earlier = c.is_portable = true;
    struct ork_finding f = describe(&list, 1);
    assert_string_equal(f.id, "window-sync");
    assert_int_equal(f.severity, ORK_WARNING);
    assert_string_equal(f.message, "rank 2 put bytes 80-159 of the window of rank 0, and later "
                                   "rank 0 loaded bytes 96-103 of it, but rank 0 did not "
                                   "synchronise its memory in between");
    ork_finding_release(&f);
    c.kind = ORK_CONFLICT_SEPARATE;
    c.has_flags = true;
    f = describe(&list, 1);
    assert_string_equal(f.id, "rma-conflict");
    assert_string_equal(f.message, "rank 0 loaded bytes 96-103 of the window of rank 0 while rank "
                                   "2 put bytes 80-159 of it: only data may order them");
    ork_finding_release(&f);
}

int test_describe_conflict(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conflict_has_both_accesses_and_what_would_order_them),
        cmocka_unit_test(accesses_of_one_rank_are_not_complete),
        cmocka_unit_test(operations_are_named),
        cmocka_unit_test(datatypes_of_accumulates_are_named),
        cmocka_unit_test(a_buffer_is_named_by_its_call),
        cmocka_unit_test(locks_do_not_order),
        cmocka_unit_test(others_at_the_same_places_are_counted),
        cmocka_unit_test(a_load_or_store_is_named_by_its_place),
        cmocka_unit_test(what_lacks_only_a_call_that_synchronises_is_in_order),
        cmocka_unit_test(an_access_outside_names_bytes_and_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

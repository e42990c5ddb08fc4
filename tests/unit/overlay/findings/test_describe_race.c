/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/describe_race.h"

#include "record/calls.h"
#include "tests/unit/overlay/stage/unit.h"

enum { RANKS = 40 };

static const struct ork_race farm = {
    .rank = 0,
    .call = ORK_CALL_MPI_Recv,
    .times = 1200,
    .raced = 1199,
    .source = {1, 2, 3},
    .sources = 3,
    .took = {.sender = 1, .call = ORK_CALL_MPI_Send, .source = 1, .tag = 5},
    .other = {.sender = 2, .call = ORK_CALL_MPI_Isend, .source = 2, .tag = 6},
};

static struct ork_finding describe(const struct ork_race *const *race, uint32_t n)
{
    struct ork_call_sites *sites;
    struct ork_finding f;

    assert_int_equal(ork_call_sites_create(RANKS, &sites), ORK_OK);
    assert_int_equal(ork_describe_race(sites, race, n, &f), ORK_OK);
    ork_call_sites_destroy(sites);
    return f;
}

static void assert_message(const struct ork_race *race, const char *message)
{
    struct ork_finding f = describe(&race, 1);

    assert_string_equal(f.message, message);
    ork_finding_release(&f);
}

static void a_race_has_an_example_and_a_reason(void **state)
{
    const struct ork_race *race = &farm;
    struct ork_finding f = describe(&race, 1);

    (void)state;
    assert_string_equal(f.id, "message-race");
    assert_int_equal(f.class_, ORK_CLASS_NONE);
    assert_int_equal(f.severity, ORK_NOTE);
    assert_string_equal(f.message, "the MPI_Recv of rank 0 could have taken another message 1,199 "
                                   "of 1,200 times, from ranks 1-3");
    assert_string_equal(f.summary, "The MPI_Recv of rank 0 could have taken another message 1,199 "
                                   "of 1,200 times, from ranks 1-3");
    assert_int_equal(f.num_details, 3);
    assert_string_equal(f.detail[0],
                        "For example, rank 0 took the message of rank 1 with tag 5 (MPI_Send), and "
                        "could have taken the message of rank 2 with tag 6 (MPI_Isend).");
    assert_string_equal(f.detail[1],
                        "Before rank 2 sent that other message, it waited for nothing that depends "
                        "on this receive, so either of the two can be there first.");
    assert_string_equal(f.detail[2],
                        "With --must:explore, mustrun runs the program in its other "
                        "orders, too, and shows whether one of them ends in another way.");
    assert_int_equal(f.num_waits, 1);
    assert_string_equal(f.waits[0].call, "MPI_Recv");
    assert_string_equal(f.waits[0].state, "");
    ork_finding_release(&f);
}

static void once_is_not_counted(void **state)
{
    struct ork_race race = farm;

    (void)state;
    race.times = race.raced = race.sources = 1;
    assert_message(&race, "the MPI_Recv of rank 0 could have taken another message, from rank 1");
    race.times = 2;
    assert_message(&race,
                   "the MPI_Recv of rank 0 could have taken another message 1 of 2 times, from "
                   "rank 1");
}

static void a_probe_finds_messages(void **state)
{
    struct ork_race race = farm;
    const struct ork_race *list = &race;

    (void)state;
    race.call = ORK_CALL_MPI_Probe;
    race.is_probe = true;
    struct ork_finding f = describe(&list, 1);
    assert_string_equal(f.message, "the MPI_Probe of rank 0 could have found another message 1,199 "
                                   "of 1,200 times, from ranks 1-3");
    assert_string_equal(f.detail[0],
                        "For example, rank 0 found the message of rank 1 with tag 5 (MPI_Send), "
                        "and could have found the message of rank 2 with tag 6 (MPI_Isend).");
    assert_string_equal(f.detail[1],
                        "Before rank 2 sent that other message, it waited for nothing that depends "
                        "on this probe, so either of the two can be there first.");
    ork_finding_release(&f);
}

static void sources_that_were_not_stored_are_others(void **state)
{
    struct ork_race race = farm;

    (void)state;
    race.has_more_sources = true;
    assert_message(&race, "the MPI_Recv of rank 0 could have taken another message 1,199 of 1,200 "
                          "times, from ranks 1-3 and others");
}

/* The second one at rank 7 is of another call site at the same place. */
static void ranks_at_one_place_are_added_up(void **state)
{
    struct ork_race second = farm, third = farm;
    const struct ork_race *const list[] = {&farm, &second, &third};

    (void)state;
    second.rank = third.rank = 7;
    third.source[2] = 39;
    struct ork_finding f = describe(list, 3);
    assert_string_equal(f.message,
                        "the MPI_Recv of ranks 0 and 7 could have taken another message 3,597 of "
                        "3,600 times, from ranks 1-3 and 39");
    assert_int_equal(f.ranks.count, 2);
    assert_int_equal(f.num_waits, 2);
    assert_int_equal(f.waits[1].rank, 7);
    ork_finding_release(&f);
}

int test_describe_race(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_race_has_an_example_and_a_reason),
        cmocka_unit_test(once_is_not_counted),
        cmocka_unit_test(a_probe_finds_messages),
        cmocka_unit_test(sources_that_were_not_stored_are_others),
        cmocka_unit_test(ranks_at_one_place_are_added_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

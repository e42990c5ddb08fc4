/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that come later, what brings processes of several jobs together, and MPI_Finalize of all
 * that are connected. Two ranks are job 1, whose name is 7; two more are job 2, whose name is 8. */
#include "tests/unit/detector/unit.h"

#include "tests/unit/detector/script.h"

enum { PARENTS = 7, CHILDREN = 8, STRANGERS = 9 };
enum { OTHER = 2, AGAIN = 3, ALL = 4 }; /* numbers of communicators */

#define CALL_SPAWN    COLL_(COMM_SPAWN, 0, 0, .bytes = 0)
#define SPAWNED       CALL_SPAWN, MEET(OTHER, COMM_SPAWN, 1, 0, 1, 2, OF(CHILDREN), 0, 1, 2)
#define GOT_PARENTS   MEET(OTHER, COMM_SPAWN, 1, 0, 1, 2, OF(PARENTS), 0, 1, 2)
#define DISCONNECT(c) COLL_(COMM_DISCONNECT, c, ORK_NO_PEER, .bytes = 0)
#define MERGE(n, c)                                                                                \
    COLL_(INTERCOMM_MERGE, c, ORK_NO_PEER, .bytes = 0),                                            \
        DEFINE_(n, c, INTERCOMM_MERGE, OF(PARENTS), 0, 1, 2, OF(CHILDREN), 0, 1, 2)

static int create(void **state)
{
    struct ork_detector *d = script_create(2);

    assert_int_equal(ork_detector_add_job(d, 0, 2, PARENTS), ORK_OK);
    assert_int_equal(ork_detector_add_job(d, 2, 2, CHILDREN), ORK_OK);
    *state = d;
    return 0;
}

static int destroy(void **state)
{
    ork_detector_destroy(*state);
    return 0;
}

static void assert_deadlocked(struct ork_detector *d, const char *ranks, const char *roots)
{
    struct verdict v = script_verdict(d, ORK_PERMISSIVE);

    assert_string_equal(v.deadlocked, ranks);
    assert_string_equal(v.roots, roots);
}

static void children_have_a_world_of_their_own(void **state)
{
    struct ork_detector *d = *state;

    script_feed(d, 0, RANK(R(1, 0)));
    script_feed(d, 1, RANK(BAR(0)));
    script_feed(d, 2, RANK(R(1, 0)));
    script_feed(d, 3, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 4).of, "BBBB");
    assert_deadlocked(d, "0123", "01 23");
    assert_int_equal(ork_detector_comm(d, ork_detector_rank(d, 2).comm).world_of, 1);
    assert_int_equal(ork_detector_comm(d, ork_detector_rank(d, 2).comm).size, 2);
}

static void parents_and_children_talk_over_one_communicator(void **state)
{
    struct ork_detector *d = *state;

    script_feed(d, 2, RANK(GOT_PARENTS, R_ON(OTHER, 1, 0)));
    script_feed(d, 3, RANK(GOT_PARENTS, S_ON(OTHER, 0, 0)));
    assert_string_equal(script_statuses(d, 4).of, "RRBB");
    script_feed(d, 0, RANK(SPAWNED, R_ON(OTHER, 1, 0)));
    script_feed(d, 1, RANK(SPAWNED, S_ON(OTHER, 0, 0), BAR(OTHER)));
    assert_string_equal(script_statuses(d, 4).of, "RBRR");
    struct ork_job_view job = ork_detector_job(d, 1);
    assert_true(job.spawned);
    assert_int_equal(job.rank, 0); /* the root of the call */
}

static void a_parent_and_a_child_that_receive_first_are_deadlocked(void **state)
{
    struct ork_detector *d = *state;

    script_feed(d, 0, RANK(SPAWNED, R_ON(OTHER, 1, 0)));
    script_feed(d, 3, RANK(GOT_PARENTS, R_ON(OTHER, 0, 0)));
    script_feed(d, 1, RANK(SPAWNED));
    assert_deadlocked(d, "03", "03");
}

static void what_is_merged_has_all_of_them(void **state)
{
    struct ork_detector *d = *state;

    script_feed(d, 0, RANK(SPAWNED, MERGE(ALL, OTHER), R_ON(ALL, 3, 0)));
    script_feed(d, 1, RANK(SPAWNED, MERGE(ALL, OTHER), S_ON(ALL, 2, 0)));
    script_feed(d, 2, RANK(GOT_PARENTS, MERGE(ALL, OTHER), R_ON(ALL, 1, 0)));
    script_feed(d, 3, RANK(GOT_PARENTS, MERGE(ALL, OTHER), R_ON(ALL, 0, 0)));
    assert_string_equal(script_statuses(d, 4).of, "BRRB");
    assert_deadlocked(d, "03", "03");
}

/* The same groups meet twice; each has the second one under another number. */
static void meetings_of_the_same_groups_are_told_apart_by_their_order(void **state)
{
    struct ork_detector *d = *state;
    const struct step accept[] = {MEET(OTHER, COMM_ACCEPT, 1, 0, 1, 1, OF(CHILDREN), 1, 1, 1),
                                  MEET(AGAIN, COMM_ACCEPT, 1, 0, 1, 1, OF(CHILDREN), 1, 1, 1),
                                  R_ON(OTHER, 0, 0),
                                  {.rec = {0}}};
    const struct step connect[] = {MEET(AGAIN, COMM_CONNECT, 1, 1, 1, 1, OF(PARENTS), 0, 1, 1),
                                   MEET(OTHER, COMM_CONNECT, 1, 1, 1, 1, OF(PARENTS), 0, 1, 1),
                                   S_ON(OTHER, 0, 0),
                                   {.rec = {0}}};

    script_feed(d, 0, accept);
    script_feed(d, 3, connect);
    assert_string_equal(script_statuses(d, 4).of, "BRRB"); /* not the same one */
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "03");
}

static void a_group_with_a_job_that_nobody_knows_is_beyond_us(void **state)
{
    struct ork_detector *d = *state;

    script_feed(d, 0,
                RANK(COLL_(COMM_ACCEPT, 1, 0, .bytes = 0),
                     MEET(OTHER, COMM_ACCEPT, 1, 0, 1, 1, OF(STRANGERS), 0, 1, 1),
                     R_ON(OTHER, 0, 0)));
    script_feed(d, 1, RANK(R(0, 0)));
    assert_string_equal(script_statuses(d, 2).of, "UB");
    assert_deadlocked(d, "", "");
    assert_null(ork_detector_fault(d, 0));
}

static void a_rank_beyond_its_job_is_refused(void **state)
{
    struct ork_detector *d = *state;

    script_feed(d, 2, RANK(MEET(OTHER, COMM_SPAWN, 1, 0, 1, 2, OF(PARENTS), 0, 1, 3)));
    assert_non_null(ork_detector_fault(d, 2));
}

static void in_accept_nobody_is_deadlocked_but_before_it(void **state)
{
    struct ork_detector *d = *state;
    const struct step accept = COLL_(COMM_ACCEPT, 0, 0, .bytes = 0);

    script_feed(d, 0, (const struct step[]){accept, {.rec = {0}}});
    assert_string_equal(script_statuses(d, 2).of, "BR"); /* rank 1 has to come as well */
    script_feed(d, 1, (const struct step[]){accept, {.rec = {0}}});
    assert_string_equal(script_statuses(d, 2).of, "UU");
    assert_deadlocked(d, "", "");
}

static void finalize_waits_for_all_that_are_connected(void **state)
{
    struct ork_detector *d = *state;

    script_feed(d, 0, RANK(SPAWNED, R_ON(OTHER, 0, 0)));
    script_feed(d, 1, RANK(SPAWNED, F));
    script_feed(d, 2, RANK(GOT_PARENTS, F));
    script_feed(d, 3, RANK(GOT_PARENTS, F));
    assert_string_equal(script_statuses(d, 4).of, "BBBB");
    assert_string_equal(script_verdict(d, ORK_STRICT).deadlocked, "0123");
    assert_string_equal(script_verdict(d, ORK_STRICT).roots, "02");
}

static void finalize_does_not_wait_for_who_was_disconnected(void **state)
{
    struct ork_detector *d = *state;

    script_feed(d, 2, RANK(GOT_PARENTS, DISCONNECT(OTHER), F));
    script_feed(d, 3, RANK(GOT_PARENTS, DISCONNECT(OTHER), F));
    script_feed(d, 0, RANK(SPAWNED, DISCONNECT(OTHER)));
    assert_string_equal(script_statuses(d, 4).of, "BRBB");
    script_feed(d, 1, RANK(SPAWNED, DISCONNECT(OTHER)));
    assert_string_equal(script_statuses(d, 4).of, "RRRR");
}

static void freeing_severs_nobody(void **state)
{
    struct ork_detector *d = *state;

    for (uint32_t r = 0; r < 2; r++)
        script_feed(d, r, RANK(SPAWNED, COMM_FREE(OTHER)));
    for (uint32_t r = 2; r < 4; r++)
        script_feed(d, r, RANK(GOT_PARENTS, COMM_FREE(OTHER), F));
    assert_string_equal(script_statuses(d, 4).of, "RRBB");
    script_feed(d, 0, RANK(F));
    script_feed(d, 1, RANK(F));
    assert_string_equal(script_statuses(d, 4).of, "RRRR");
}

static void a_third_job_is_connected_through_the_second(void **state)
{
    struct ork_detector *d = *state;

    assert_int_equal(ork_detector_add_job(d, 4, 1, STRANGERS), ORK_OK);
    script_feed(d, 0, RANK(SPAWNED));
    script_feed(d, 1, RANK(SPAWNED, F));
    script_feed(d, 2,
                RANK(GOT_PARENTS, COLL_(COMM_SPAWN, 1, 0, .bytes = 0),
                     MEET(AGAIN, COMM_SPAWN, 1, 0, 1, 1, OF(STRANGERS), 0, 1, 1), F));
    script_feed(d, 3, RANK(GOT_PARENTS, F));
    script_feed(d, 4, RANK(MEET(OTHER, COMM_SPAWN, 1, 0, 1, 1, OF(CHILDREN), 0, 1, 1), F));
    assert_string_equal(script_statuses(d, 5).of, "RBBBB");
    script_feed(d, 0, RANK(F));
    assert_string_equal(script_statuses(d, 5).of, "RRRRR");
}

static void jobs_lie_one_behind_the_other(void **state)
{
    struct ork_detector *d = *state;

    assert_int_equal(ork_detector_add_job(d, 5, 1, 1), ORK_INVALID);
    assert_int_equal(ork_detector_add_job(d, 4, 0, 1), ORK_INVALID);
    assert_int_equal(ork_detector_add_job(d, 2, 2, CHILDREN), ORK_OK); /* its other rank */
    assert_int_equal(ork_detector_num_jobs(d), 2);
    assert_int_equal(ork_detector_job(d, 1).first, 2);
    assert_int_equal(ork_detector_job(d, 1).size, 2);
    assert_false(ork_detector_job(d, 1).spawned);
    assert_int_equal(ork_detector_feed(d, 4, NULL, 0), ORK_INVALID);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, create, destroy)

int test_job(void)
{
    const struct CMUnitTest tests[] = {
        CASE(children_have_a_world_of_their_own),
        CASE(parents_and_children_talk_over_one_communicator),
        CASE(a_parent_and_a_child_that_receive_first_are_deadlocked),
        CASE(what_is_merged_has_all_of_them),
        CASE(meetings_of_the_same_groups_are_told_apart_by_their_order),
        CASE(a_group_with_a_job_that_nobody_knows_is_beyond_us),
        CASE(a_rank_beyond_its_job_is_refused),
        CASE(in_accept_nobody_is_deadlocked_but_before_it),
        CASE(finalize_waits_for_all_that_are_connected),
        CASE(finalize_does_not_wait_for_who_was_disconnected),
        CASE(freeing_severs_nobody),
        CASE(a_third_job_is_connected_through_the_second),
        CASE(jobs_lie_one_behind_the_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What is pending, as a report asks for it (detector/verdict/pending.c). */
#include "detector/detector.h"

#include "tests/unit/overlay/stage/script.h"
#include "tests/unit/overlay/stage/unit.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 4 };

struct state {
    struct ork_detector *d;
    struct script script[RANKS];
    struct ork_pending *pending;
    uint32_t count;
};

static int set_up(void **state)
{
    static struct state s;

    memset(&s, 0, sizeof(s));
    *state = &s;
    for (uint32_t r = 0; r < RANKS; r++)
        script_init(&s.script[r], r, RANKS);
    return ork_detector_create(RANKS, &s.d) != ORK_OK;
}

static int tear_down(void **state)
{
    struct state *s = *state;

    free(s->pending);
    ork_detector_destroy(s->d);
    return 0;
}

/* What is pending at `rank` when all scripts are played. */
static void ask(struct state *s, uint32_t rank)
{
    bool of[RANKS] = {false};

    of[rank] = true;
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(ork_detector_feed(s->d, r, s->script[r].record, s->script[r].n), ORK_OK);
    assert_int_equal(ork_detector_pending(s->d, of, &s->pending, &s->count), ORK_OK);
}

static void assert_pending(const struct ork_pending *p, uint32_t rank, unsigned kind,
                           uint32_t partner, int32_t tag)
{
    assert_int_equal(p->term.rank, rank);
    assert_int_equal(p->term.kind, kind);
    assert_int_equal(p->partner, partner);
    assert_int_equal(p->term.tag, tag);
    assert_int_equal(p->term.comm, ORK_COMM_WORLD);
}

static void what_is_matched_is_not_pending(void **state)
{
    struct state *s = *state;

    script_send(&s->script[0], 1, 7);
    script_recv(&s->script[1], 0, 7);
    ask(s, 0);
    assert_int_equal(s->count, 0);
    assert_null(s->pending);
}

static void what_a_rank_started_and_what_names_it_is_told(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[0], 1, 7);
    script_send(&s->script[1], 0, 8);
    script_recv(&s->script[2], 0, 9);
    script_recv(&s->script[3], 2, 1); /* has nothing to do with rank 0 */
    ask(s, 0);
    assert_int_equal(s->count, 3);
    assert_pending(&s->pending[0], 0, ORK_KIND_RECV, 1, 7);
    assert_pending(&s->pending[1], 1, ORK_KIND_SEND, 0, 8);
    assert_pending(&s->pending[2], 2, ORK_KIND_RECV, 0, 9);
}

static void a_wildcard_names_nobody(void **state)
{
    struct state *s = *state;

    script_recv(&s->script[0], ORK_ANY_SOURCE, ORK_ANY_TAG);
    ask(s, 0);
    assert_int_equal(s->count, 1);
    assert_pending(&s->pending[0], 0, ORK_KIND_RECV, UINT32_MAX, ORK_ANY_TAG);
}

static void a_probe_is_pending_too(void **state)
{
    struct state *s = *state;

    script_add(&s->script[2],
               (struct ork_record){
                   .kind = ORK_KIND_PROBE, .call = ORK_CALL_MPI_Probe, .peer = 3, .tag = 4});
    ask(s, 2);
    assert_int_equal(s->count, 1);
    assert_pending(&s->pending[0], 2, ORK_KIND_PROBE, 3, 4);
}

static void of_many_alike_the_oldest_are_told(void **state)
{
    struct state *s = *state;

    for (uint32_t i = 0; i < 100; i++)
        script_irecv(&s->script[0], ORK_COMM_WORLD, 1, i + 1);
    ask(s, 0);
    assert_in_range(s->count, 1, 20);
    for (uint32_t i = 1; i < s->count; i++)
        assert_true(s->pending[i - 1].order < s->pending[i].order);
    assert_int_equal(s->pending[0].term.site, 2);
}

static void members_of_a_communicator_are_told(void **state)
{
    struct state *s = *state;

    ask(s, 0);
    for (uint32_t i = 0; i < RANKS; i++)
        assert_int_equal(ork_detector_comm_member(s->d, ORK_COMM_WORLD, i), i);
    assert_int_equal(ork_detector_comm_member(s->d, ORK_COMM_WORLD, RANKS), UINT32_MAX);
    assert_int_equal(ork_detector_comm_member(s->d, ORK_COMM_SELF, 0), UINT32_MAX);
    assert_int_equal(ork_detector_comm_member(s->d, 1234, 0), UINT32_MAX);
}

int test_pending(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_matched_is_not_pending, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_rank_started_and_what_names_it_is_told, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_wildcard_names_nobody, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_probe_is_pending_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_many_alike_the_oldest_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(members_of_a_communicator_are_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

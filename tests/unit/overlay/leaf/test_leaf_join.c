/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls of several ranks that a leaf joins. */
#include "tests/unit/overlay/stage/leaf_stage.h"
#include "tests/unit/overlay/stage/unit.h"

static void put_barrier(struct peer *peer)
{
    peer_put(peer, &(struct ork_record){.kind = ORK_KIND_COLL,
                                        .mode = ORK_COLL_BARRIER,
                                        .peer = ORK_NO_PEER,
                                        .extra = peer->head});
}

static void equal_calls_of_the_ranks_go_up_as_one(void **state)
{
    struct stage *s = *state;
    struct peer peer[3];

    for (uint32_t r = 0; r < 3; r++)
        stage_join(s, &peer[r], r);
    for (int i = 0; i < 10; i++) {
        unsigned before = s->above.waves;
        for (uint32_t r = 0; r < 3; r++)
            put_barrier(&peer[r]);
        while (stage_step(s) > 0)
            ;
        assert_int_equal(s->above.waves, before + 1);
        assert_int_equal(s->above.wave_ranks, 3);
        assert_int_equal(s->above.wave_index, i);
    }
    assert_true(s->above.in_order);
    assert_int_equal(s->above.records, 30);
    for (uint32_t r = 0; r < 3; r++)
        peer_detach(&peer[r]);
}

static void step_until_quiet(struct stage *s)
{
    while (stage_step(s) > 0)
        ;
}

/* Both ranks have joined, and the leaf knows which ranks enter a barrier. */
static void join_two(struct stage *s, struct peer peer[2])
{
    for (uint32_t r = 0; r < 2; r++)
        stage_join(s, &peer[r], r);
    put_barrier(&peer[0]);
    put_barrier(&peer[1]);
    step_until_quiet(s);
    assert_int_equal(s->above.waves, 1);
}

/* A leaf that naps after a few calls each would not keep up with ranks that do nothing else. */
static void calls_that_wait_in_the_rings_go_up_in_one_step(void **state)
{
    enum { CALLS = SLOTS / 2 };
    struct stage *s = *state;
    struct peer peer[2];

    join_two(s, peer);
    for (unsigned i = 0; i < CALLS; i++) {
        put_barrier(&peer[0]);
        put_barrier(&peer[1]);
    }
    stage_step(s);
    assert_int_equal(s->above.waves, 1 + CALLS);
    stage_hang_up(&peer[0]);
    stage_hang_up(&peer[1]);
}

/* Each look at the clock shows 2 ms more: the rounds of a step end after 5. */
static void a_step_takes_a_limited_time(void **state)
{
    struct stage *s = *state;
    struct peer peer[2];

    join_two(s, peer);
    s->tick_ns = UINT64_C(2000000);
    for (unsigned i = 0; i < 100; i++) {
        put_barrier(&peer[0]);
        peer_publish(&peer[1], 1); /* so that a round takes one call */
        put_barrier(&peer[1]);
    }
    stage_step(s);
    assert_in_range(s->above.waves, 2, 10);
    step_until_quiet(s);
    assert_int_equal(s->above.waves, 101);
    stage_hang_up(&peer[0]);
    stage_hang_up(&peer[1]);
}

/* One rank is in a call, and records of the other one come all the time. */
static void a_call_is_held_for_a_limited_time(void **state)
{
    struct stage *s = *state;
    struct peer peer[2];

    join_two(s, peer);
    put_barrier(&peer[0]);
    for (unsigned i = 0; i < 2; i++) {
        peer_publish(&peer[1], 1);
        stage_step(s);
        assert_int_equal(s->above.next[0], 1);
        stage_pass(s, 10);
    }
    stage_pass(s, 1);
    peer_publish(&peer[1], 1);
    stage_step(s);
    assert_int_equal(s->above.next[0], 2);
    stage_hang_up(&peer[0]);
    stage_hang_up(&peer[1]);
}

/* Those who wait in it have nothing behind it; when nothing else comes it must be known above. */
static void a_call_that_not_all_come_to_goes_up_all_the_same(void **state)
{
    struct stage *s = *state;
    struct peer peer[3];

    for (uint32_t r = 0; r < 3; r++) {
        stage_join(s, &peer[r], r);
        put_barrier(&peer[r]);
    }
    while (stage_step(s) > 0)
        ;
    put_barrier(&peer[0]);
    put_barrier(&peer[2]);
    for (int i = 0; i < 3; i++)
        stage_step(s);
    assert_int_equal(s->above.next[0], 2);
    assert_int_equal(s->above.next[1], 1);
    assert_int_equal(s->above.next[2], 2);
    stage_hang_up(&peer[2]);
    for (int i = 0; i < 3; i++)
        stage_step(s);
    assert_int_equal(s->above.ended, 1);
    for (uint32_t r = 0; r < 3; r++)
        peer_detach(&peer[r]);
}

static void put_call(struct peer *peer, uint32_t comm)
{
    peer_put(peer, &(struct ork_record){.kind = ORK_KIND_COLL,
                                        .mode = ORK_COLL_BARRIER,
                                        .comm = comm,
                                        .peer = ORK_NO_PEER});
}

static void the_same_words_at_different_calls_go_up_apart(void **state)
{
    struct stage *s = *state;
    struct peer peer[2];

    stage_join(s, &peer[0], 0);
    stage_join(s, &peer[1], 1);
    for (int i = 0; i < 3; i++) {
        put_call(&peer[0], 0);
        put_call(&peer[1], 0);
        step_until_quiet(s);
    }
    assert_int_equal(s->above.wave_ranks, 2);
    put_call(&peer[0], 0); /* of which nobody else knows */
    step_until_quiet(s);
    unsigned before = s->above.waves;
    put_call(&peer[0], 0);
    put_call(&peer[1], 0);
    step_until_quiet(s);
    assert_int_equal(s->above.waves, before + 2);
    assert_int_equal(s->above.wave_ranks, 1);
    peer_detach(&peer[0]);
    peer_detach(&peer[1]);
}

static void the_same_number_of_two_communicators_goes_up_apart(void **state)
{
    struct stage *s = *state;
    struct peer peer[2];

    for (uint32_t r = 0; r < 2; r++) {
        const struct ork_cont members = {.kind = ORK_KIND_CONT, .words = 3, .word = {r, 2, 4}};
        struct ork_record raw;
        stage_join(s, &peer[r], r);
        memcpy(&raw, &members, sizeof(raw));
        peer_put(&peer[r], &(struct ork_record){.kind = ORK_KIND_COMM_DEF, .comm = 2, .count = 3});
        peer_put(&peer[r], &raw);
    }
    for (int i = 0; i < 5; i++) {
        unsigned before = s->above.waves;
        put_call(&peer[0], 2);
        put_call(&peer[1], 2);
        step_until_quiet(s);
        assert_int_equal(s->above.waves, before + 2);
        assert_int_equal(s->above.wave_ranks, 1);
    }
    peer_detach(&peer[0]);
    peer_detach(&peer[1]);
}

static void nothing_overtakes_a_call_that_is_held(void **state)
{
    struct stage *s = *state;
    struct peer peer[2];

    stage_join(s, &peer[0], 0);
    stage_join(s, &peer[1], 1);
    for (int i = 0; i < 300; i++) {
        put_barrier(&peer[0]);
        peer_publish(&peer[0], (size_t)i % 5);
        if (i % 3 == 0)
            peer_publish(&peer[1], 2);
        put_barrier(&peer[1]);
        if (i % 7 == 0)
            stage_step(s);
        s->above.credit = i % 11 == 0 ? 1 : SIZE_MAX;
    }
    s->above.credit = SIZE_MAX;
    while (stage_step(s) > 0)
        ;
    assert_true(s->above.in_order);
    assert_int_equal(s->above.next[0], peer[0].head);
    assert_int_equal(s->above.next[1], peer[1].head);
    stage_hang_up(&peer[0]);
    stage_hang_up(&peer[1]);
    for (int i = 0; i < 3; i++)
        stage_step(s);
    assert_int_equal(s->above.ended, 2);
    peer_detach(&peer[0]);
    peer_detach(&peer[1]);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_set_up, stage_tear_down)

int test_leaf_join(void)
{
    const struct CMUnitTest tests[] = {
        CASE(equal_calls_of_the_ranks_go_up_as_one),
        CASE(calls_that_wait_in_the_rings_go_up_in_one_step),
        CASE(a_step_takes_a_limited_time),
        CASE(a_call_is_held_for_a_limited_time),
        CASE(a_call_that_not_all_come_to_goes_up_all_the_same),
        CASE(the_same_words_at_different_calls_go_up_apart),
        CASE(the_same_number_of_two_communicators_goes_up_apart),
        CASE(nothing_overtakes_a_call_that_is_held),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What is taken of a rank's ring, and what stays there, so that ranks are equally far. */
#include "tests/unit/overlay/stage/leaf_stage.h"
#include "tests/unit/overlay/stage/unit.h"

/* The rank makes a collective call. */
static void call(struct peer *peer)
{
    peer_publish(peer, 1);
    struct ork_record *call = &peer->ring->slot[peer->head - 1];
    *call = (struct ork_record){.kind = ORK_KIND_COLL,
                                .mode = ORK_COLL_BARRIER,
                                .request = ORK_REQUEST_NULL,
                                .peer = ORK_NO_PEER,
                                .extra = call->extra};
}

/* It repeats the latest `block` records, `n` records in all. */
static void repeat(struct peer *peer, uint32_t block, uint64_t n)
{
    atomic_store(&peer->ring->repetition, ork_repetition_pack(peer->head, block));
    peer->head += n;
    atomic_store(&peer->ring->head, peer->head);
}

static void fold(struct stage *s)
{
    const struct ork_order order = {.kind = ORK_ORDER_FOLD, .is_folding = true};

    assert_int_equal(ork_down_send(&s->above.down, &order), ORK_OK);
}

static void take_all(struct stage *s)
{
    while (stage_step(s) > 0)
        ;
}

static void a_part_of_a_block_waits_for_the_rest(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    peer_publish(&peer, 10);
    repeat(&peer, 10, 304);
    stage_step(s);
    assert_int_equal(s->above.records, 314);
    atomic_store(&peer.ring->head, peer.head += 25);
    stage_step(s);
    assert_int_equal(s->above.records, 334);
    stage_step(s); /* nothing has followed it */
    assert_int_equal(s->above.records, 339);
    assert_int_equal(s->above.senseless, 0);
    peer_detach(&peer);
}

static void a_part_of_a_block_of_a_dead_rank_does_not_wait(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    peer_publish(&peer, 10);
    repeat(&peer, 10, 25);
    stage_hang_up(&peer);
    stage_step(s);
    assert_int_equal(s->above.records, 35);
    assert_int_equal(s->above.ended, 1);
    peer_detach(&peer);
}

/* The rank may wait for the answer to a question in it. */
static void a_part_of_a_block_does_not_wait_in_a_deterministic_run(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    assert_int_equal(ork_leaf_set_deterministic(s->leaf), ORK_OK);
    stage_join(s, &peer, 0);
    peer_publish(&peer, 10);
    repeat(&peer, 10, 304);
    stage_step(s);
    atomic_store(&peer.ring->head, peer.head += 25);
    stage_step(s);
    assert_int_equal(s->above.records, 339);
    peer_detach(&peer);
}

static void calls_that_are_not_repeated_are_joined_while_the_root_folds(void **state)
{
    struct stage *s = *state;
    struct peer peer[2];

    stage_join(s, &peer[0], 0);
    stage_join(s, &peer[1], 1);
    fold(s);
    call(&peer[0]);
    peer_publish(&peer[0], 3);
    stage_step(s);
    assert_int_equal(s->above.records, 0); /* nor is what follows it taken */
    call(&peer[1]);
    take_all(s);
    assert_int_equal(s->above.waves, 1);
    assert_int_equal(s->above.wave_ranks, 2);
    assert_int_equal(s->above.records, 2 + 3);
    peer_detach(&peer[0]);
    peer_detach(&peer[1]);
}

static void a_call_that_others_repeat_is_released(void **state)
{
    struct stage *s = *state;
    struct peer peer[2];

    stage_join(s, &peer[0], 0);
    stage_join(s, &peer[1], 1);
    fold(s);
    call(&peer[0]);
    call(&peer[1]);
    take_all(s);
    assert_int_equal(s->above.waves, 1);
    call(&peer[0]);
    peer_publish(&peer[0], 3);
    repeat(&peer[1], 1, 400);
    stage_step(s);
    assert_int_equal(s->above.waves, 2);
    assert_int_equal(s->above.wave_ranks, 1);
    assert_int_equal(s->above.records, 2 + 1 + 3 + 400);
    peer_detach(&peer[0]);
    peer_detach(&peer[1]);
}

static void a_rank_may_be_farther_ahead_while_the_root_folds(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    assert_int_equal(atomic_load(&peer.ring->is_folded), 0);
    fold(s);
    assert_int_equal(atomic_load(&peer.ring->is_folded), 1);
    peer_detach(&peer);
}

int test_leaf_turns(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_part_of_a_block_waits_for_the_rest),
        CASE(a_part_of_a_block_of_a_dead_rank_does_not_wait),
        CASE(a_part_of_a_block_does_not_wait_in_a_deterministic_run),
        CASE(calls_that_are_not_repeated_are_joined_while_the_root_folds),
        CASE(a_call_that_others_repeat_is_released),
        CASE(a_rank_may_be_farther_ahead_while_the_root_folds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

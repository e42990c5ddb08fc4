/* SPDX-License-Identifier: BSD-3-Clause */
/* What a leaf takes from nobody: rings that were written over, processes that do not belong. */
#include "tests/unit/overlay/stage/leaf_stage.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>
#include <unistd.h>

enum { NOBODY = 65534 };

/* ---- rings that were written over ---- */

/* After `damage` the stream ends with one record that makes no sense; the rank never waits. */
static void assert_breaks_off(struct stage *s, void (*damage)(struct peer *))
{
    struct peer peer;

    stage_join(s, &peer, 0);
    peer_publish(&peer, 10);
    stage_step(s);
    damage(&peer);
    assert_int_not_equal(stage_step(s), 0);
    assert_int_equal(s->above.records, 11);
    assert_int_equal(s->above.senseless, 1);
    for (int i = 0; i < 5; i++) {
        peer.head += 3;
        atomic_store(&peer.ring->head, peer.head);
        assert_int_equal(stage_step(s), 0);
        assert_int_equal(atomic_load(&peer.ring->tail), peer.head);
    }
    stage_hang_up(&peer);
    stage_step(s);
    assert_int_equal(s->above.records, 11);
    assert_int_equal(s->above.ended, 1);
    assert_int_equal(s->above.how, ORK_DEATH_INSIDE);
    assert_int_equal(ork_leaf_num_attached(s->leaf), 0);
    peer_detach(&peer);
}

static void head_far_ahead(struct peer *peer)
{
    atomic_store(&peer->ring->head, peer->head + ORK_REPEAT_AHEAD_FOLDED + ORK_RING_RECORDS + 1);
}

static void head_behind(struct peer *peer)
{
    atomic_store(&peer->ring->head, peer->head - 1);
}

static void tail_moved(struct peer *peer)
{
    atomic_store(&peer->ring->tail, UINT64_MAX);
}

static void magic_gone(struct peer *peer)
{
    peer->ring->magic = 0;
}

static void all_ones(struct peer *peer)
{
    memset(peer->ring, 0xff, sizeof(*peer->ring));
}

static void a_head_beyond_the_ring_ends_the_stream(void **state)
{
    assert_breaks_off(*state, head_far_ahead);
}

static void a_head_that_goes_backwards_ends_the_stream(void **state)
{
    assert_breaks_off(*state, head_behind);
}

static void a_tail_that_is_not_ours_ends_the_stream(void **state)
{
    assert_breaks_off(*state, tail_moved);
}

static void a_ring_without_its_magic_ends_the_stream(void **state)
{
    assert_breaks_off(*state, magic_gone);
}

static void a_ring_of_ones_ends_the_stream(void **state)
{
    assert_breaks_off(*state, all_ones);
}

static void a_broken_ring_does_not_touch_the_other_ranks(void **state)
{
    struct stage *s = *state;
    struct peer bad, good;

    stage_join(s, &bad, 0);
    stage_join(s, &good, 1);
    memset(bad.ring, 0xa5, sizeof(*bad.ring));
    peer_publish(&good, 4000);
    stage_step(s);
    assert_int_equal(s->above.next[1], 4000);
    assert_int_equal(s->above.senseless, 1);
    peer_detach(&bad);
    peer_detach(&good);
}

/* ---- who may come ---- */

static void a_second_rank_of_the_same_number_runs_unobserved(void **state)
{
    struct stage *s = *state;
    struct ork_hello hello = peer_hello(2);
    struct peer first, second;

    stage_join(s, &first, 2);
    peer_attach(&second, s->session, &hello);
    peer_publish(&second, 5);
    stage_step(s);
    stage_step(s);
    assert_int_equal(s->above.attached, 1);
    assert_int_equal(s->above.records, 0);
    assert_int_equal(s->above.unassigned, 1);
    peer_answer(second.socket);
    assert_int_equal(peer_answer(second.socket), -2);
    peer_detach(&first);
    peer_detach(&second);
}

static void a_rank_of_another_job_runs_unobserved(void **state)
{
    struct stage *s = *state;
    struct ork_hello hello = peer_hello(3);
    struct peer first, other;

    stage_join(s, &first, 2);
    strcpy(hello.job, "job 2");
    peer_attach(&other, s->session, &hello);
    stage_step(s);
    assert_int_equal(s->above.attached, 1);
    assert_int_equal(s->above.unassigned, 1);
    peer_detach(&first);
    peer_detach(&other);
}

static void a_rank_number_beyond_every_machine_is_not_taken(void **state)
{
    struct stage *s = *state;
    struct ork_hello hello = peer_hello(UINT32_MAX);
    struct peer peer;

    peer_attach(&peer, s->session, &hello);
    stage_step(s);
    assert_int_equal(s->above.attached, 0);
    assert_int_equal(ork_leaf_num_attached(s->leaf), 0);
    peer_detach(&peer);
}

static void a_wrong_token_is_hung_up_on(void **state)
{
    struct stage *s = *state;
    struct ork_hello hello = peer_hello(0);
    struct peer peer;

    hello.token[0] = 'x';
    peer_attach(&peer, s->session, &hello);
    stage_step(s);
    assert_int_equal(peer_answer(peer.socket), 0);
    assert_int_equal(peer_answer(peer.socket), -2);
    assert_int_equal(s->above.attached, 0);
    assert_int_equal(s->above.unassigned, 0);
    peer_detach(&peer);
}

static void another_user_is_hung_up_on_before_a_word(void **state)
{
    struct stage *s = *state;
    int sockets[100];
    nfds_t fds;

    if (getuid() != 0)
        skip();
    int before = peer_open_descriptors();
    assert_int_equal(seteuid(NOBODY), 0);
    for (int i = 0; i < 100; i++)
        sockets[i] = peer_connect(s->session);
    assert_int_equal(seteuid(0), 0);
    stage_step(s);
    ork_leaf_fds(s->leaf, &fds);
    assert_int_equal(fds, 1);
    assert_int_equal(peer_open_descriptors(), before + 100);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(peer_answer(sockets[i]), -2);
        close(sockets[i]);
    }
}

static void what_a_rank_says_after_its_hello_wakes_nobody(void **state)
{
    struct stage *s = *state;
    struct peer peer;
    nfds_t n;
    struct pollfd fd[2];

    stage_join(s, &peer, 0);
    peer_say(peer.socket, "noise", 5, NULL, 0);
    stage_step(s);
    const struct pollfd *fds = ork_leaf_fds(s->leaf, &n);
    assert_int_equal(n, 2);
    memcpy(fd, fds, sizeof(fd));
    assert_int_equal(poll(fd, 2, 0), 0);
    stage_hang_up(&peer);
    assert_int_equal(poll(fd, 2, 1000), 1);
    peer_detach(&peer);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_set_up, stage_tear_down)

int test_leaf_trust(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_head_beyond_the_ring_ends_the_stream),
        CASE(a_head_that_goes_backwards_ends_the_stream),
        CASE(a_tail_that_is_not_ours_ends_the_stream),
        CASE(a_ring_without_its_magic_ends_the_stream),
        CASE(a_ring_of_ones_ends_the_stream),
        CASE(a_broken_ring_does_not_touch_the_other_ranks),
        CASE(a_second_rank_of_the_same_number_runs_unobserved),
        CASE(a_rank_of_another_job_runs_unobserved),
        CASE(a_rank_number_beyond_every_machine_is_not_taken),
        CASE(a_wrong_token_is_hung_up_on),
        CASE(another_user_is_hung_up_on_before_a_word),
        CASE(what_a_rank_says_after_its_hello_wakes_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/overlay/stage/leaf_stage.h"
#include "tests/unit/overlay/stage/unit.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_rank_that_comes_is_told_above(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 5);
    assert_int_equal(s->above.attached, 1);
    assert_int_equal(s->above.latest_rank, 5);
    assert_int_equal(s->above.latest.pid, getpid());
    assert_int_equal(ork_leaf_num_attached(s->leaf), 1);
    peer_detach(&peer);
}

static void records_keep_their_order_round_and_round_the_ring(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    for (int i = 0; i < 20; i++) {
        peer_publish(&peer, SLOTS - 1000);
        assert_int_equal(stage_step(s), SLOTS - 1000);
        assert_int_equal(atomic_load(&peer.ring->tail), peer.head);
    }
    peer_publish(&peer, SLOTS); /* exactly full */
    assert_int_equal(stage_step(s), SLOTS);
    assert_true(s->above.in_order);
    assert_int_equal(s->above.records, 20 * (SLOTS - 1000) + SLOTS);
    assert_int_equal(s->above.senseless, 0);
    peer_detach(&peer);
}

/* A part of a block is taken in the step after, if nothing has followed it. */
static void take_all(struct stage *s)
{
    while (stage_step(s) > 0)
        ;
}

/* Its leaf, this process, had stopped meanwhile: see interceptor/ring/recorder.c. */
static void a_rank_that_goes_on_unrecorded_is_told_above_after_its_records(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 3);
    peer_publish(&peer, 100);
    take_all(s);
    assert_int_equal(s->above.cuts, 0);
    peer_publish(&peer, 50);
    atomic_store(&peer.ring->is_cut, 1);
    s->above.credit = 20;
    stage_step(s);
    assert_int_equal(s->above.cuts, 0);
    s->above.credit = SIZE_MAX;
    take_all(s);
    assert_int_equal(s->above.cuts, 1);
    assert_int_equal(s->above.cut_rank, 3);
    assert_int_equal(s->above.records_at_cut, 150);
    peer_detach(&peer);
}

static void the_last_records_are_those_published_when_the_end_is_announced(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 3);
    peer_publish(&peer, 100);
    ork_leaf_ask_last(s->leaf);
    s->above.credit = 20;
    stage_step(s);
    assert_false(ork_leaf_has_sent_last(s->leaf));
    s->above.credit = SIZE_MAX;
    take_all(s);
    assert_true(ork_leaf_has_sent_last(s->leaf));
    peer_publish(&peer, 1); /* afterwards */
    assert_true(ork_leaf_has_sent_last(s->leaf));
    peer_detach(&peer);
}

static void the_leaf_gives_signs_of_life_to_its_ranks(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    stage_step(s);
    uint32_t before = atomic_load(&peer.ring->beat);
    stage_step(s);
    assert_int_equal(atomic_load(&peer.ring->beat), before);
    stage_pass(s, 300); /* milliseconds; there are four a second */
    stage_step(s);
    assert_int_not_equal(atomic_load(&peer.ring->beat), before);
    peer_detach(&peer);
}

/* The latest three records of the rank come again, `n` in all. */
static void repeat_three(struct peer *peer, uint64_t n)
{
    uint64_t first = peer->head;

    atomic_store(&peer->ring->repetition, ork_repetition_pack(first, 3));
    peer->head += n;
    atomic_store(&peer->ring->head, peer->head);
}

static void end_repetition(struct peer *peer, uint64_t slot, uint64_t n)
{
    peer->ring->slot[slot] = (struct ork_record){.kind = ORK_RING_REPETITION, .arg = 3, .extra = n};
    atomic_store(&peer->ring->repetition, 0);
}

static void a_block_that_the_rank_repeats_is_sent_once(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    peer_publish(&peer, 5);
    repeat_three(&peer, 9999);
    assert_int_equal(stage_step(s), 10004);
    assert_int_equal(s->above.records, 10004);
    assert_in_range(s->above.told, 9000, 9999); /* a batch begins with records that are not */
    atomic_store(&peer.ring->head, peer.head += 2);
    stage_step(s);
    assert_int_equal(stage_step(s), 2); /* not as long as more of the block may follow */
    end_repetition(&peer, 5, 10001);
    peer.ring->slot[6] = (struct ork_record){.kind = ORK_KIND_OPAQUE};
    atomic_store(&peer.ring->head, peer.head += 1);
    assert_int_equal(stage_step(s), 1);
    assert_int_equal(s->above.records, 10007);
    assert_int_equal(s->above.senseless, 0);
    peer_detach(&peer);
}

/* Wherever the batch of records before it ends. */
static void a_block_that_is_sent_once_begins_with_a_call(void **state)
{
    struct stage *s = *state;
    struct peer peer[3];

    for (uint32_t r = 0; r < 3; r++) {
        stage_join(s, &peer[r], r);
        peer_publish(&peer[r], 5 + r);
        peer[r].ring->slot[peer[r].head - 2].kind = ORK_KIND_CONT;
        repeat_three(&peer[r], 10000);
        take_all(s);
    }
    assert_int_equal(s->above.records, 30018);
    assert_in_range(s->above.told, 27000, 30000);
    assert_true(s->above.blocks >= 3);
    assert_int_equal(s->above.rests, 0);
    for (uint32_t r = 0; r < 3; r++)
        peer_detach(&peer[r]);
}

/* The latest one of the three records becomes a collective call. */
static void repeat_with_call(struct peer *peer, uint64_t n)
{
    struct ork_record *call = &peer->ring->slot[peer->head - 1];

    *call = (struct ork_record){.kind = ORK_KIND_COLL,
                                .mode = ORK_COLL_ALLREDUCE,
                                .request = ORK_REQUEST_NULL,
                                .peer = ORK_NO_PEER,
                                .extra = call->extra};
    repeat_three(peer, n);
}

static void a_block_with_collective_calls_is_sent_once_while_the_root_folds(void **state)
{
    struct stage *s = *state;
    struct ork_order fold = {.kind = ORK_ORDER_FOLD, .is_folding = true};
    struct peer peer, other;

    stage_join(s, &peer, 0);
    stage_join(s, &other, 1);
    assert_int_equal(ork_down_send(&s->above.down, &fold), ORK_OK);
    peer_publish(&peer, 5);
    repeat_with_call(&peer, 9000);
    take_all(s);
    assert_int_equal(s->above.records, 9005);
    assert_in_range(s->above.told, 8000, 9000);
    assert_int_equal(s->above.waves, 1); /* the first call, which repeats none */
    fold.is_folding = false;
    assert_int_equal(ork_down_send(&s->above.down, &fold), ORK_OK);
    atomic_store(&peer.ring->head, peer.head += 3);
    for (unsigned i = 0; i < 3; i++)
        stage_step(s);
    assert_int_equal(s->above.waves, 2);
    assert_int_equal(s->above.wave_index, 3001); /* all calls before it were counted */
    peer_detach(&other);
    peer_detach(&peer);
}

static void a_rank_that_dies_in_a_repetition_gave_all_of_it(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    peer_publish(&peer, 5);
    repeat_three(&peer, 100000);
    stage_hang_up(&peer);
    stage_step(s);
    assert_int_equal(s->above.ended, 1);
    assert_int_equal(s->above.records, 100005);
    peer_detach(&peer);
}

/* It said that three records come again, and now that there were fewer than the leaf has read. */
static void a_repetition_that_shrinks_ends_the_stream(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    peer_publish(&peer, 5);
    repeat_three(&peer, 10);
    stage_step(s);
    end_repetition(&peer, 5, 9);
    atomic_store(&peer.ring->head, peer.head += 1);
    stage_step(s);
    assert_int_equal(s->above.records, 16);
    assert_int_equal(s->above.senseless, 1);
    peer_detach(&peer);
}

static bool would_wake(const struct stage *s)
{
    struct pollfd copy[8];
    nfds_t n;
    const struct pollfd *fd = ork_leaf_fds(s->leaf, &n);

    assert_true(n <= 8);
    memcpy(copy, fd, n * sizeof(*fd));
    return poll(copy, n, 0) > 0;
}

static void a_rank_can_wake_the_leaf(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    assert_false(would_wake(s));
    assert_int_equal(send(peer.socket, "", 1, 0), 1);
    assert_true(would_wake(s));
    stage_step(s);
    assert_false(would_wake(s));
    assert_int_equal(s->above.ended, 0);
    peer_detach(&peer);
}

static void it_is_silent_until_a_rank_records_something_and_when_none_is_left(void **state)
{
    struct stage *s = *state;
    struct peer first, second;

    assert_true(ork_leaf_is_silent(s->leaf));
    stage_join(s, &first, 0);
    stage_join(s, &second, 1);
    assert_true(ork_leaf_is_silent(s->leaf));
    peer_publish(&second, 2);
    assert_false(ork_leaf_is_silent(s->leaf));
    stage_step(s);
    assert_false(ork_leaf_is_silent(s->leaf));
    stage_hang_up(&second);
    stage_step(s);
    assert_true(ork_leaf_is_silent(s->leaf));
    peer_detach(&first);
    peer_detach(&second);
}

static void nothing_is_lost_when_a_rank_dies_after_its_last_records(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    peer_publish(&peer, 5000);
    atomic_store(&peer.ring->full_waits, 3);
    stage_hang_up(&peer);
    stage_step(s);
    assert_int_equal(s->above.records, 5000);
    assert_int_equal(s->above.ended, 1);
    assert_int_equal(s->above.full_waits, 3);
    assert_int_equal(ork_leaf_num_attached(s->leaf), 0);
    peer_detach(&peer);
}

static void no_more_is_sent_than_there_is_credit_for(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    stage_join(s, &peer, 0);
    peer_publish(&peer, 2500);
    stage_hang_up(&peer);
    s->above.credit = 0;
    assert_int_equal(stage_step(s), 0);
    s->above.credit = 1000;
    assert_int_equal(stage_step(s), 1000);
    assert_int_equal(stage_step(s), 0);
    s->above.credit = 1500;
    assert_int_equal(stage_step(s), 1500);
    assert_int_equal(s->above.records, 2500);
    assert_int_equal(stage_step(s), 0);
    assert_int_equal(s->above.ended, 0); /* its last records may still be on their way up */
    s->above.credit = 1;
    stage_step(s);
    assert_int_equal(s->above.ended, 1);
    assert_true(s->above.in_order);
    peer_detach(&peer);
}

/* ---- how a rank ended ---- */

static enum ork_death death_of(struct stage *s, uint32_t begun, uint32_t threads,
                               enum ork_state first, enum ork_state second)
{
    struct peer peer;

    stage_join(s, &peer, s->above.attached);
    atomic_store(&peer.ring->begun, begun);
    atomic_store(&peer.ring->threads, threads);
    peer_state(&peer, 0, first);
    peer_state(&peer, 1, second);
    stage_hang_up(&peer);
    stage_step(s);
    peer_detach(&peer);
    return s->above.how;
}

static enum ork_death death_in(struct stage *s, uint32_t threads, enum ork_state first,
                               enum ork_state second)
{
    return death_of(s, 1, threads, first, second);
}

static void the_states_tell_how_a_rank_ended(void **state)
{
    const enum ork_state out = ORK_STATE_RUNNING, in = ORK_STATE_BLOCKED, done = ORK_STATE_DONE;

    assert_int_equal(death_of(*state, 0, 0, out, out), ORK_DEATH_BEFORE);
    assert_int_equal(death_in(*state, 0, out, out), ORK_DEATH_STARTING);
    assert_int_equal(death_in(*state, 1, out, in), ORK_DEATH_OUTSIDE);
    assert_int_equal(death_in(*state, 1, in, out), ORK_DEATH_INSIDE);
    assert_int_equal(death_in(*state, 2, out, in), ORK_DEATH_INSIDE);
    assert_int_equal(death_in(*state, 2, in, done), ORK_DEATH_FINISHED);
    assert_int_equal(death_in(*state, UINT32_MAX, out, out), ORK_DEATH_OUTSIDE);
}

/* ---- commands from above ---- */

static void all_ranks_are_asked_for_early_sources(void **state)
{
    struct stage *s = *state;
    const struct ork_down *down = &s->above.down;
    const struct ork_order ask = {.kind = ORK_ORDER_ASK};
    struct peer peer[2];

    assert_int_equal(ork_down_send(down, &ask), ORK_OK); /* there is nobody yet */
    stage_join(s, &peer[0], 3);
    assert_int_equal(ork_down_send(down, &ask), ORK_OK);
    stage_join(s, &peer[1], 0);
    assert_int_equal(ork_down_send(down, &ask), ORK_OK);
    assert_int_equal(atomic_load(&peer[0].ring->asked), 2);
    assert_int_equal(atomic_load(&peer[1].ring->asked), 1);
    stage_hang_up(&peer[0]);
    stage_step(s);
    assert_int_equal(ork_down_send(down, &ask), ORK_OK);
    assert_int_equal(atomic_load(&peer[0].ring->asked), 2);
    assert_int_equal(atomic_load(&peer[1].ring->asked), 2);
    peer_detach(&peer[0]);
    peer_detach(&peer[1]);
}

static void a_collect_shows_the_published_state(void **state)
{
    struct stage *s = *state;
    const struct ork_snapshot *snapshot = &s->above.snapshot[3];
    struct peer peer;

    assert_int_equal(stage_collect(s), 0);
    stage_join(s, &peer, 3);
    peer_publish(&peer, 4);
    stage_step(s);
    peer_publish(&peer, 2);
    peer_state(&peer, 0, ORK_STATE_BLOCKED);
    atomic_store(&peer.ring->thread[0].tid, (uint32_t)getpid());
    assert_int_equal(stage_collect(s), 1);
    assert_true(s->above.present[3]);
    assert_int_equal(snapshot->head, 6);
    assert_int_equal(s->above.records, 4); /* a collect drains nothing */
    assert_int_equal(snapshot->threads, 1);
    assert_int_equal(snapshot->word[0], 6 << 8 | ORK_STATE_BLOCKED);
    assert_true(snapshot->cpu_ns > 0);
    assert_true(snapshot->inside_ns > 0);
    assert_false(snapshot->sleeps); /* it asks */
    atomic_store(&peer.ring->threads, UINT32_MAX);
    assert_int_equal(stage_collect(s), 1);
    assert_int_equal(snapshot->threads, ORK_RING_THREADS);
    stage_hang_up(&peer);
    stage_step(s);
    assert_int_equal(stage_collect(s), 0);
    peer_detach(&peer);
}

static void the_process_ids_are_those_of_who_is_there(void **state)
{
    struct stage *s = *state;
    struct peer peer[2];
    uint32_t pid[2] = {0};

    stage_join(s, &peer[0], 0);
    stage_join(s, &peer[1], 1);
    ork_leaf_pids(s->leaf, pid, 1);
    assert_int_equal(pid[0], getpid());
    assert_int_equal(pid[1], 0); /* no more than there is room for */
    stage_hang_up(&peer[0]);
    stage_step(s);
    pid[0] = 0;
    ork_leaf_pids(s->leaf, pid, 2);
    assert_int_equal(pid[0], getpid());
    assert_int_equal(pid[1], 0);
    peer_detach(&peer[0]);
    peer_detach(&peer[1]);
}

/* ---- processes ---- */

struct actor {
    const char *session;
    pid_t claimed;
    bool says_hello;
};

static void act(void *argument)
{
    const struct actor *actor = argument;
    struct ork_hello hello = peer_hello(0);
    struct peer peer; /* left open: the child keeps it for life */

    hello.pid = (uint32_t)actor->claimed;
    if (actor->says_hello)
        peer_attach(&peer, actor->session, &hello);
    else
        peer_connect(actor->session);
}

static void bystand(void *argument)
{
    (void)argument;
}

static void only_attached_processes_are_killed_whatever_they_call_themselves(void **state)
{
    struct stage *s = *state;
    struct ork_down down = ork_leaf_down(s->leaf);
    pid_t bystander = peer_child(bystand, NULL, 0);
    struct actor rank = {s->session, bystander, true};
    struct actor mute = {s->session, 0, false};
    pid_t attached = peer_child(act, &rank, 0);
    pid_t silent = peer_child(act, &mute, 0);
    int status;

    stage_step(s);
    assert_int_equal(s->above.attached, 1);
    assert_int_equal(s->above.latest.pid, attached);
    assert_int_equal(ork_down_send(&down, &(struct ork_order){.kind = ORK_ORDER_KILL}), ORK_OK);
    assert_int_equal(waitpid(attached, &status, 0), attached);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_true(peer_lives(bystander, &status));
    assert_true(peer_lives(silent, &status));
    peer_end(bystander);
    peer_end(silent);
    stage_step(s);
    assert_int_equal(s->above.ended, 1);
}

/* A rank of a job of this size. */
static void join_job(struct stage *s, struct peer *peer, const char *job, uint32_t rank,
                     uint32_t size)
{
    struct ork_hello hello = peer_hello(rank);

    memset(hello.job, 0, sizeof(hello.job));
    memcpy(hello.job, job, strlen(job));
    hello.size = size;
    peer_attach(peer, s->session, &hello);
    stage_step(s);
}

static void ranks_of_further_jobs_are_numbered_behind_the_known_ones(void **state)
{
    const struct {
        const char *job;
        uint32_t rank, size, number;
    } come[] = {{"1", 1, 2, 1}, {"2", 2, 3, 4}, {"3", 0, 1, 5}, {"2", 0, 3, 2}, {"1", 0, 2, 0}};
    struct stage *s = *state;
    struct peer peer[5];
    struct peer late;

    for (unsigned i = 0; i < 5; i++) {
        join_job(s, &peer[i], come[i].job, come[i].rank, come[i].size);
        assert_int_equal(s->above.attached, i + 1);
        assert_int_equal(s->above.latest_rank, come[i].number);
    }
    join_job(s, &late, "2", 3, 3); /* a rank that the job does not have */
    assert_int_equal(s->above.attached, 5);
    assert_int_equal(s->above.unassigned, 1);
    peer_detach(&late);
    for (unsigned i = 0; i < 5; i++)
        peer_detach(&peer[i]);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_set_up, stage_tear_down)

int test_leaf(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_rank_that_comes_is_told_above),
        CASE(records_keep_their_order_round_and_round_the_ring),
        CASE(a_rank_that_goes_on_unrecorded_is_told_above_after_its_records),
        CASE(the_last_records_are_those_published_when_the_end_is_announced),
        CASE(the_leaf_gives_signs_of_life_to_its_ranks),
        CASE(a_block_that_the_rank_repeats_is_sent_once),
        CASE(a_block_that_is_sent_once_begins_with_a_call),
        CASE(a_block_with_collective_calls_is_sent_once_while_the_root_folds),
        CASE(a_rank_that_dies_in_a_repetition_gave_all_of_it),
        CASE(a_repetition_that_shrinks_ends_the_stream),
        CASE(a_rank_can_wake_the_leaf),
        CASE(it_is_silent_until_a_rank_records_something_and_when_none_is_left),
        CASE(nothing_is_lost_when_a_rank_dies_after_its_last_records),
        CASE(no_more_is_sent_than_there_is_credit_for),
        CASE(the_states_tell_how_a_rank_ended),
        CASE(all_ranks_are_asked_for_early_sources),
        CASE(a_collect_shows_the_published_state),
        CASE(the_process_ids_are_those_of_who_is_there),
        CASE(ranks_of_further_jobs_are_numbered_behind_the_known_ones),
        CASE(only_attached_processes_are_killed_whatever_they_call_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

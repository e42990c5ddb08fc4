/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf.h"

#include "peer.h"
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, SLOTS = (int)ORK_RING_RECORDS };

/* The upper side: keeps what came. */
struct above {
    struct ork_up up;
    unsigned attached, ended;
    struct ork_attached latest;
    uint64_t records, senseless;
    uint64_t next[8]; /* expected `extra` of each rank's next record */
    bool in_order;
    enum ork_death how;
    uint64_t full_waits;
    size_t credit;
};

struct stage {
    char session[64];
    struct above above;
    struct ork_leaf *leaf;
};

static enum ork_status on_attach(void *context, const struct ork_attached *attached)
{
    struct above *a = context;

    a->attached++;
    a->latest = *attached;
    return ORK_OK;
}

static enum ork_status on_batch(void *context, uint32_t rank, const struct ork_record *record,
                                size_t n)
{
    struct above *a = context;

    assert_in_range(rank, 0, 7);
    assert_int_equal(a->ended, 0);
    for (size_t i = 0; i < n; i++) {
        if (record[i].kind >= ORK_KIND_MAX)
            a->senseless++;
        else
            a->in_order &= record[i].extra == a->next[rank]++;
    }
    a->records += n;
    return ORK_OK;
}

static enum ork_status on_end(void *context, uint32_t rank, enum ork_death how, uint64_t full_waits)
{
    struct above *a = context;

    (void)rank;
    a->ended++;
    a->how = how;
    a->full_waits = full_waits;
    return ORK_OK;
}

static size_t credit(void *context)
{
    const struct above *a = context;

    return a->credit;
}

static int set_up(void **state)
{
    static struct stage s;

    memset(&s, 0, sizeof(s));
    snprintf(s.session, sizeof(s.session), "%s", peer_session());
    s.above.up = (struct ork_up){.context = &s.above,
                                 .attach = on_attach,
                                 .batch = on_batch,
                                 .end = on_end,
                                 .credit = credit};
    s.above.in_order = true;
    s.above.credit = SIZE_MAX;
    *state = &s;
    return ork_leaf_create(s.session, PEER_TOKEN, &s.above.up, &s.leaf) != ORK_OK;
}

static int tear_down(void **state)
{
    struct stage *s = *state;

    ork_leaf_destroy(s->leaf);
    return 0;
}

static size_t step(struct stage *s)
{
    size_t moved;

    assert_int_equal(ork_leaf_step(s->leaf, &moved), ORK_OK);
    return moved;
}

/* A rank of this process that the leaf has taken. */
static void join(struct stage *s, struct peer *peer, uint32_t rank)
{
    struct ork_hello hello = peer_hello(rank);

    peer_attach(peer, s->session, &hello);
    step(s);
    assert_int_equal(peer_answer(peer->socket), 1);
}

static void hang_up(struct peer *peer)
{
    close(peer->socket);
    peer->socket = -1;
}

static void a_rank_that_comes_is_told_above(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    join(s, &peer, 5);
    assert_int_equal(s->above.attached, 1);
    assert_int_equal(s->above.latest.rank, 5);
    assert_int_equal(s->above.latest.pid, getpid());
    assert_int_equal(ork_leaf_num_attached(s->leaf), 1);
    assert_int_equal(ork_leaf_num_seen(s->leaf), 1);
    peer_detach(&peer);
}

static void records_keep_their_order_round_and_round_the_ring(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    join(s, &peer, 0);
    for (int i = 0; i < 20; i++) {
        peer_publish(&peer, SLOTS - 1000);
        assert_int_equal(step(s), SLOTS - 1000);
        assert_int_equal(atomic_load(&peer.ring->tail), peer.head);
    }
    peer_publish(&peer, SLOTS); /* exactly full */
    assert_int_equal(step(s), SLOTS);
    assert_true(s->above.in_order);
    assert_int_equal(s->above.records, 20 * (SLOTS - 1000) + SLOTS);
    assert_int_equal(s->above.senseless, 0);
    peer_detach(&peer);
}

static void nothing_is_lost_when_a_rank_dies_after_its_last_records(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    join(s, &peer, 0);
    peer_publish(&peer, 5000);
    atomic_store(&peer.ring->full_waits, 3);
    hang_up(&peer);
    step(s);
    assert_int_equal(s->above.records, 5000);
    assert_int_equal(s->above.ended, 1);
    assert_int_equal(s->above.full_waits, 3);
    assert_int_equal(ork_leaf_num_attached(s->leaf), 0);
    assert_int_equal(ork_leaf_num_seen(s->leaf), 1);
    peer_detach(&peer);
}

static void no_more_is_sent_than_there_is_credit_for(void **state)
{
    struct stage *s = *state;
    struct peer peer;

    join(s, &peer, 0);
    peer_publish(&peer, 2500);
    hang_up(&peer);
    s->above.credit = 0;
    assert_int_equal(step(s), 0);
    s->above.credit = 1000;
    assert_int_equal(step(s), 1000);
    assert_int_equal(step(s), 1000);
    assert_int_equal(s->above.ended, 0);
    step(s);
    assert_int_equal(s->above.records, 2500);
    assert_int_equal(s->above.ended, 1);
    assert_true(s->above.in_order);
    peer_detach(&peer);
}

/* ---- rings that were written over ---- */

/* After `damage` the stream ends with one record that makes no sense; the rank never waits. */
static void assert_breaks_off(struct stage *s, void (*damage)(struct peer *))
{
    struct peer peer;

    join(s, &peer, 0);
    peer_publish(&peer, 10);
    step(s);
    damage(&peer);
    assert_int_not_equal(step(s), 0);
    assert_int_equal(s->above.records, 11);
    assert_int_equal(s->above.senseless, 1);
    for (int i = 0; i < 5; i++) {
        peer.head += 3;
        atomic_store(&peer.ring->head, peer.head);
        assert_int_equal(step(s), 0);
        assert_int_equal(atomic_load(&peer.ring->tail), peer.head);
    }
    hang_up(&peer);
    step(s);
    assert_int_equal(s->above.records, 11);
    assert_int_equal(s->above.ended, 1);
    assert_int_equal(s->above.how, ORK_DEATH_INSIDE);
    assert_int_equal(ork_leaf_num_attached(s->leaf), 0);
    peer_detach(&peer);
}

static void head_far_ahead(struct peer *peer)
{
    atomic_store(&peer->ring->head, peer->head + ORK_RING_RECORDS + 1);
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

    join(s, &bad, 0);
    join(s, &good, 1);
    memset(bad.ring, 0xa5, sizeof(*bad.ring));
    peer_publish(&good, 4000);
    step(s);
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

    join(s, &first, 2);
    peer_attach(&second, s->session, &hello);
    peer_publish(&second, 5);
    step(s);
    step(s);
    assert_int_equal(s->above.attached, 1);
    assert_int_equal(s->above.records, 0);
    assert_int_equal(ork_leaf_num_strangers(s->leaf), 1);
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

    join(s, &first, 2);
    strcpy(hello.job, "job 2");
    peer_attach(&other, s->session, &hello);
    step(s);
    assert_int_equal(s->above.attached, 1);
    assert_int_equal(ork_leaf_num_strangers(s->leaf), 1);
    peer_detach(&first);
    peer_detach(&other);
}

static void a_rank_number_beyond_every_machine_is_not_taken(void **state)
{
    struct stage *s = *state;
    struct ork_hello hello = peer_hello(UINT32_MAX);
    struct peer peer;

    peer_attach(&peer, s->session, &hello);
    step(s);
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
    step(s);
    assert_int_equal(peer_answer(peer.socket), 0);
    assert_int_equal(peer_answer(peer.socket), -2);
    assert_int_equal(ork_leaf_num_seen(s->leaf), 0);
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
    step(s);
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

    join(s, &peer, 0);
    peer_say(peer.socket, "noise", 5, NULL, 0);
    step(s);
    const struct pollfd *fds = ork_leaf_fds(s->leaf, &n);
    assert_int_equal(n, 2);
    memcpy(fd, fds, sizeof(fd));
    assert_int_equal(poll(fd, 2, 0), 0);
    hang_up(&peer);
    assert_int_equal(poll(fd, 2, 1000), 1);
    peer_detach(&peer);
}

/* ---- how a rank ended ---- */

static enum ork_death death_in(struct stage *s, uint32_t threads, enum ork_state first,
                               enum ork_state second)
{
    struct peer peer;

    join(s, &peer, s->above.attached);
    atomic_store(&peer.ring->threads, threads);
    peer_state(&peer, 0, first);
    peer_state(&peer, 1, second);
    hang_up(&peer);
    step(s);
    peer_detach(&peer);
    return s->above.how;
}

static void the_states_tell_how_a_rank_ended(void **state)
{
    const enum ork_state out = ORK_STATE_RUNNING, in = ORK_STATE_BLOCKED, done = ORK_STATE_DONE;

    assert_int_equal(death_in(*state, 0, out, out), ORK_DEATH_FINISHED);
    assert_int_equal(death_in(*state, 1, out, in), ORK_DEATH_OUTSIDE);
    assert_int_equal(death_in(*state, 1, in, out), ORK_DEATH_INSIDE);
    assert_int_equal(death_in(*state, 2, out, in), ORK_DEATH_INSIDE);
    assert_int_equal(death_in(*state, 2, in, done), ORK_DEATH_FINISHED);
    assert_int_equal(death_in(*state, UINT32_MAX, out, out), ORK_DEATH_OUTSIDE);
}

/* ---- commands from above ---- */

static void a_collect_shows_the_published_state(void **state)
{
    struct stage *s = *state;
    struct ork_down down = ork_leaf_down(s->leaf);
    struct ork_snapshot snapshot;
    struct peer peer;

    assert_int_equal(down.collect(down.context, 0, &snapshot), ORK_NOTFOUND);
    join(s, &peer, 3);
    assert_int_equal(down.collect(down.context, 0, &snapshot), ORK_NOTFOUND);
    assert_int_equal(down.collect(down.context, UINT32_MAX, &snapshot), ORK_NOTFOUND);
    peer_publish(&peer, 4);
    step(s);
    peer_publish(&peer, 2);
    peer_state(&peer, 0, ORK_STATE_BLOCKED);
    assert_int_equal(down.collect(down.context, 3, &snapshot), ORK_OK);
    assert_true(snapshot.present);
    assert_int_equal(snapshot.head, 6);
    assert_int_equal(snapshot.taken, 4);
    assert_int_equal(snapshot.threads, 1);
    assert_int_equal(snapshot.word[0], 6 << 8 | ORK_STATE_BLOCKED);
    assert_true(snapshot.cpu_ns > 0);
    atomic_store(&peer.ring->threads, UINT32_MAX);
    assert_int_equal(down.collect(down.context, 3, &snapshot), ORK_OK);
    assert_int_equal(snapshot.threads, ORK_RING_THREADS);
    hang_up(&peer);
    step(s);
    assert_int_equal(down.collect(down.context, 3, &snapshot), ORK_NOTFOUND);
    peer_detach(&peer);
}

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

    step(s);
    assert_int_equal(s->above.attached, 1);
    assert_int_equal(s->above.latest.pid, attached);
    down.kill_all(down.context);
    assert_int_equal(waitpid(attached, &status, 0), attached);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_true(peer_lives(bystander, &status));
    assert_true(peer_lives(silent, &status));
    peer_end(bystander);
    peer_end(silent);
    step(s);
    assert_int_equal(s->above.ended, 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_rank_that_comes_is_told_above),
        CASE(records_keep_their_order_round_and_round_the_ring),
        CASE(nothing_is_lost_when_a_rank_dies_after_its_last_records),
        CASE(no_more_is_sent_than_there_is_credit_for),
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
        CASE(the_states_tell_how_a_rank_ended),
        CASE(a_collect_shows_the_published_state),
        CASE(only_attached_processes_are_killed_whatever_they_call_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

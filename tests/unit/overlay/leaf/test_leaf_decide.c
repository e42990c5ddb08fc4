/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions of a deterministic run in a rank's page, and the bell. */
#include "overlay/leaf/leaf.h"
#include "tests/unit/overlay/stage/peer.h"
#include "tests/unit/overlay/stage/unit.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct side {
    struct ork_up up;
    struct ork_down down;
    struct ork_leaf *leaf;
    char session[64];
    struct ork_snapshot snapshot; /* the latest */
};

static enum ork_status deliver(void *context, const struct ork_event *e)
{
    struct side *s = context;

    if (e->kind == ORK_EVENT_JOB) {
        const struct ork_order number = {.kind = ORK_ORDER_NUMBER, .number = {*e->job, 0}};
        return ork_down_send(&s->down, &number);
    }
    if (e->kind == ORK_EVENT_SNAPSHOT)
        s->snapshot = *e->snapshot;
    return ORK_OK;
}

static size_t credit(void *context)
{
    (void)context;
    return SIZE_MAX;
}

static int set_up(void **state)
{
    static struct side s;

    s = (struct side){.up = {.context = &s, .deliver = deliver, .credit = credit}};
    snprintf(s.session, sizeof(s.session), "%s", peer_session());
    *state = &s;
    if (ork_leaf_create(s.session, PEER_TOKEN, 0, &s.up, &s.leaf) != ORK_OK ||
        ork_leaf_set_deterministic(s.leaf) != ORK_OK)
        return 1;
    s.down = ork_leaf_down(s.leaf);
    return 0;
}

static int tear_down(void **state)
{
    ork_leaf_destroy(((struct side *)*state)->leaf);
    return 0;
}

static void step(struct side *s)
{
    size_t moved;

    assert_int_equal(ork_leaf_step(s->leaf, &moved), ORK_OK);
}

/* Returns the bell. */
static int join(struct side *s, struct peer *peer, uint32_t rank)
{
    struct ork_hello hello = peer_hello(rank);
    union {
        char space[CMSG_SPACE(ORK_ANSWER_FILES * sizeof(int))];
        struct cmsghdr align;
    } control;
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control.space)};
    int file[ORK_ANSWER_FILES] = {-1, -1, -1};

    peer_attach(peer, s->session, &hello);
    step(s);
    assert_int_equal(recvmsg(peer->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC), 1);
    const struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    assert_non_null(c);
    assert_int_equal(c->cmsg_len, CMSG_LEN(2 * sizeof(int)));
    memcpy(file, CMSG_DATA(c), 2 * sizeof(int));
    assert_int_equal(byte, ORK_ANSWER_ACCEPTED | ORK_ANSWER_SECTIONS | ORK_ANSWER_BELL);
    close(file[0]);
    step(s);
    return file[1];
}

static void decide(struct side *s, uint32_t rank, uint32_t number)
{
    const struct ork_order order = {
        .kind = ORK_ORDER_DECISION,
        .decision = {rank, {.decided = ORK_DECIDED_RECEIVE, .number = number, .source = 3}}};

    assert_int_equal(ork_down_send(&s->down, &order), ORK_OK);
}

/* The number of the next decision in the page, which is taken; 0: there is none. */
static uint32_t take(struct peer *peer)
{
    struct ork_decision_page *page = &peer->ring->decisions;
    uint32_t tail = atomic_load(&page->tail);

    if (tail == atomic_load(&page->head))
        return 0;
    uint32_t number = page->slot[tail % ORK_DECISIONS].number;
    atomic_store(&page->tail, tail + 1);
    return number;
}

static void collect(struct side *s)
{
    assert_int_equal(ork_down_send(&s->down, &(struct ork_order){.kind = ORK_ORDER_COLLECT}),
                     ORK_OK);
}

static bool is_rung(const struct side *s)
{
    nfds_t count;
    const struct pollfd *fds = ork_leaf_fds(s->leaf, &count);
    struct pollfd copy[8];

    assert_true(count <= 8);
    memcpy(copy, fds, count * sizeof(*fds));
    return poll(copy, count, 0) > 0;
}

static void a_decision_reaches_its_rank_only(void **state)
{
    struct side *s = *state;
    struct peer one, two;

    close(join(s, &one, 0));
    close(join(s, &two, 1));
    decide(s, 1, 7);
    decide(s, 5, 8); /* a rank of another node */
    assert_int_equal(take(&one), 0);
    assert_int_equal(take(&two), 7);
    assert_int_equal(take(&two), 0);
    peer_detach(&one);
    peer_detach(&two);
}

static void decisions_wait_in_their_order_for_room_in_the_page(void **state)
{
    struct side *s = *state;
    struct peer peer;

    close(join(s, &peer, 0));
    for (uint32_t i = 1; i <= 3 * ORK_DECISIONS; i++)
        decide(s, 0, i);
    assert_int_equal(atomic_load(&peer.ring->decisions.head), ORK_DECISIONS);
    collect(s);
    assert_false(s->snapshot.has_decisions);
    for (uint32_t i = 1; i <= 3 * ORK_DECISIONS; i++) {
        assert_int_equal(take(&peer), i);
        if (i % 10 == 0 || i % ORK_DECISIONS == 0)
            step(s);
    }
    assert_int_equal(take(&peer), 0);
    collect(s);
    assert_true(s->snapshot.has_decisions);
    peer_detach(&peer);
}

static void a_rank_that_breaks_its_page_harms_nobody(void **state)
{
    struct side *s = *state;
    struct peer peer;

    close(join(s, &peer, 0));
    atomic_store(&peer.ring->decisions.tail, 0x80000000u);
    for (uint32_t i = 1; i <= 2 * ORK_DECISIONS; i++)
        decide(s, 0, i);
    atomic_store(&peer.ring->decisions.head, UINT32_MAX);
    step(s);
    decide(s, 0, 1);
    step(s);
    peer_detach(&peer);
    step(s);
}

static void the_bell_wakes_the_leaf_until_its_next_step(void **state)
{
    struct side *s = *state;
    const uint64_t one = 1;
    struct peer peer;
    int bell = join(s, &peer, 0);

    assert_false(is_rung(s));
    assert_int_equal(write(bell, &one, sizeof(one)), sizeof(one));
    assert_true(is_rung(s));
    step(s);
    assert_false(is_rung(s));
    close(bell);
    peer_detach(&peer);
}

static void ranks_know_whether_they_are_watched(void **state)
{
    struct side *s = *state;
    struct ork_order watch = {.kind = ORK_ORDER_WATCH, .is_watched = true};
    struct peer one, two;

    close(join(s, &one, 0));
    assert_int_equal(atomic_load(&one.ring->decisions.is_watched), 0);
    assert_int_equal(ork_down_send(&s->down, &watch), ORK_OK);
    assert_int_equal(atomic_load(&one.ring->decisions.is_watched), 1);
    close(join(s, &two, 1));
    assert_int_equal(atomic_load(&two.ring->decisions.is_watched), 1);
    watch.is_watched = false;
    assert_int_equal(ork_down_send(&s->down, &watch), ORK_OK);
    assert_int_equal(atomic_load(&one.ring->decisions.is_watched), 0);
    assert_int_equal(atomic_load(&two.ring->decisions.is_watched), 0);
    peer_detach(&one);
    peer_detach(&two);
}

static void a_snapshot_has_the_wait_of_the_rank(void **state)
{
    struct side *s = *state;
    struct peer peer;

    close(join(s, &peer, 0));
    atomic_store(&peer.ring->decisions.wait, 9);
    atomic_store(&peer.ring->decisions.looks, UINT64_C(1) << 40);
    collect(s);
    assert_int_equal(s->snapshot.wait, 9);
    assert_true(s->snapshot.waiting_looks == UINT64_C(1) << 40);
    peer_detach(&peer);
}

int test_leaf_decide(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_decision_reaches_its_rank_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(decisions_wait_in_their_order_for_room_in_the_page, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_rank_that_breaks_its_page_harms_nobody, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_bell_wakes_the_leaf_until_its_next_step, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(ranks_know_whether_they_are_watched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_snapshot_has_the_wait_of_the_rank, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of an order stream in a rank's page, and the stream that a rank gets at a replay. */
#include "order/file/stop.h"
#include "overlay/leaf/leaf.h"
#include "record/sections.h"
#include "tests/unit/overlay/stage/peer.h"
#include "tests/unit/overlay/stage/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* A leaf, and what came up from it. */
struct side {
    struct ork_up up;
    struct ork_down down;
    struct ork_leaf *leaf;
    char session[64];
    size_t credit;
    uint32_t first; /* the number of the job's first rank; UINT32_MAX: refused */
    unsigned ended, unassigned;
    uint32_t next_rank;
    struct ork_record order; /* the latest ORDER record */
    unsigned orders;
    uint8_t byte[ORK_ORDER_PAGE + ORK_CHOICE_ROOM(0)]; /* its list */
    size_t have;
};

static void take(struct side *s, const struct ork_record *r)
{
    struct ork_cont cont;

    assert_int_equal(s->ended, 0);
    if (r->kind == ORK_KIND_ORDER) {
        s->order = *r;
        s->orders++;
        s->have = 0;
    } else if (r->kind == ORK_KIND_CONT) {
        memcpy(&cont, r, sizeof(cont));
        assert_in_range(cont.words, 1, ORK_CONT_WORDS);
        memcpy(s->byte + s->have, cont.word, cont.words * sizeof(cont.word[0]));
        s->have += cont.words * sizeof(cont.word[0]);
    }
}

static enum ork_status deliver(void *context, const struct ork_event *e)
{
    struct side *s = context;

    if (e->kind == ORK_EVENT_JOB) {
        const struct ork_order number = {.kind = ORK_ORDER_NUMBER, .number = {*e->job, s->first}};
        return ork_down_send(&s->down, &number);
    }
    if (e->kind == ORK_EVENT_RECORDS) {
        assert_true(e->records.count <= s->credit);
        for (size_t i = 0; i < e->records.count; i++)
            take(s, &e->records.record[i]);
    }
    s->ended += e->kind == ORK_EVENT_END;
    s->unassigned += e->kind == ORK_EVENT_UNASSIGNED;
    return ORK_OK;
}

static size_t credit(void *context)
{
    return ((struct side *)context)->credit;
}

static int set_up(void **state)
{
    static struct side s;

    s = (struct side){.credit = SIZE_MAX};
    s.up = (struct ork_up){.context = &s, .deliver = deliver, .credit = credit};
    snprintf(s.session, sizeof(s.session), "%s", peer_session());
    *state = &s;
    if (ork_leaf_create(s.session, PEER_TOKEN, 0, &s.up, &s.leaf) != ORK_OK)
        return 1;
    s.down = ork_leaf_down(s.leaf);
    return 0;
}

static int tear_down(void **state)
{
    struct side *s = *state;

    ork_leaf_destroy(s->leaf);
    return 0;
}

static void step(struct side *s)
{
    size_t moved;

    assert_int_equal(ork_leaf_step(s->leaf, &moved), ORK_OK);
}

static void join(struct side *s, struct peer *peer, uint32_t rank)
{
    struct ork_hello hello = peer_hello(rank);

    peer_attach(peer, s->session, &hello);
    step(s);
}

/* ---- the end of a stream ---- */

/* The next rank, whose page says `tail`, hangs up. */
static void end_with(struct side *s, struct ork_order_tail tail)
{
    struct peer peer;

    join(s, &peer, s->next_rank++);
    for (unsigned i = 0; i < ORK_ORDER_PAGE; i++)
        peer.ring->order.byte[i] = (uint8_t)(i * 7 + 1);
    atomic_store(&peer.ring->order.state, ork_order_tail_pack(tail));
    atomic_store(&peer.ring->threads, 3);
    peer_publish(&peer, 2);
    close(peer.socket);
    peer.socket = -1;
    step(s);
    peer_detach(&peer);
}

static void assert_page(const struct side *s, size_t used)
{
    for (size_t i = 0; i < used; i++)
        assert_int_equal(s->byte[i], (uint8_t)(i * 7 + 1));
}

static void the_bytes_in_the_page_follow_the_last_record(void **state)
{
    struct side *s = *state;

    end_with(s, (struct ork_order_tail){.offset = 1234567890123, .used = 61});
    assert_int_equal(s->ended, 1);
    assert_int_equal(s->orders, 1);
    assert_int_equal(s->order.bytes, 61);
    assert_int_equal(s->order.count, 16);
    assert_true(s->order.extra == 1234567890123 % (UINT64_C(1) << 38));
    assert_int_equal(s->order.arg, 3);
    assert_int_equal(s->order.arg2, 0); /* it did not end its stream itself */
    assert_int_equal(s->have, 64);
    assert_page(s, 61);
}

static void a_full_page_is_sent_with_its_pending_choices(void **state)
{
    struct side *s = *state;
    uint8_t run[ORK_CHOICE_ROOM(0)];
    size_t size = ork_order_encode_run(ORK_ORDER_PENDING_MAX, run);

    end_with(s, (struct ork_order_tail){.used = ORK_ORDER_PAGE, .pending = ORK_ORDER_PENDING_MAX});
    assert_int_equal(s->order.bytes, ORK_ORDER_PAGE + size);
    assert_page(s, ORK_ORDER_PAGE);
    assert_true(size > 0);
    assert_memory_equal(s->byte + ORK_ORDER_PAGE, run, size);
}

static void an_empty_or_impossible_page_is_not_sent(void **state)
{
    struct side *s = *state;

    end_with(s, (struct ork_order_tail){.offset = 99});
    assert_int_equal(s->ended, 1);
    s->ended = 0;
    end_with(s, (struct ork_order_tail){.used = ORK_ORDER_PAGE + 1});
    assert_int_equal(s->ended, 1);
    assert_int_equal(s->orders, 0);
}

static void the_end_waits_for_room_for_the_page(void **state)
{
    struct side *s = *state;

    s->credit = 2; /* which this upper side does not count down */
    end_with(s, (struct ork_order_tail){.used = 5});
    assert_int_equal(s->ended + s->orders, 0);
    s->credit = 3;
    step(s);
    assert_int_equal(s->ended, 1);
    assert_int_equal(s->orders, 1);
}

/* ---- replay ---- */

/* What the rank is answered, and the descriptors with it; -1: none. */
static int answer(const struct peer *peer, int *sections, int *stream)
{
    union {
        char space[CMSG_SPACE(ORK_ANSWER_FILES * sizeof(int))];
        struct cmsghdr align;
    } control;
    char byte = 0;
    int file[ORK_ANSWER_FILES] = {-1, -1, -1};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control.space)};

    if (recvmsg(peer->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1)
        return -1;
    const struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    if (c != NULL)
        memcpy(file, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    *sections = file[0];
    *stream = file[1];
    return byte;
}

enum { FREE = ORK_ANSWER_ACCEPTED | ORK_ANSWER_SECTIONS, FOLLOWS = FREE | ORK_ANSWER_ORDER };

static uint8_t words[] = "stream of rank 1";
static struct ork_order_rank ranks[] = {
    {.rank = 0, .rank_in_job = 0},
    {.rank = 1, .rank_in_job = 1, .stream = words, .size = sizeof(words)},
    {.rank = 2, .job = 1, .rank_in_job = 0, .stream = words, .size = sizeof(words)},
};
static const struct ork_order_file file = {.rank = ranks, .num_ranks = 3};

/* The size of the sealed stream that the rank gets. */
static off_t stream_of(struct side *s, uint32_t rank)
{
    struct peer peer;
    struct stat st;
    uint8_t byte[sizeof(words)];
    int sections, fd;

    join(s, &peer, rank);
    assert_int_equal(answer(&peer, &sections, &fd), FOLLOWS);
    close(sections);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &st), 0);
    if (st.st_size > 0) {
        assert_int_equal(pread(fd, byte, sizeof(byte), 0), st.st_size);
        assert_memory_equal(byte, words, sizeof(words));
    }
    assert_int_equal(fcntl(fd, F_GET_SEALS),
                     F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
    close(fd);
    peer_detach(&peer);
    return st.st_size;
}

static void each_rank_gets_its_own_stream(void **state)
{
    struct side *s = *state;
    int before = peer_open_descriptors();

    ork_leaf_set_replay(s->leaf, &file);
    assert_int_equal(stream_of(s, 0), 0);
    assert_int_equal(stream_of(s, 1), sizeof(words));
    assert_int_equal(stream_of(s, 2), 0); /* which is rank 0 of another job in the file */
    assert_int_equal(stream_of(s, 3), 0); /* not in the file */
    step(s);
    assert_int_equal(peer_open_descriptors(), before);
}

static void a_rank_of_another_job_gets_the_stream_of_its_number(void **state)
{
    struct side *s = *state;

    ork_leaf_set_replay(s->leaf, &file);
    s->first = 2;
    assert_int_equal(stream_of(s, 0), sizeof(words));
}

static void without_a_replay_no_stream_is_sent(void **state)
{
    struct side *s = *state;
    struct peer peer;
    int sections, fd;

    join(s, &peer, 1);
    assert_int_equal(answer(&peer, &sections, &fd), FREE);
    assert_int_equal(fd, -1);
    close(sections);
    peer_detach(&peer);
}

static void all_ranks_share_the_memory_for_sections(void **state)
{
    struct side *s = *state;
    struct peer peer;
    struct stat first, second;
    int sections, fd;

    for (uint32_t rank = 0; rank < 2; rank++) {
        join(s, &peer, rank);
        assert_int_equal(answer(&peer, &sections, &fd), FREE);
        assert_int_equal(fstat(sections, rank == 0 ? &first : &second), 0);
        assert_int_equal(fcntl(sections, F_GET_SEALS), F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
        close(sections);
        peer_detach(&peer);
    }
    assert_int_equal(first.st_ino, second.st_ino);
    assert_int_equal(first.st_size, sizeof(struct ork_sections));
}

static void a_rank_without_a_number_is_accepted_and_left_alone(void **state)
{
    struct side *s = *state;
    struct peer peer;
    int sections, fd;

    ork_leaf_set_replay(s->leaf, &file);
    s->first = UINT32_MAX;
    join(s, &peer, 1);
    assert_int_equal(answer(&peer, &sections, &fd), FREE);
    assert_int_equal(fd, -1);
    assert_int_equal(s->unassigned, 1);
    close(sections);
    peer_detach(&peer);
}

static void the_rings_say_where_to_stop_and_whether_the_ranks_are_held(void **state)
{
    struct side *s = *state;
    const struct ork_order hold = {.kind = ORK_ORDER_HOLD, .hold = ORK_HOLD_ON};
    struct peer first, second;
    int fd, sections;

    ork_leaf_set_replay(s->leaf, &file);
    ork_leaf_set_stop(s->leaf, &(struct ork_stop){.rank = 1, .thread = 3, .choice = 5000000000});
    join(s, &first, 0);
    assert_int_equal(answer(&first, &sections, &fd), FOLLOWS);
    close(fd);
    close(sections);
    assert_true(atomic_load(&first.ring->stop_choice) == 0);
    assert_int_equal(atomic_load(&first.ring->hold), ORK_HOLD_NONE);
    assert_int_equal(ork_down_send(&s->down, &hold), ORK_OK);
    assert_int_equal(atomic_load(&first.ring->hold), ORK_HOLD_ON);
    join(s, &second, 1); /* late */
    assert_int_equal(answer(&second, &sections, &fd), FOLLOWS);
    close(fd);
    close(sections);
    assert_true(atomic_load(&second.ring->stop_choice) == 5000000000);
    assert_int_equal(atomic_load(&second.ring->stop_thread), 3);
    assert_int_equal(atomic_load(&second.ring->hold), ORK_HOLD_ON);
    peer_detach(&first);
    peer_detach(&second);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_leaf_order(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_bytes_in_the_page_follow_the_last_record),
        CASE(a_full_page_is_sent_with_its_pending_choices),
        CASE(an_empty_or_impossible_page_is_not_sent),
        CASE(the_end_waits_for_room_for_the_page),
        CASE(each_rank_gets_its_own_stream),
        CASE(a_rank_of_another_job_gets_the_stream_of_its_number),
        CASE(without_a_replay_no_stream_is_sent),
        CASE(all_ranks_share_the_memory_for_sections),
        CASE(a_rank_without_a_number_is_accepted_and_left_alone),
        CASE(the_rings_say_where_to_stop_and_whether_the_ranks_are_held),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

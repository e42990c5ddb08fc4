/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses of calls that returned, were not started, or have no partner by their arguments. */
#include "tests/unit/overlay/stage/describe_stage.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

static void send_at(struct script *s, uint32_t line, int32_t to, int32_t tag)
{
    place(s, line);
    script_send(s, to, tag);
}

static void recv_at(struct script *s, uint32_t line, int32_t from, int32_t tag)
{
    place(s, line);
    script_recv(s, from, tag);
}

static void barrier_at(struct script *s, uint32_t line)
{
    place(s, line);
    script_coll(s, ORK_COMM_WORLD, ORK_COLL_BARRIER);
}

/* A send that returns, whatever becomes of its message. */
static void isend_at(struct script *s, uint32_t line, int32_t to, int32_t tag)
{
    place(s, line);
    script_add(s, (struct ork_record){.kind = ORK_KIND_SEND,
                                      .flags = ORK_F_NONBLOCKING,
                                      .call = ORK_CALL_MPI_Isend,
                                      .site = (uint32_t)s->n + 1,
                                      .request = line,
                                      .peer = to,
                                      .tag = tag,
                                      .bytes = 8});
}

static const struct ork_near_miss *only_miss(const struct ork_finding *f, const char *differs)
{
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, differs);
    return &f->near_miss[0];
}

/* ---- messages to MPI_PROC_NULL ---- */

static void a_message_to_nobody_that_is_awaited_is_the_headline(void **state)
{
    struct state *s = *state;

    send_at(&s->script[1], 12, ORK_PROC_NULL, 4);
    barrier_at(&s->script[1], 14);
    recv_at(&s->script[2], 13, 1, 4);
    recv_at(&s->script[3], 13, 2, 4);
    barrier_at(&s->script[0], 14);
    const struct ork_finding *f = describe(s);
    assert_string_equal(only_miss(f, "null")->message,
                        "Rank 1 sends tag 4 to MPI_PROC_NULL (MPI_Send at ring.c:12), but rank 2 "
                        "waits for such a message from rank 1 (MPI_Recv at ring.c:13).");
    assert_non_null(strstr(f->message, "rank 1 sends tag 4 to MPI_PROC_NULL"));
    assert_true(has_remedy(f, "Let MPI_Send (ring.c:12) of rank 1 send to rank 2, which waits in "
                              "MPI_Recv (ring.c:13), and not to MPI_PROC_NULL; or remove that "
                              "receive."));
}

/* Rank 1 is at an end of the row, and sent to its other neighbour afterwards. */
static void a_message_to_nobody_before_one_that_was_received_is_none(void **state)
{
    struct state *s = *state;

    send_at(&s->script[1], 12, ORK_PROC_NULL, 4);
    send_at(&s->script[1], 13, 0, 4);
    recv_at(&s->script[0], 20, 1, 4);
    recv_at(&s->script[2], 21, 1, 4);
    for (uint32_t r = 0; r < RANKS; r++)
        barrier_at(&s->script[r], 14);
    assert_int_equal(describe(s)->num_near_misses, 0);
}

/* The next message of rank 1 may be the one that rank 2 waits for. */
static void a_message_to_nobody_of_a_rank_that_waits_for_the_receiver_is_none(void **state)
{
    struct state *s = *state;

    send_at(&s->script[1], 12, ORK_PROC_NULL, 4);
    recv_at(&s->script[1], 13, 2, 4);
    recv_at(&s->script[2], 13, 1, 4);
    barrier_at(&s->script[0], 14);
    barrier_at(&s->script[3], 14);
    assert_int_equal(describe(s)->num_near_misses, 0);
}

static void a_message_to_nobody_with_another_tag_is_none(void **state)
{
    struct state *s = *state;

    send_at(&s->script[1], 12, ORK_PROC_NULL, 5);
    recv_at(&s->script[2], 13, 1, 4);
    for (uint32_t r = 0; r < RANKS; r++)
        barrier_at(&s->script[r], 14);
    assert_int_equal(describe(s)->num_near_misses, 0);
}

static void a_message_to_nobody_is_below_one_with_another_tag(void **state)
{
    struct state *s = *state;

    isend_at(&s->script[1], 11, 2, 5);
    send_at(&s->script[1], 12, ORK_PROC_NULL, 4);
    recv_at(&s->script[2], 13, 1, 4);
    for (uint32_t r = 0; r < RANKS; r++)
        barrier_at(&s->script[r], 14);
    only_miss(describe(s), "tag");
}

/* ---- messages that nobody received ---- */

/* Rank 1 waits for rank 0, and rank 3 for rank 1: a root of three. */
static void add_chain(struct state *s)
{
    barrier_at(&s->script[0], 14);
    recv_at(&s->script[1], 13, 0, 4);
    barrier_at(&s->script[2], 14);
    recv_at(&s->script[3], 15, 1, 4);
}

static void a_message_to_a_rank_that_receives_no_more_is_the_headline(void **state)
{
    struct state *s = *state;

    isend_at(&s->script[0], 12, 2, 4);
    add_chain(s);
    const struct ork_finding *f = describe(s);
    only_miss(f, "destination");
    assert_string_equal(f->message, "rank 0 sends tag 4 to rank 2 (MPI_Isend at ring.c:12), but "
                                    "rank 1 waits for it (MPI_Recv at ring.c:13)");
}

/* Rank 3 would receive it after the message of rank 1. */
static void a_message_to_a_rank_that_may_still_receive_it_is_no_headline(void **state)
{
    struct state *s = *state;

    isend_at(&s->script[0], 12, 3, 4);
    add_chain(s);
    const struct ork_finding *f = describe(s);
    assert_non_null(strstr(f->message, "wait for each other"));
    only_miss(f, "destination");
}

static void the_first_message_is_the_one_that_is_awaited(void **state)
{
    struct state *s = *state;

    isend_at(&s->script[0], 11, 2, 4);
    isend_at(&s->script[0], 12, 1, 9);
    add_chain(s);
    only_miss(describe(s), "destination");
}

static void a_wrong_tag_comes_before_a_later_message_to_others(void **state)
{
    struct state *s = *state;

    isend_at(&s->script[0], 11, 1, 9);
    isend_at(&s->script[0], 12, 2, 4);
    add_chain(s);
    only_miss(describe(s), "tag");
}

/* ---- persistent requests ---- */

static void make_request(struct script *s, uint32_t line, bool is_send, int32_t peer)
{
    place(s, line);
    script_add(
        s, (struct ork_record){.kind = is_send ? ORK_KIND_SEND : ORK_KIND_RECV,
                               .flags = ORK_F_NONBLOCKING | ORK_F_PERSISTENT,
                               .call = is_send ? ORK_CALL_MPI_Ssend_init : ORK_CALL_MPI_Recv_init,
                               .site = (uint32_t)s->n + 1,
                               .peer = peer,
                               .tag = 3,
                               .request = 1});
}

static void start_request(struct script *s, uint32_t line)
{
    const uint32_t request = 1;

    place(s, line);
    script_list(s,
                (struct ork_record){
                    .kind = ORK_KIND_START, .call = ORK_CALL_MPI_Start, .site = (uint32_t)s->n + 1},
                &request, 1);
}

static void a_receive_that_was_not_started_is_named_to_a_persistent_sender(void **state)
{
    struct state *s = *state;

    make_request(&s->script[0], 20, true, 1);
    start_request(&s->script[0], 21);
    place(&s->script[0], 22);
    script_wait_all(&s->script[0], (const uint32_t[]){1}, 1);
    make_request(&s->script[1], 30, false, 0);
    for (uint32_t r = 0; r < RANKS; r++)
        barrier_at(&s->script[r], 40);
    const struct ork_finding *f = describe(s);
    assert_string_equal(only_miss(f, "start")->message,
                        "Rank 1 has a persistent receive from rank 0, tag 3, that is not started "
                        "(MPI_Recv_init at ring.c:30); rank 0 waits for it (MPI_Ssend_init at "
                        "ring.c:20).");
    assert_true(has_remedy(f, "Let rank 1 start the request of MPI_Recv_init (ring.c:30)."));
}

/* ---- MPI_Intercomm_create ---- */

/* Groups of ranks 0 and 1, and 2 and 3; their leaders are 0 and 2. */
static void connect(struct state *s, const int32_t remote[RANKS], const int32_t tag[RANKS])
{
    for (uint32_t r = 0; r < RANKS; r++) {
        struct script *script = &s->script[r];
        script_create(script, 2, r < 2 ? (const uint32_t[]){0, 1} : (const uint32_t[]){2, 3}, 2);
        place(script, 30 + r);
        script_add(script, (struct ork_record){.kind = ORK_KIND_COLL,
                                               .call = ORK_CALL_MPI_Intercomm_create,
                                               .mode = ORK_COLL_INTERCOMM_CREATE,
                                               .site = (uint32_t)script->n + 1,
                                               .comm = 2,
                                               .arg = 0,
                                               .peer = remote[r],
                                               .arg2 = ORK_COMM_WORLD,
                                               .tag = tag[r]});
    }
}

static void leaders_with_different_tags_are_named(void **state)
{
    connect(*state, (const int32_t[]){2, 2, 0, 0}, (const int32_t[]){0, 0, 1, 1});
    const struct ork_finding *f = describe(*state);
    only_miss(f, "tag");
    assert_string_equal(f->message,
                        "rank 0 passes tag 0 (MPI_Intercomm_create at ring.c:30), but rank 2 "
                        "passes tag 1 (MPI_Intercomm_create at ring.c:32)");
}

static void a_leader_that_names_no_leader_is_named(void **state)
{
    connect(*state, (const int32_t[]){3, 3, 0, 0}, (const int32_t[]){0, 0, 0, 0});
    const struct ork_finding *f = describe(*state);
    only_miss(f, "leader");
    assert_string_equal(f->message,
                        "rank 0 names rank 3 as the leader of the other group "
                        "(MPI_Intercomm_create at ring.c:30), but the leader of rank 3 is rank 2 "
                        "(MPI_Intercomm_create at ring.c:33)");
}

/* The tags are those of leaders alone: MPI-3.1 section 6.6.2. */
static void leaders_that_wait_for_a_member_differ_in_nothing(void **state)
{
    struct state *s = *state;

    connect(s, (const int32_t[]){2, 2, 0, 0}, (const int32_t[]){0, 5, 0, 7});
    for (uint32_t r = 0; r < RANKS; r++)
        recv_at(&s->script[r], 50, (int32_t)(r + 1) % RANKS, 0);
    assert_int_equal(describe(s)->num_near_misses, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, describe_set_up, describe_tear_down)

int test_describe_near(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_message_to_nobody_that_is_awaited_is_the_headline),
        CASE(a_message_to_nobody_before_one_that_was_received_is_none),
        CASE(a_message_to_nobody_of_a_rank_that_waits_for_the_receiver_is_none),
        CASE(a_message_to_nobody_with_another_tag_is_none),
        CASE(a_message_to_nobody_is_below_one_with_another_tag),
        CASE(a_message_to_a_rank_that_receives_no_more_is_the_headline),
        CASE(a_message_to_a_rank_that_may_still_receive_it_is_no_headline),
        CASE(the_first_message_is_the_one_that_is_awaited),
        CASE(a_wrong_tag_comes_before_a_later_message_to_others),
        CASE(a_receive_that_was_not_started_is_named_to_a_persistent_sender),
        CASE(leaders_with_different_tags_are_named),
        CASE(a_leader_that_names_no_leader_is_named),
        CASE(leaders_that_wait_for_a_member_differ_in_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What a programmer is told to do, and what is probably the mistake. */
#include "tests/unit/overlay/stage/describe_stage.h"
#include "tests/unit/overlay/stage/unit.h"

#include <string.h>

/* Others that wait for rank 0 and change nothing. */
static void add_waiters(struct state *s)
{
    script_recv(&s->script[2], 0, 50);
    script_recv(&s->script[3], 0, 50);
}

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

static void coll_at(struct script *s, uint32_t line, uint32_t comm, enum ork_coll coll)
{
    place(s, line);
    script_coll(s, comm, coll);
}

/* ---- remedies ---- */

static void who_sends_before_it_receives_is_told_which_calls_to_swap(void **state)
{
    struct state *s = *state;

    for (int32_t r = 0; r < 2; r++) {
        send_at(&s->script[r], 9, 1 - r, 0);
        recv_at(&s->script[r], 10, 1 - r, 0);
    }
    add_waiters(s);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_remedies, 1);
    assert_string_equal(f->remedy[0].message,
                        "Let one of ranks 0 and 1 receive before it sends: swap MPI_Send "
                        "(ring.c:9) and MPI_Recv (ring.c:10), or use MPI_Sendrecv.");
}

static void crossed_tags_are_an_order_and_no_wrong_tag(void **state)
{
    struct state *s = *state;

    send_at(&s->script[0], 9, 1, 1);
    send_at(&s->script[0], 10, 1, 2);
    recv_at(&s->script[1], 20, 0, 2);
    recv_at(&s->script[1], 21, 0, 1);
    add_waiters(s);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 0);
    assert_int_equal(f->num_remedies, 2);
    assert_true(has_remedy(f, "Let rank 1 call MPI_Recv (ring.c:21) before MPI_Recv (ring.c:20)."));
    assert_true(has_remedy(f, "Let rank 0 call MPI_Send (ring.c:10) before MPI_Send (ring.c:9)."));
}

static void what_a_rank_calls_later_is_named(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        if (r == 1)
            recv_at(&s->script[r], 20, 0, 0);
        coll_at(&s->script[r], 9, ORK_COMM_WORLD, ORK_COLL_BARRIER);
    }
    send_at(&s->script[0], 10, 1, 0);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_remedies, 2);
    assert_true(has_remedy(f, "Let rank 0 call MPI_Send (ring.c:10) before MPI_Barrier "
                              "(ring.c:9)."));
    assert_true(has_remedy(f, "Let rank 1 call MPI_Barrier (ring.c:9) before MPI_Recv "
                              "(ring.c:20)."));
}

static void a_message_to_oneself_is_to_be_received_before(void **state)
{
    struct state *s = *state;

    send_at(&s->script[0], 9, 0, 1);
    recv_at(&s->script[1], 10, 0, 0);
    add_waiters(s);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_remedies, 1);
    assert_string_equal(f->remedy[0].message,
                        "Let rank 0 start the receive of its own message (MPI_Irecv) before "
                        "MPI_Send (ring.c:9).");
}

/* ---- messages that just miss ---- */

static void equal_senders_are_one_sentence(void **state)
{
    struct state *s = *state;

    recv_at(&s->script[0], 20, ORK_ANY_SOURCE, 2);
    for (uint32_t r = 1; r < RANKS; r++)
        send_at(&s->script[r], 12, 0, 1);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_int_equal(f->near_miss[0].others, 0);
    assert_string_equal(f->near_miss[0].message,
                        "Ranks 1-3 send tag 1 to rank 0 (MPI_Send at ring.c:12), but rank 0 waits "
                        "for tag 2 (MPI_Recv at ring.c:20).");
}

static void equal_receivers_are_one_sentence(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 1; r < RANKS; r++)
        recv_at(&s->script[r], 20, 0, 2);
    for (uint32_t r = 1; r < RANKS; r++) {
        place(&s->script[0], 12);
        script_add(&s->script[0], (struct ork_record){.kind = ORK_KIND_SEND,
                                                      .flags = ORK_F_NONBLOCKING,
                                                      .call = ORK_CALL_MPI_Isend,
                                                      .site = (uint32_t)s->script[0].n + 1,
                                                      .peer = (int32_t)r,
                                                      .tag = 1,
                                                      .request = r});
    }
    script_wait_all(&s->script[0], (const uint32_t[]){1, 2, 3}, 3);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_non_null(strstr(f->near_miss[0].message, "but ranks 1-3 wait for tag 2 (MPI_Recv"));
}

/* Rank 0 takes one after the other: that the next ones have sent already is no mistake. */
static void messages_of_others_that_wait_their_turn_are_none(void **state)
{
    struct state *s = *state;

    recv_at(&s->script[0], 20, 1, 0);
    recv_at(&s->script[1], 30, 0, 0);
    send_at(&s->script[2], 12, 0, 0);
    send_at(&s->script[3], 12, 0, 0);
    assert_int_equal(describe(s)->num_near_misses, 0);
}

static void a_wildcard_that_took_the_message_is_named(void **state)
{
    struct state *s = *state;

    recv_at(&s->script[0], 9, ORK_ANY_SOURCE, 0);
    script_add(&s->script[0], (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 2, .tag = 0});
    recv_at(&s->script[0], 10, 2, 0);
    send_at(&s->script[1], 20, 0, 0);
    send_at(&s->script[2], 20, 0, 0);
    recv_at(&s->script[2], 30, 0, 1);
    recv_at(&s->script[3], 30, 0, 1);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "taken");
    assert_string_equal(
        f->near_miss[0].message,
        "Rank 0 waits for a message from rank 2 (MPI_Recv at ring.c:10), but its "
        "earlier receive from MPI_ANY_SOURCE took that message (MPI_Recv at "
        "ring.c:9); the message from rank 1 is still pending (MPI_Send at ring.c:20).");
    assert_int_equal(f->num_remedies, 1);
    assert_string_equal(f->remedy[0].message, "Let rank 0 name the source and tag of the message "
                                              "that it expects in MPI_Recv (ring.c:9).");
}

static void a_matched_probe_that_holds_the_message_is_named(void **state)
{
    struct state *s = *state;
    struct script *prober = &s->script[0];

    place(prober, 9);
    script_add(prober, (struct ork_record){.kind = ORK_KIND_PROBE,
                                           .flags = ORK_F_MATCHED,
                                           .call = ORK_CALL_MPI_Mprobe,
                                           .site = (uint32_t)prober->n + 1,
                                           .request = ORK_REQUEST_NULL,
                                           .peer = 1,
                                           .tag = 0});
    script_add(prober, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = 1, .tag = 0});
    recv_at(prober, 10, 1, 0);
    send_at(&s->script[1], 20, 0, 0);
    recv_at(&s->script[1], 21, 0, 1);
    add_waiters(s);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "taken");
    assert_string_equal(f->near_miss[0].message,
                        "Rank 0 waits for a message from rank 1 (MPI_Recv at ring.c:10), but its "
                        "matched probe took that message (MPI_Mprobe at ring.c:9), and only "
                        "MPI_Mrecv or MPI_Imrecv can receive it.");
    assert_true(has_remedy(f, "Let rank 0 receive the message of MPI_Mprobe (ring.c:9) with "
                              "MPI_Mrecv before MPI_Recv (ring.c:10), or name another message in "
                              "that probe."));
}

static void a_request_that_was_not_started_is_named(void **state)
{
    struct state *s = *state;

    recv_at(&s->script[0], 9, 1, 3);
    place(&s->script[1], 20);
    script_add(&s->script[1], (struct ork_record){.kind = ORK_KIND_SEND,
                                                  .flags = ORK_F_NONBLOCKING | ORK_F_PERSISTENT,
                                                  .call = ORK_CALL_MPI_Send_init,
                                                  .site = (uint32_t)s->script[1].n + 1,
                                                  .tag = 3,
                                                  .request = 1});
    recv_at(&s->script[1], 21, 0, 4);
    add_waiters(s);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "start");
    assert_non_null(strstr(f->near_miss[0].message,
                           "Rank 1 has a persistent send to rank 0, tag 3, that is not started "
                           "(MPI_Send_init"));
    assert_non_null(
        strstr(f->near_miss[0].message, "; rank 0 waits for it (MPI_Recv at ring.c:9)."));
}

/* ---- collective calls that just miss ---- */

static void a_rank_that_left_without_the_call_is_named(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        if (r != 2)
            coll_at(&s->script[r], 20, ORK_COMM_WORLD, ORK_COLL_BARRIER);
    }
    place(&s->script[2], 30);
    script_finalize(&s->script[2]);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "missing");
    assert_non_null(strstr(f->near_miss[0].message,
                           "Rank 2 never calls MPI_Barrier on MPI_COMM_WORLD: it is in "
                           "MPI_Finalize"));
    assert_non_null(
        strstr(f->near_miss[0].message, "ranks 0, 1 and 3 wait in that call (ring.c:20)."));
}

static void who_made_fewer_calls_is_told_with_numbers(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        for (unsigned i = 0; i < (r == 2 ? 4 : 5); i++)
            coll_at(&s->script[r], 20, ORK_COMM_WORLD, ORK_COLL_BARRIER);
    }
    script_finalize(&s->script[2]);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].message,
                        "Rank 2 is in MPI_Finalize after 4 collective calls on MPI_COMM_WORLD; "
                        "ranks 0, 1 and 3 wait in call number 5, MPI_Barrier (ring.c:20).");
}

static void the_same_call_on_two_communicators_is_named(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++)
        script_create(&s->script[r], 2, (const uint32_t[]){0, 1, 2, 3}, RANKS);
    for (uint32_t r = 0; r < RANKS; r++)
        coll_at(&s->script[r], r == 3 ? 30 : 20, r == 3 ? 2 : ORK_COMM_WORLD, ORK_COLL_BARRIER);
    const struct ork_finding *f = describe(s);
    assert_int_equal(f->num_near_misses, 1);
    assert_string_equal(f->near_miss[0].differs, "communicator");
    assert_non_null(strstr(f->near_miss[0].message, "MPI_Barrier (ring.c:20) on MPI_COMM_WORLD"));
    assert_non_null(
        strstr(f->near_miss[0].message, "it (ring.c:30) on MPI_Comm_create of MPI_COMM_WORLD"));
}

/* ---- collective calls that do not fit together ---- */

static const struct ork_finding *describe_issue(struct state *s)
{
    play(s);
    assert_int_equal(ork_detector_num_issues(s->d), 1);
    assert_int_equal(ork_describe_issue(s->d, s->sites, ork_detector_issue(s->d, 0), &s->finding),
                     ORK_OK);
    for (uint32_t i = 0; i < s->finding.num_details; i++)
        assert_string_not_equal(s->finding.detail[i], "");
    return &s->finding;
}

static void add_reduction(struct script *s, uint32_t line, int32_t root, uint32_t operation)
{
    place(s, line);
    script_add(s, (struct ork_record){.kind = ORK_KIND_COLL,
                                      .call = ORK_CALL_MPI_Reduce,
                                      .mode = ORK_COLL_REDUCE,
                                      .site = (uint32_t)s->n + 1,
                                      .peer = root,
                                      .arg = operation});
}

static void operations_that_differ_are_named(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++)
        add_reduction(&s->script[r], 20, 0, r == 1 ? 2 : 1);
    assert_non_null(strstr(describe_issue(s)->message,
                           "ranks pass different operations to MPI_Reduce on MPI_COMM_WORLD: "
                           "MPI_SUM at ranks 0, 2 and 3"));
    assert_non_null(strstr(s->finding.message, ", MPI_MAX at rank 1"));
}

static void roots_that_differ_are_named(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++)
        add_reduction(&s->script[r], 20, r == 1 ? 1 : 0, 1);
    assert_non_null(strstr(describe_issue(s)->message,
                           "ranks pass different roots to MPI_Reduce on MPI_COMM_WORLD: root 0 at "
                           "ranks 0, 2 and 3"));
    assert_non_null(strstr(s->finding.message, ", root 1 at rank 1"));
}

static void the_rank_that_a_root_is_in_a_communicator_is_said(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        script_create(&s->script[r], 2, (const uint32_t[]){2, 1, 0, 3}, RANKS);
        add_reduction(&s->script[r], 20, r == 1 ? 1 : 0, 1);
        s->script[r].record[s->script[r].n - 1].comm = 2;
    }
    assert_non_null(strstr(describe_issue(s)->message, "root 1 at rank 1"));
    assert_int_equal(s->finding.num_details, 2);
    assert_string_equal(s->finding.detail[1],
                        "Rank 0 of MPI_Comm_create of MPI_COMM_WORLD is rank 2.");
}

static void calls_that_differ_are_named(void **state)
{
    struct state *s = *state;

    for (uint32_t r = 0; r < RANKS; r++) {
        if (r == 1)
            add_reduction(&s->script[r], 21, 0, 1);
        else
            coll_at(&s->script[r], 20, ORK_COMM_WORLD, ORK_COLL_BARRIER);
    }
    assert_string_equal(describe_issue(s)->message,
                        "the collective calls on MPI_COMM_WORLD do not match: ranks 0, 2 and 3 "
                        "call MPI_Barrier (ring.c:20), but rank "
                        "1 calls MPI_Reduce (ring.c:21)");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, describe_set_up, describe_tear_down)

int test_describe_advice(void)
{
    const struct CMUnitTest tests[] = {
        CASE(who_sends_before_it_receives_is_told_which_calls_to_swap),
        CASE(crossed_tags_are_an_order_and_no_wrong_tag),
        CASE(what_a_rank_calls_later_is_named),
        CASE(a_message_to_oneself_is_to_be_received_before),
        CASE(equal_senders_are_one_sentence),
        CASE(equal_receivers_are_one_sentence),
        CASE(messages_of_others_that_wait_their_turn_are_none),
        CASE(a_wildcard_that_took_the_message_is_named),
        CASE(a_matched_probe_that_holds_the_message_is_named),
        CASE(a_request_that_was_not_started_is_named),
        CASE(a_rank_that_left_without_the_call_is_named),
        CASE(who_made_fewer_calls_is_told_with_numbers),
        CASE(the_same_call_on_two_communicators_is_named),
        CASE(operations_that_differ_are_named),
        CASE(roots_that_differ_are_named),
        CASE(the_rank_that_a_root_is_in_a_communicator_is_said),
        CASE(calls_that_differ_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

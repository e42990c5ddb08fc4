/* SPDX-License-Identifier: BSD-3-Clause */
/* Probing: small programs of which it is known what can happen. */
#include "tests/unit/detector/unit.h"
#include "tests/unit/interleave/programs.h"

/* ---- completion ---- */

static void matched_probe(struct ork_interleave *p, bool receives_first)
{
    struct ork_interleave_op op = write_message(0, ANY, 0);

    op.extract = true;
    uint32_t found = ork_interleave_post(p, &op);
    write_wait(p, 0, found);
    if (receives_first)
        ork_interleave_release(p, found);
    write_recv(p, 0, 1, 1);
    if (!receives_first)
        ork_interleave_release(p, found);
    write_send(p, 1, 0, 0);
    write_send(p, 1, 0, 1);
    write_ends(p, 2);
}

static void receives_too_late(struct ork_interleave *p)
{
    matched_probe(p, false);
}

static void receives_in_time(struct ork_interleave *p)
{
    matched_probe(p, true);
}

static void a_matched_probe_completes_the_send_when_its_message_is_received(void **state)
{
    (void)state;
    program_check(receives_in_time, 2, NULL);
    program_check(receives_too_late, 2, "DD");
}

static void waits_for_1(struct ork_interleave *p)
{
    write_recv(p, 0, 1, 0);
}

static void waits_for_1_that_ended(struct ork_interleave *p)
{
    waits_for_1(p);
    ork_interleave_set_end(p, 1, ORK_INTERLEAVE_ENDED);
}

static void who_has_ended_sends_nothing_and_others_may_do_anything(void **state)
{
    (void)state;
    program_check(waits_for_1, 2, NULL);
    program_check(waits_for_1_that_ended, 2, "DE");
}

static void wait_for_either(struct ork_interleave *p, enum ork_interleave_mode mode, uint32_t took)
{
    struct ork_interleave_part part[2];

    for (uint32_t i = 0; i < 2; i++)
        part[i] = (struct ork_interleave_part){.number = write_irecv(p, 0, 1 + i, 0)};
    ork_interleave_await(p, 0, mode, part, 2, took, 0);
    write_recv(p, 0, 3, 0);
}

static void any_of_none(struct ork_interleave *p)
{
    wait_for_either(p, ORK_INTERLEAVE_ANY_OF, 1);
    write_ends(p, 4);
}

static void any_of_those_told(struct ork_interleave *p)
{
    write_send(p, 1, 0, 0);
    any_of_none(p);
}

static void any_of_those_not_told(struct ork_interleave *p)
{
    write_send(p, 2, 0, 0);
    any_of_none(p);
}

static void a_wait_for_any_is_over_with_one(void **state)
{
    (void)state;
    program_check(any_of_none, 4, "DEEE");
    program_check(any_of_those_told, 4, "DEEE"); /* in the next receive */
    program_check(any_of_those_not_told, 4, NULL);
}

static void tested(struct ork_interleave *p)
{
    wait_for_either(p, ORK_INTERLEAVE_SOFT, 0);
    write_ends(p, 4);
}

static void tested_with_success(struct ork_interleave *p)
{
    write_send(p, 1, 0, 0);
    write_send(p, 2, 0, 0);
    tested(p);
}

static void a_test_waits_for_nothing_and_tells_what_follows(void **state)
{
    (void)state;
    program_check(tested, 4, NULL);
    program_check(tested_with_success, 4, "DEEE");
}

static void probe_and_receive(struct ork_interleave *p, uint32_t found)
{
    struct ork_interleave_op op = write_message(0, ANY, 0);

    op.took = found;
    op.took_tag = 0;
    ork_interleave_peek(p, &op, 0);
    write_recv(p, 0, 1, 0);
    write_recv(p, 0, 1, 0);
    for (uint32_t r = 1; r < 3; r++)
        write_send(p, r, 0, 0);
    write_ends(p, 3);
}

static void probes_that_of_1(struct ork_interleave *p)
{
    probe_and_receive(p, 1);
}

static void probes_that_of_nobody(struct ork_interleave *p)
{
    struct ork_interleave_op op = write_message(0, ANY, 7);

    ork_interleave_peek(p, &op, 0);
    write_send(p, 1, 0, 0);
    write_ends(p, 2);
}

static void a_probe_takes_nothing(void **state)
{
    (void)state;
    program_check(probes_that_of_1, 3, "DED");
    program_check(probes_that_of_nobody, 2, "DD");
}

/* ---- collectives ---- */

static void barrier_without_2(struct ork_interleave *p)
{
    uint32_t wave = ork_interleave_wave(p, 0, false, 0);

    write_arrive(p, 0, wave);
    write_arrive(p, 1, wave);
    write_recv(p, 2, 0, 0);
}

static void barrier_with_2(struct ork_interleave *p)
{
    uint32_t wave = ork_interleave_wave(p, 0, false, 0);

    write_arrive(p, 0, wave);
    write_arrive(p, 1, wave);
    write_arrive(p, 2, wave);
    write_recv(p, 2, 0, 0);
    write_send(p, 0, 2, 0);
}

static void who_is_in_a_collective_waits_for_those_who_are_not(void **state)
{
    (void)state;
    program_check(barrier_without_2, 3, "DDD");
    program_check(barrier_with_2, 3, NULL);
}

/* ---- what a rank does that got another message than in the run ---- */

/* Rank 0 took the message of 1, then does something with `peer`; rank 2 sends to it as well. */
static void turns_to(struct ork_interleave *p, uint32_t peer, enum took status)
{
    write_recv_that_took(p, 0, 1, status);
    write_recv(p, 0, peer, 0);
    write_send(p, 1, 0, 0);
    write_send(p, 2, 0, 0);
    write_ends(p, 4);
}

static void turns_to_2_blindly(struct ork_interleave *p)
{
    turns_to(p, 2, IGNORED);
}

static void turns_to_2_after_a_look(struct ork_interleave *p)
{
    turns_to(p, 2, LOOKED_AT);
}

static void turns_to_2_perhaps_because_it_was_1(struct ork_interleave *p)
{
    turns_to(p, 2, SUPPOSED_IGNORED);
}

static void turns_to_1_blindly(struct ork_interleave *p)
{
    write_recv_that_took(p, 0, 1, IGNORED);
    write_recv(p, 0, 1, 1);
    write_send(p, 1, 0, 0);
    write_send(p, 1, 0, 1);
    write_send(p, 2, 0, 0);
}

static void another_source_is_tried_if_the_program_cannot_know_it(void **state)
{
    (void)state;
    program_check(turns_to_2_blindly, 4, "DDEE");
    program_check(turns_to_2_after_a_look, 4, NULL);
    program_check(turns_to_2_perhaps_because_it_was_1, 4, NULL);
    program_check(turns_to_1_blindly, 3, NULL);
}

/* Rank 0 starts a receive that took the message of 2 in the run, and one from 1. It waits for both
 * only after two more messages of 1. */
static void turns_to_1_before_a_wait(struct ork_interleave *p)
{
    uint32_t any = write_irecv(p, 0, ANY, 0), of_1 = write_irecv(p, 0, 1, 0);
    struct ork_interleave_op *is = ork_interleave_change(p, any);

    is->took = 2;
    is->took_tag = 0;
    is->may_differ = is->looked = true;
    for (int32_t tag = 0; tag < 3; tag++)
        write_send(p, 1, 0, tag);
    write_send(p, 2, 0, 0);
    write_recv(p, 0, 1, 1); /* the receive from any source is decided for this one */
    write_recv(p, 0, 1, 2);
    write_wait(p, 0, of_1);
    write_wait(p, 0, any);
    write_ends(p, 3);
}

static void a_rank_knows_no_source_before_it_waits(void **state)
{
    (void)state;
    program_check(turns_to_1_before_a_wait, 3, "DED");
}

/* Rank 0 takes messages of 2, 3 and 4 and tells rank 1, which answers them. Without what it is told
 * rank 1 would turn to 2 although 3 and 4 came first, and all would wait. */
static void answers_through_1(struct ork_interleave *p, bool by_message)
{
    const uint32_t pair[2] = {0, 1};
    uint32_t both = ork_interleave_group(p, pair, 2);

    for (uint32_t i = 2; i <= 4; i++) {
        write_recv_that_took(p, 0, i, IGNORED);
        if (by_message) {
            write_send(p, 0, 1, 0);
            write_recv(p, 1, 0, 0);
        } else {
            uint32_t wave = ork_interleave_wave(p, both, false, 0);
            write_arrive(p, 0, wave);
            write_arrive(p, 1, wave);
        }
        write_send(p, 1, i, 0);
        write_send(p, i, 0, 0);
        write_recv(p, i, 1, 0);
    }
    write_ends(p, 5);
}

static void told_by_messages(struct ork_interleave *p)
{
    answers_through_1(p, true);
}

static void told_by_collectives(struct ork_interleave *p)
{
    answers_through_1(p, false);
}

static void a_rank_that_is_told_of_another_source_may_act_otherwise(void **state)
{
    (void)state;
    program_check(told_by_messages, 5, NULL);
    program_check(told_by_collectives, 5, NULL);
}

int test_semantics(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matched_probe_completes_the_send_when_its_message_is_received),
        cmocka_unit_test(who_has_ended_sends_nothing_and_others_may_do_anything),
        cmocka_unit_test(a_wait_for_any_is_over_with_one),
        cmocka_unit_test(a_test_waits_for_nothing_and_tells_what_follows),
        cmocka_unit_test(a_probe_takes_nothing),
        cmocka_unit_test(who_is_in_a_collective_waits_for_those_who_are_not),
        cmocka_unit_test(another_source_is_tried_if_the_program_cannot_know_it),
        cmocka_unit_test(a_rank_knows_no_source_before_it_waits),
        cmocka_unit_test(a_rank_that_is_told_of_another_source_may_act_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

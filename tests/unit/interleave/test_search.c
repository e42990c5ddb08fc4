/* SPDX-License-Identifier: BSD-3-Clause */
/* Probing: small programs of which it is known what can happen. */
#include "tests/unit/detector/unit.h"

#include "interleave/interleave.h"
#include "tests/unit/detector/memory.h"

enum { ANY_TAG = -1 };
static const uint32_t ANY = ORK_INTERLEAVE_ANY;

static const struct ork_interleave_options plain;
static const struct ork_interleave_options variant[] = {
    {0},
    {.no_filter = true},
    {.no_filter = true, .no_components = true},
    {.no_filter = true, .no_persistent = true},
    {.no_filter = true, .no_memo = true},
    {.no_filter = true, .no_symmetry = true},
    {.no_filter = true,
     .no_components = true,
     .no_persistent = true,
     .no_memo = true,
     .no_symmetry = true},
};
enum { VARIANTS = sizeof(variant) / sizeof(variant[0]) };

/* ---- writing programs; group 0 are all ranks ---- */

static struct ork_interleave *create(uint32_t ranks)
{
    struct ork_interleave *p = NULL;
    uint32_t member[64];

    assert_in_range(ranks, 1, 64);
    if (ork_interleave_create(ranks, &p) != ORK_OK)
        return NULL;
    for (uint32_t r = 0; r < ranks; r++)
        member[r] = r;
    ork_interleave_group(p, member, ranks);
    return p;
}

static struct ork_interleave_op message(uint32_t rank, uint32_t peer, int32_t tag)
{
    return (struct ork_interleave_op){
        .rank = rank, .peer = peer, .tag = tag, .took = ANY, .took_tag = ANY_TAG, .info = rank};
}

static uint32_t isend(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    struct ork_interleave_op op = message(rank, peer, tag);

    op.is_send = true;
    return ork_interleave_post(p, &op);
}

static uint32_t irecv(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    struct ork_interleave_op op = message(rank, peer, tag);

    return ork_interleave_post(p, &op);
}

static void wait_for(struct ork_interleave *p, uint32_t rank, uint32_t op)
{
    const struct ork_interleave_part part = {.is_whole = true, .number = op};

    ork_interleave_await(p, rank, ORK_INTERLEAVE_ALL, &part, 1, 0, 100 + rank);
}

static void send(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    wait_for(p, rank, isend(p, rank, peer, tag));
}

static void recv(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag)
{
    wait_for(p, rank, irecv(p, rank, peer, tag));
}

/* A receive from anybody that took the message of `source`, and may take another one. */
enum status { IGNORED, LOOKED_AT, SUPPOSED_IGNORED };
static void recv_any_took(struct ork_interleave *p, uint32_t rank, uint32_t source,
                          enum status status)
{
    uint32_t op = irecv(p, rank, ANY, 0);
    struct ork_interleave_op *is = ork_interleave_change(p, op);

    is->took = source;
    is->took_tag = 0;
    is->may_differ = true;
    is->blind = status != LOOKED_AT;
    is->looked = status != IGNORED;
    wait_for(p, rank, op);
}

static void arrive(struct ork_interleave *p, uint32_t rank, uint32_t wave)
{
    const struct ork_interleave_part part = {.is_whole = true, .is_wave = true, .number = wave};

    ork_interleave_arrive(p, rank, wave);
    ork_interleave_await(p, rank, ORK_INTERLEAVE_ALL, &part, 1, 0, 100 + rank);
}

static void end_all(struct ork_interleave *p, uint32_t ranks)
{
    for (uint32_t r = 0; r < ranks; r++)
        ork_interleave_set_end(p, r, ORK_INTERLEAVE_ENDED);
}

/* ---- asking ---- */

static enum ork_interleave_result search_with(struct ork_interleave *p,
                                              const struct ork_interleave_options *options)
{
    enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;

    assert_int_equal(ork_interleave_search(p, options, &result), ORK_OK);
    return result;
}

static void assert_deadlocked(const struct ork_interleave *p, const char *ranks)
{
    char is[65] = "";

    for (uint32_t r = 0; ranks[r] != '\0'; r++) {
        struct ork_interleave_position place = ork_interleave_position(p, r);
        is[r] = place.ended ? 'E' : place.deadlocked ? 'D' : '-';
        is[r + 1] = '\0';
    }
    assert_string_equal(is, ranks);
}

/* With and without each short cut, and once more with what was remembered. D: deadlocked, E: has
 * ended; NULL: no deadlock is possible. */
static void check(void (*write)(struct ork_interleave *p), uint32_t ranks, const char *deadlocked)
{
    for (unsigned v = 0; v < VARIANTS; v++) {
        struct ork_interleave *p = create(ranks);
        write(p);
        enum ork_interleave_result result = search_with(p, &variant[v]);
        assert_int_equal(result,
                         deadlocked == NULL ? ORK_INTERLEAVE_SAFE : ORK_INTERLEAVE_DEADLOCK);
        if (deadlocked != NULL)
            assert_deadlocked(p, deadlocked);
        assert_int_equal(search_with(p, &variant[v]), result);
        ork_interleave_destroy(p);
    }
}

static uint64_t states_of(void (*write)(struct ork_interleave *p), uint32_t ranks,
                          const struct ork_interleave_options *options)
{
    struct ork_interleave *p = create(ranks);

    write(p);
    assert_int_equal(search_with(p, options), ORK_INTERLEAVE_SAFE);
    uint64_t states = ork_interleave_statistics(p).states;
    ork_interleave_destroy(p);
    return states;
}

/* ---- decisions ---- */

static void first_any_takes_from_1(struct ork_interleave *p)
{
    send(p, 0, 1, 0);
    recv(p, 1, ANY, 0);
    recv(p, 1, 2, 0);
    send(p, 2, 1, 0);
    end_all(p, 3);
}

static void a_receive_of_anybody_may_take_what_the_next_one_needs(void **state)
{
    (void)state;
    check(first_any_takes_from_1, 3, "DDE");
}

/* The message that closes the circle is sent only after another receive of anybody was decided. */
static void deferred(struct ork_interleave *p)
{
    recv(p, 0, ANY, 0);
    recv(p, 0, 1, 0);
    recv(p, 1, ANY, 0);
    send(p, 1, 0, 0);
    wait_for(p, 2, isend(p, 2, 0, 0));
    send(p, 3, 1, 0);
    end_all(p, 4);
}

static void a_decision_may_have_to_wait_for_a_later_message(void **state)
{
    (void)state;
    check(deferred, 4, "DEDE");
}

static void the_decisions_of_a_deadlock_are_told_in_order(void **state)
{
    (void)state;
    struct ork_interleave *p = create(3);

    first_any_takes_from_1(p);
    assert_int_equal(search_with(p, &plain), ORK_INTERLEAVE_DEADLOCK);
    assert_int_equal(ork_interleave_num_decisions(p), 1);
    struct ork_interleave_decision d = ork_interleave_decision(p, 0);
    assert_int_equal(ork_interleave_op(p, d.receive)->rank, 1);
    assert_int_equal(ork_interleave_op(p, d.send)->rank, 2);
    assert_false(d.differs);
    assert_true(ork_interleave_position(p, 1).inside);
    assert_int_equal(ork_interleave_position(p, 1).info, 101);
    assert_true(ork_interleave_position(p, 2).ended);
    struct ork_interleave_graph g = ork_interleave_take_graph(p);
    assert_int_equal(ork_wfg_num_bottom(g.wfg), 1);
    ork_interleave_graph_release(&g);
    ork_interleave_destroy(p);
}

/* ---- what need not be searched ---- */

enum { WORKERS = 8, MESSAGES = 8 };

static void farm(struct ork_interleave *p)
{
    for (uint32_t i = 0; i < WORKERS * MESSAGES; i++)
        recv(p, 0, ANY, 0);
    for (uint32_t r = 1; r <= WORKERS; r++) {
        for (uint32_t i = 0; i < MESSAGES; i++)
            send(p, r, 0, 0);
    }
    end_all(p, WORKERS + 1);
}

static void a_master_that_takes_all_that_comes_needs_no_search(void **state)
{
    (void)state;
    assert_int_equal(states_of(farm, WORKERS + 1, &plain), 0);
}

static void one_message_each(struct ork_interleave *p)
{
    for (uint32_t r = 1; r <= 10; r++) {
        recv(p, 0, ANY, 0);
        send(p, r, 0, 0);
    }
    end_all(p, 11);
}

static void senders_that_are_alike_are_tried_once(void **state)
{
    (void)state;
    struct ork_interleave_options options = {.no_filter = true};

    /* one more: the ranks that no decision concerns */
    assert_in_range(states_of(one_message_each, 11, &options), 1, 12);
    options.no_symmetry = true; /* then: which of them were received already */
    assert_int_equal(states_of(one_message_each, 11, &options), (1 << 10) + 1);
}

enum { TRIPLES = 6 };

/* Two senders to each of several receivers, each with a way out of the filter's reach. */
static void triples(struct ork_interleave *p)
{
    for (uint32_t r = 0; r < 3 * TRIPLES; r += 3) {
        for (int i = 0; i < 4; i++) {
            recv(p, r, ANY, i % 2);
            send(p, r + 1 + (uint32_t)i / 2, r, i % 2);
        }
    }
    end_all(p, 3 * TRIPLES);
}

static void ranks_that_share_nothing_are_searched_one_after_the_other(void **state)
{
    (void)state;
    struct ork_interleave_options options = {.no_filter = true, .no_persistent = true};
    struct ork_interleave *p = create(3 * TRIPLES);

    triples(p);
    assert_int_equal(search_with(p, &options), ORK_INTERLEAVE_SAFE);
    struct ork_interleave_statistics apart = ork_interleave_statistics(p);
    assert_int_equal(apart.components, TRIPLES);
    assert_int_equal(apart.open_components, TRIPLES);
    ork_interleave_destroy(p);
    options.no_components = true;
    assert_true(states_of(triples, 3 * TRIPLES, &options) > 4 * apart.states);
}

/* ---- stopping ---- */

static bool is_expired(void *context)
{
    ++*(unsigned *)context;
    return true;
}

static void a_search_that_was_stopped_goes_on_where_it_was(void **state)
{
    (void)state;
    unsigned stops = 0;
    struct ork_interleave_options options = {.no_filter = true, .no_symmetry = true};
    uint64_t states = states_of(one_message_each, 11, &options);
    struct ork_interleave *p = create(11);

    options.expired = is_expired;
    options.context = &stops;
    one_message_each(p);
    while (search_with(p, &options) == ORK_INTERLEAVE_STOPPED)
        assert_true(stops < 1000);
    assert_in_range(stops, 5, 1000);
    assert_in_range(ork_interleave_statistics(p).states, states, states + stops * UINT64_C(11));
    ork_interleave_destroy(p);
}

static void a_deadlock_is_found_after_a_stop(void **state)
{
    (void)state;
    unsigned stops = 0;
    const struct ork_interleave_options options = {
        .no_filter = true, .no_symmetry = true, .expired = is_expired, .context = &stops};
    struct ork_interleave *p = create(12);

    one_message_each(p);
    recv(p, 0, 11, 1); /* when all is received, and it never comes */
    ork_interleave_set_end(p, 11, ORK_INTERLEAVE_ENDED);
    enum ork_interleave_result result;
    while ((result = search_with(p, &options)) == ORK_INTERLEAVE_STOPPED)
        assert_true(stops < 1000);
    assert_int_equal(result, ORK_INTERLEAVE_DEADLOCK);
    assert_int_equal(ork_interleave_num_decisions(p), 10);
    ork_interleave_destroy(p);
}

/* ---- completion ---- */

static void matched_probe(struct ork_interleave *p, bool receives_first)
{
    struct ork_interleave_op op = message(0, ANY, 0);

    op.extract = true;
    uint32_t found = ork_interleave_post(p, &op);
    wait_for(p, 0, found);
    if (receives_first)
        ork_interleave_release(p, found);
    recv(p, 0, 1, 1);
    if (!receives_first)
        ork_interleave_release(p, found);
    send(p, 1, 0, 0);
    send(p, 1, 0, 1);
    end_all(p, 2);
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
    check(receives_in_time, 2, NULL);
    check(receives_too_late, 2, "DD");
}

static void waits_for_1(struct ork_interleave *p)
{
    recv(p, 0, 1, 0);
}

static void waits_for_1_that_ended(struct ork_interleave *p)
{
    waits_for_1(p);
    ork_interleave_set_end(p, 1, ORK_INTERLEAVE_ENDED);
}

static void who_has_ended_sends_nothing_and_others_may_do_anything(void **state)
{
    (void)state;
    check(waits_for_1, 2, NULL);
    check(waits_for_1_that_ended, 2, "DE");
}

static void wait_for_either(struct ork_interleave *p, enum ork_interleave_mode mode, uint32_t took)
{
    struct ork_interleave_part part[2];

    for (uint32_t i = 0; i < 2; i++)
        part[i] = (struct ork_interleave_part){.number = irecv(p, 0, 1 + i, 0)};
    ork_interleave_await(p, 0, mode, part, 2, took, 0);
    recv(p, 0, 3, 0);
}

static void any_of_none(struct ork_interleave *p)
{
    wait_for_either(p, ORK_INTERLEAVE_ANY_OF, 1);
    end_all(p, 4);
}

static void any_of_those_told(struct ork_interleave *p)
{
    send(p, 1, 0, 0);
    any_of_none(p);
}

static void any_of_those_not_told(struct ork_interleave *p)
{
    send(p, 2, 0, 0);
    any_of_none(p);
}

static void a_wait_for_any_is_over_with_one(void **state)
{
    (void)state;
    check(any_of_none, 4, "DEEE");
    check(any_of_those_told, 4, "DEEE"); /* in the next receive */
    check(any_of_those_not_told, 4, NULL);
}

static void tested(struct ork_interleave *p)
{
    wait_for_either(p, ORK_INTERLEAVE_SOFT, 0);
    end_all(p, 4);
}

static void tested_with_success(struct ork_interleave *p)
{
    send(p, 1, 0, 0);
    send(p, 2, 0, 0);
    tested(p);
}

static void a_test_waits_for_nothing_and_tells_what_follows(void **state)
{
    (void)state;
    check(tested, 4, NULL);
    check(tested_with_success, 4, "DEEE");
}

static void probe_and_receive(struct ork_interleave *p, uint32_t found)
{
    struct ork_interleave_op op = message(0, ANY, 0);

    op.took = found;
    op.took_tag = 0;
    ork_interleave_peek(p, &op, 0);
    recv(p, 0, 1, 0);
    recv(p, 0, 1, 0);
    for (uint32_t r = 1; r < 3; r++)
        send(p, r, 0, 0);
    end_all(p, 3);
}

static void probes_that_of_1(struct ork_interleave *p)
{
    probe_and_receive(p, 1);
}

static void probes_that_of_nobody(struct ork_interleave *p)
{
    struct ork_interleave_op op = message(0, ANY, 7);

    ork_interleave_peek(p, &op, 0);
    send(p, 1, 0, 0);
    end_all(p, 2);
}

static void a_probe_takes_nothing(void **state)
{
    (void)state;
    check(probes_that_of_1, 3, "DED");
    check(probes_that_of_nobody, 2, "DD");
}

/* ---- collectives ---- */

static void barrier_without_2(struct ork_interleave *p)
{
    uint32_t wave = ork_interleave_wave(p, 0, false, 0);

    arrive(p, 0, wave);
    arrive(p, 1, wave);
    recv(p, 2, 0, 0);
}

static void barrier_with_2(struct ork_interleave *p)
{
    uint32_t wave = ork_interleave_wave(p, 0, false, 0);

    arrive(p, 0, wave);
    arrive(p, 1, wave);
    arrive(p, 2, wave);
    recv(p, 2, 0, 0);
    send(p, 0, 2, 0);
}

static void who_is_in_a_collective_waits_for_those_who_are_not(void **state)
{
    (void)state;
    check(barrier_without_2, 3, "DDD");
    check(barrier_with_2, 3, NULL);
}

/* ---- what a rank does that got another message than in the run ---- */

/* Rank 0 took the message of 1, then does something with `peer`; rank 2 sends to it as well. */
static void turns_to(struct ork_interleave *p, uint32_t peer, enum status status)
{
    recv_any_took(p, 0, 1, status);
    recv(p, 0, peer, 0);
    send(p, 1, 0, 0);
    send(p, 2, 0, 0);
    end_all(p, 4);
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
    recv_any_took(p, 0, 1, IGNORED);
    recv(p, 0, 1, 1);
    send(p, 1, 0, 0);
    send(p, 1, 0, 1);
    send(p, 2, 0, 0);
}

static void another_source_is_tried_if_the_program_cannot_know_it(void **state)
{
    (void)state;
    check(turns_to_2_blindly, 4, "DDEE");
    check(turns_to_2_after_a_look, 4, NULL);
    check(turns_to_2_perhaps_because_it_was_1, 4, NULL);
    check(turns_to_1_blindly, 3, NULL);
}

/* Rank 0 takes messages of 2, 3 and 4 and tells rank 1, which answers them. Without what it is told
 * rank 1 would turn to 2 although 3 and 4 came first, and all would wait. */
static void answers_through_1(struct ork_interleave *p, bool by_message)
{
    const uint32_t pair[2] = {0, 1};
    uint32_t both = ork_interleave_group(p, pair, 2);

    for (uint32_t i = 2; i <= 4; i++) {
        recv_any_took(p, 0, i, IGNORED);
        if (by_message) {
            send(p, 0, 1, 0);
            recv(p, 1, 0, 0);
        } else {
            uint32_t wave = ork_interleave_wave(p, both, false, 0);
            arrive(p, 0, wave);
            arrive(p, 1, wave);
        }
        send(p, 1, i, 0);
        send(p, i, 0, 0);
        recv(p, i, 1, 0);
    }
    end_all(p, 5);
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
    check(told_by_messages, 5, NULL);
    check(told_by_collectives, 5, NULL);
}

/* ---- errors ---- */

static void assert_invalid(struct ork_interleave *p)
{
    enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;

    send(p, 0, 1, 0); /* makes no difference any more */
    assert_int_equal(ork_interleave_search(p, &plain, &result), ORK_INVALID);
    assert_int_equal(result, ORK_INTERLEAVE_STOPPED);
    ork_interleave_destroy(p);
}

static void numbers_that_name_nothing_are_invalid(void **state)
{
    (void)state;
    const uint32_t nobody = 9;
    struct ork_interleave_part part = {.number = 0};
    struct ork_interleave_op op = message(0, ANY, 0);
    struct ork_interleave *p = create(2);

    assert_int_equal(ork_interleave_group(p, &nobody, 1), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = create(2);
    assert_int_equal(ork_interleave_wave(p, 7, false, 0), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = create(2);
    assert_int_equal(isend(p, 2, 0, 0), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = create(2);
    assert_int_equal(isend(p, 0, 2, 0), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = create(2);
    assert_int_equal(isend(p, 0, ANY, 0), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = create(2);
    op.group = 1;
    assert_int_equal(ork_interleave_post(p, &op), ORK_INTERLEAVE_NONE);
    assert_invalid(p);
    p = create(2);
    ork_interleave_peek(p, &op, 0);
    assert_invalid(p);
    p = create(2);
    ork_interleave_await(p, 0, ORK_INTERLEAVE_ALL, &part, 1, 0, 0);
    assert_invalid(p);
    p = create(2);
    ork_interleave_arrive(p, 0, 0);
    assert_invalid(p);
    p = create(2);
    ork_interleave_release(p, 0);
    assert_invalid(p);
    p = create(2);
    ork_interleave_set_end(p, 2, ORK_INTERLEAVE_ENDED);
    assert_invalid(p);
}

static void who_is_not_in_a_group_cannot_arrive(void **state)
{
    (void)state;
    struct ork_interleave *p = create(2);
    const uint32_t first = 0;
    uint32_t wave = ork_interleave_wave(p, ork_interleave_group(p, &first, 1), false, 0);

    ork_interleave_arrive(p, 1, wave);
    assert_invalid(p);
}

static void after_an_error_there_is_still_an_operation_to_change(void **state)
{
    (void)state;
    struct ork_interleave *p = create(2);

    ork_interleave_change(p, isend(p, 2, 0, 0))->took = 1;
    assert_invalid(p);
}

/* ---- memory ---- */

/* Returns whether all went well. */
static bool run_with(long succeed, void (*write)(struct ork_interleave *p), uint32_t ranks,
                     enum ork_interleave_result expected)
{
    enum ork_interleave_result result = ORK_INTERLEAVE_STOPPED;
    const struct ork_interleave_options options = {.no_filter = true};
    enum ork_status status = ORK_NOMEM;

    memory_arm(succeed);
    struct ork_interleave *p = create(ranks);
    if (p != NULL) {
        write(p);
        status = ork_interleave_search(p, &options, &result);
    }
    bool failed = memory_failures() > 0;
    if (status == ORK_OK) /* without room to remember what was searched it goes on */
        assert_int_equal(result, expected);
    else
        assert_int_equal(status, ORK_NOMEM);
    if (!failed)
        assert_int_equal(status, ORK_OK);
    ork_interleave_destroy(p);
    memory_disarm();
    assert_int_equal(memory_live(), 0);
    return !failed;
}

static void memory_that_runs_out_never_gives_a_wrong_result_and_never_leaks(void **state)
{
    (void)state;
    long n = 0;

    while (!run_with(n, deferred, 4, ORK_INTERLEAVE_DEADLOCK))
        n++;
    assert_true(n > 30);
    n = 0;
    while (!run_with(n, told_by_collectives, 5, ORK_INTERLEAVE_SAFE))
        n++;
    assert_true(n > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_receive_of_anybody_may_take_what_the_next_one_needs),
        cmocka_unit_test(a_decision_may_have_to_wait_for_a_later_message),
        cmocka_unit_test(the_decisions_of_a_deadlock_are_told_in_order),
        cmocka_unit_test(a_master_that_takes_all_that_comes_needs_no_search),
        cmocka_unit_test(senders_that_are_alike_are_tried_once),
        cmocka_unit_test(ranks_that_share_nothing_are_searched_one_after_the_other),
        cmocka_unit_test(a_search_that_was_stopped_goes_on_where_it_was),
        cmocka_unit_test(a_deadlock_is_found_after_a_stop),
        cmocka_unit_test(a_matched_probe_completes_the_send_when_its_message_is_received),
        cmocka_unit_test(who_has_ended_sends_nothing_and_others_may_do_anything),
        cmocka_unit_test(a_wait_for_any_is_over_with_one),
        cmocka_unit_test(a_test_waits_for_nothing_and_tells_what_follows),
        cmocka_unit_test(a_probe_takes_nothing),
        cmocka_unit_test(who_is_in_a_collective_waits_for_those_who_are_not),
        cmocka_unit_test(another_source_is_tried_if_the_program_cannot_know_it),
        cmocka_unit_test(a_rank_that_is_told_of_another_source_may_act_otherwise),
        cmocka_unit_test(numbers_that_name_nothing_are_invalid),
        cmocka_unit_test(who_is_not_in_a_group_cannot_arrive),
        cmocka_unit_test(after_an_error_there_is_still_an_operation_to_change),
        cmocka_unit_test(memory_that_runs_out_never_gives_a_wrong_result_and_never_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

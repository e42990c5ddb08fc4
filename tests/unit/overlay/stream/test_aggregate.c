/* SPDX-License-Identifier: BSD-3-Clause */
/* One join, by hand: what it holds, and what lets it go. */
#include "tests/unit/overlay/stage/unit.h"
#include "tests/unit/overlay/stage/wave.h"

#include <string.h>

enum { RANKS = 12, MS = 1000000 };

struct scene {
    struct ork_aggregate *join;
    unsigned waves;
    unsigned ranks, arrivals; /* of the latest */
    uint32_t index, group;
    enum ork_status status; /* of the sink */
};

static enum ork_status note_wave(void *context, const struct ork_event *event)
{
    const struct ork_wave *wave = event->wave;
    struct scene *s = context;

    wave_assert_tidy(wave);
    s->waves++;
    s->ranks = wave_ranks(wave);
    s->arrivals = wave->num_group_records;
    s->index = wave->index;
    s->group = wave->group;
    return s->status;
}

static int set_up(void **state)
{
    static struct scene s;
    const struct ork_up sink = {.context = &s, .deliver = note_wave};

    memset(&s, 0, sizeof(s));
    *state = &s;
    return ork_aggregate_create(&sink, &s.join) != ORK_OK;
}

static int tear_down(void **state)
{
    struct scene *s = *state;

    ork_aggregate_destroy(s->join);
    return 0;
}

/* Rank `rank` is a stream of its own. */
static enum ork_status come_in(struct scene *s, uint32_t group, uint32_t rank, uint32_t comm,
                               uint32_t index, uint64_t bytes, uint64_t at)
{
    struct ork_span span = {rank, 1};
    struct ork_group_record group_record = {
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST, .comm = comm, .bytes = bytes}, &span, 1};

    return ork_aggregate_arrive(s->join, rank, &(struct ork_wave){index, group, &group_record, 1},
                                at);
}

static enum ork_status come(struct scene *s, uint32_t rank, uint32_t comm, uint32_t index,
                            uint64_t bytes, uint64_t at)
{
    return come_in(s, 0, rank, comm, index, bytes, at);
}

/* So many ranks have come to the first call of `comm`; it is known now how many they are. */
static void teach(struct scene *s, uint32_t comm, uint32_t ranks)
{
    for (uint32_t r = 0; r < ranks; r++)
        assert_int_equal(come(s, r, comm, 0, 8, 1), ORK_OK);
    assert_int_equal(s->waves, 0); /* who else may come is not known */
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_int_equal(s->waves, 1);
    assert_int_equal(s->ranks, ranks);
}

static void from_the_second_call_on_the_last_rank_lets_it_go(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 9);
    for (uint32_t index = 1; index < 300; index++) {
        for (uint32_t r = 0; r < 9; r++) {
            assert_int_equal(s->waves, index);
            assert_int_equal(come(s, (r * 4 + index) % 9, 0, index, 8, 1), ORK_OK);
            assert_int_equal(ork_aggregate_num_buffered(s->join), r < 8 ? r + 1 : 0);
        }
        assert_int_equal(s->waves, index + 1);
        assert_int_equal(s->ranks, 9);
        assert_int_equal(s->arrivals, 1);
        assert_int_equal(s->index, index);
    }
}

/* A program may make many communicators, and use each of them once. */
static void the_first_call_on_another_communicator_waits_for_all_streams(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 9);
    for (uint32_t comm = 1; comm < 100; comm++) {
        for (uint32_t r = 0; r < 9; r++) {
            assert_int_equal(s->waves, comm);
            assert_int_equal(come(s, r, comm, 0, 8, 1), ORK_OK);
        }
        assert_int_equal(s->waves, comm + 1);
        assert_int_equal(s->ranks, 9);
    }
}

/* Then more streams may come than it knows. */
static void a_stream_that_is_new_makes_it_wait_for_others(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 8);
    for (uint32_t r = 0; r < 9; r++)
        assert_int_equal(come(s, (r + 8) % 9, 1, 0, 8, 1), ORK_OK);
    assert_int_equal(s->waves, 1);
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_int_equal(s->waves, 2);
    assert_int_equal(s->ranks, 9);
}

/* The calls in between went up with the other records of their ranks. */
static void after_a_gap_as_many_are_waited_for_as_before_it(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 9);
    for (uint32_t r = 0; r < 9; r++) {
        assert_int_equal(s->waves, 1);
        assert_int_equal(come(s, r, 0, 5000, 8, 1), ORK_OK);
    }
    assert_int_equal(s->waves, 2);
    assert_int_equal(s->ranks, 9);
    assert_int_equal(ork_aggregate_num_buffered(s->join), 0);
}

/* So many ranks from rank 0 on come to a call at once; did it go up? */
static bool pass(struct scene *s, uint32_t comm, uint32_t index, uint32_t ranks)
{
    struct ork_span span = {0, ranks};
    struct ork_group_record group_record = {
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST, .comm = comm, .bytes = 8}, &span, 1};
    unsigned before = s->waves;
    bool gone;

    assert_int_equal(
        ork_aggregate_pass(s->join, &(struct ork_wave){index, 0, &group_record, 1}, ranks, &gone),
        ORK_OK);
    assert_int_equal(s->waves, before + gone);
    return gone;
}

static void who_comes_at_once_goes_up_at_once(void **state)
{
    struct scene *s = *state;

    assert_false(pass(s, 0, 0, 4)); /* others may be to come */
    teach(s, 0, 4);
    for (uint32_t index = 1; index < 10; index++) {
        assert_true(pass(s, 0, index, 4));
        assert_int_equal(s->ranks, 4);
        assert_int_equal(s->index, index);
    }
    assert_false(pass(s, 0, 10, 3));
    assert_int_equal(come(s, 5, 1, 0, 8, 1), ORK_OK); /* is held */
    assert_false(pass(s, 0, 10, 4));
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_true(pass(s, 0, 10, 4));
    for (uint32_t r = 0; r < 4; r++) /* it was learnt from them, too */
        assert_int_equal(come(s, r, 0, 11, 8, 1), ORK_OK);
    assert_int_equal(s->index, 11);
    assert_int_equal(s->ranks, 4);
    s->status = ORK_CLOSED;
    struct ork_span span = {0, 4};
    struct ork_group_record group_record = {
        {.kind = ORK_KIND_COLL, .mode = ORK_COLL_BCAST}, &span, 1};
    bool gone;
    assert_int_equal(
        ork_aggregate_pass(s->join, &(struct ork_wave){12, 0, &group_record, 1}, 4, &gone),
        ORK_CLOSED);
}

static void calls_that_differ_go_up_together(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 6);
    for (uint32_t r = 0; r < 6; r++)
        assert_int_equal(come(s, r, 0, 1, r / 2, 1), ORK_OK);
    assert_int_equal(s->waves, 2);
    assert_int_equal(s->ranks, 6);
    assert_int_equal(s->arrivals, 3);
}

static void only_what_was_held_long_enough_is_let_go(void **state)
{
    struct scene *s = *state;

    assert_int_equal(come(s, 9, 3, 0, 8, 1), ORK_OK); /* one that is not held */
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    s->waves = 0;
    assert_int_equal(come(s, 0, 0, 0, 8, 100), ORK_OK);
    assert_int_equal(come(s, 1, 2, 0, 8, 200), ORK_OK);
    assert_int_equal(come(s, 2, 0, 0, 8, 300), ORK_OK); /* joins what has waited since 100 */
    assert_int_equal(ork_aggregate_flush(s->join, 100), ORK_OK);
    assert_int_equal(s->waves, 0);
    assert_int_equal(ork_aggregate_flush(s->join, 101), ORK_OK);
    assert_int_equal(s->waves, 1);
    assert_int_equal(s->ranks, 2);
    assert_false(ork_aggregate_buffers(s->join, 0));
    assert_true(ork_aggregate_buffers(s->join, 1));
    assert_false(ork_aggregate_buffers(s->join, 2));
    assert_false(ork_aggregate_buffers(s->join, UINT32_MAX));
}

/* All are held, each by another communicator's call: none can bring what another waits for. */
static void streams_that_wait_for_each_other_are_not_held(void **state)
{
    struct scene *s = *state;

    for (uint32_t r = 0; r < 4; r++)
        assert_int_equal(come(s, r, 2 + r, 0, 8, 1), ORK_OK);
    assert_true(s->waves > 0);
    assert_true(ork_aggregate_num_buffered(s->join) < 4);
}

static void a_rank_that_comes_late_goes_up_by_itself(void **state)
{
    struct scene *s = *state;

    teach(s, 0, 4);
    for (uint32_t r = 0; r < 3; r++)
        assert_int_equal(come(s, r, 0, 1, 8, 1), ORK_OK);
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_int_equal(s->waves, 2);
    assert_int_equal(come(s, 3, 0, 1, 8, 1), ORK_OK);
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    assert_int_equal(s->waves, 3);
    for (uint32_t r = 0; r < 4; r++) /* it is not forgotten that they are four */
        assert_int_equal(come(s, r, 0, 2, 8, 1), ORK_OK);
    assert_int_equal(s->waves, 4);
    assert_int_equal(s->ranks, 4);
}

/* Its calls were let go alone, and so are those of who follows: or he would never catch up. */
static void a_rank_that_is_far_behind_is_not_held(void **state)
{
    enum { CALLS = 100, NEAR = 8 };
    struct scene *s = *state;

    teach(s, 0, 2);
    for (uint32_t index = 1; index <= CALLS; index++) {
        assert_int_equal(come(s, 0, 0, index, 8, 1), ORK_OK);
        assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    }
    assert_int_equal(come(s, 0, 0, CALLS + 1, 8, 1), ORK_OK);
    for (uint32_t index = 1; index <= CALLS - NEAR; index++) {
        assert_int_equal(come(s, 1, 0, index, 8, 1), ORK_OK);
        assert_false(ork_aggregate_buffers(s->join, 1));
        assert_int_equal(s->ranks, 1);
    }
    for (uint32_t index = CALLS - NEAR + 1; index <= CALLS + 1; index++) {
        assert_int_equal(come(s, 1, 0, index, 8, 1), ORK_OK);
        if (index <= CALLS && ork_aggregate_buffers(s->join, 1))
            assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    }
    assert_false(ork_aggregate_buffers(s->join, 1));
}

static void a_communicator_of_one_is_not_held_again(void **state)
{
    struct scene *s = *state;

    assert_int_equal(come(s, 3, 2, 0, 8, 1), ORK_OK);
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    for (uint32_t i = 1; i < 10; i++) {
        assert_int_equal(come(s, 3, 2, i, 8, 1), ORK_OK);
        assert_false(ork_aggregate_buffers(s->join, 3));
        assert_int_equal(s->waves, i + 1);
    }
}

static void a_number_that_is_too_high_is_not_held(void **state)
{
    struct scene *s = *state;

    assert_int_equal(come(s, 0, ORK_COMM_UNKNOWN - 1, 0, 8, 1), ORK_OK);
    assert_int_equal(s->waves, 1);
    assert_false(ork_aggregate_takes(
        &(struct ork_record){.kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER, .comm = 1u << 30}));
}

static void what_the_sink_says_is_passed_on(void **state)
{
    struct scene *s = *state;

    assert_int_equal(come(s, 0, 0, 0, 8, 1), ORK_OK);
    s->status = ORK_CLOSED;
    assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_CLOSED);
    assert_int_equal(come(s, 0, ORK_COMM_UNKNOWN - 1, 0, 8, 1), ORK_CLOSED);
    ork_aggregate_destroy(NULL);
}

static void only_plain_collective_calls_are_joined(void **state)
{
    const struct ork_record plain = {.kind = ORK_KIND_COLL, .mode = ORK_COLL_ALLREDUCE};
    struct ork_record record = plain;

    (void)state;
    assert_true(ork_aggregate_takes(&record));
    record.flags = ORK_F_NONBLOCKING;
    assert_false(ork_aggregate_takes(&record));
    record.flags = ORK_F_PERSISTENT;
    assert_false(ork_aggregate_takes(&record));
    record = plain;
    record.count = 3; /* a list is behind it */
    assert_false(ork_aggregate_takes(&record));
    record = plain;
    record.comm = ORK_COMM_SELF;
    assert_false(ork_aggregate_takes(&record));
    record.comm = ORK_COMM_UNKNOWN;
    assert_false(ork_aggregate_takes(&record));
    record = plain;
    record.mode = ORK_COLL_COMM_DUP; /* a definition follows it */
    assert_false(ork_aggregate_takes(&record));
    record = plain;
    record.kind = ORK_KIND_SEND;
    assert_false(ork_aggregate_takes(&record));
}

/* ---- groups that give their communicators the same number, and are not equally fast ---- */

struct group {
    uint32_t first, ranks;
    unsigned pace; /* could make 50 calls in so many milliseconds */
    uint32_t index[RANKS];
    unsigned calls; /* of its slowest rank */
};

/* As a leaf goes round its rings. */
static bool act(struct scene *s, struct group *g, uint64_t ms)
{
    bool moved = false;

    for (uint32_t r = 0; r < g->ranks; r++) {
        bool is_ahead = g->index[r] > g->calls; /* it waits for its group */
        if (is_ahead || g->calls >= 50 * (ms / g->pace) ||
            ork_aggregate_buffers(s->join, g->first + r))
            continue;
        assert_int_equal(come_in(s, g->first, g->first + r, 2, g->index[r]++, 8, ms * MS), ORK_OK);
        moved = true;
    }
    g->calls = UINT32_MAX;
    for (uint32_t r = 0; r < g->ranks; r++)
        g->calls = g->index[r] < g->calls ? g->index[r] : g->calls;
    return moved;
}

/* Calls of the first group, which could make 50 in a millisecond, in a second. Rings are never
 * empty, so a call that is held in vain is held for 20 ms. */
static unsigned calls_beside(unsigned pace, uint64_t seed)
{
    static struct scene s;
    const struct ork_up sink = {.context = &s, .deliver = note_wave};
    struct group group[2] = {{.first = 0, .ranks = 4, .pace = 1},
                             {.first = 4, .ranks = 6, .pace = pace}};

    memset(&s, 0, sizeof(s));
    assert_int_equal(ork_aggregate_create(&sink, &s.join), ORK_OK);
    for (uint64_t ms = 1; ms <= 1000; ms++) {
        bool moved = true;
        for (unsigned round = 0; moved && round < 64; round++)
            moved = act(&s, &group[0], ms) | act(&s, &group[1], ms + seed);
        assert_int_equal(ork_aggregate_flush(s.join, ms < 20 ? 0 : (ms - 20) * MS), ORK_OK);
    }
    ork_aggregate_destroy(s.join);
    return group[0].calls;
}

/* Layers above keep groups apart by it. */
static void what_goes_up_together_says_its_group(void **state)
{
    struct scene *s = *state;

    for (uint32_t group = 7; group < 9; group++) {
        for (uint32_t index = 0; index < 3; index++) {
            for (uint32_t r = 0; r < 4; r++)
                assert_int_equal(come_in(s, group, group * 4 + r, 1, index, 8, 1), ORK_OK);
            assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
            assert_int_equal(s->ranks, 4);
            assert_int_equal(s->index, index);
            assert_int_equal(s->group, group);
        }
    }
}

/* More of them than there are places where they would be looked for at first. */
static void many_groups_are_learnt_of(void **state)
{
    enum { GROUPS = 5000 };
    struct scene *s = *state;

    for (uint32_t index = 0; index < 3; index++) {
        s->waves = 0;
        for (uint32_t group = 0; group < GROUPS; group++) {
            for (uint32_t r = 0; r < 2; r++)
                assert_int_equal(come_in(s, group * 2654435761u, group * 2 + r, 1, index, 8, 1),
                                 ORK_OK);
        }
        if (index > 0)
            assert_int_equal(s->waves, GROUPS);
        assert_int_equal(ork_aggregate_flush(s->join, UINT64_MAX), ORK_OK);
    }
}

static void a_group_does_not_wait_for_another_with_its_number(void **state)
{
    (void)state;
    for (unsigned pace = 1; pace <= 128; pace *= 2) {
        unsigned calls = calls_beside(pace, pace / 2);
        print_message("beside a group that is slower by a factor of %u: %u calls\n", pace, calls);
        assert_true(calls > 40000);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_aggregate(void)
{
    const struct CMUnitTest tests[] = {
        CASE(from_the_second_call_on_the_last_rank_lets_it_go),
        CASE(the_first_call_on_another_communicator_waits_for_all_streams),
        CASE(a_stream_that_is_new_makes_it_wait_for_others),
        CASE(after_a_gap_as_many_are_waited_for_as_before_it),
        CASE(who_comes_at_once_goes_up_at_once),
        CASE(calls_that_differ_go_up_together),
        CASE(only_what_was_held_long_enough_is_let_go),
        CASE(streams_that_wait_for_each_other_are_not_held),
        CASE(a_rank_that_comes_late_goes_up_by_itself),
        CASE(a_rank_that_is_far_behind_is_not_held),
        CASE(a_communicator_of_one_is_not_held_again),
        CASE(a_number_that_is_too_high_is_not_held),
        CASE(what_the_sink_says_is_passed_on),
        CASE(only_plain_collective_calls_are_joined),
        CASE(what_goes_up_together_says_its_group),
        CASE(many_groups_are_learnt_of),
        cmocka_unit_test(a_group_does_not_wait_for_another_with_its_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/recorded.h"
#include "tests/unit/order/random_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 1 << 20, CHOICES = 5000, THREADS = 7 };

struct fixture {
    struct ork_order_encoder *encoder;
    struct ork_recorded *recorded;
    size_t size;
    uint8_t stream[ROOM];
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    *state = f;
    if (f == NULL)
        return 1;
    f->encoder = ork_order_encoder_create();
    return f->encoder == NULL;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    ork_recorded_destroy(f->recorded);
    ork_order_encoder_destroy(f->encoder);
    free(f);
    return 0;
}

static void add(struct fixture *f, const struct ork_choice *choice)
{
    assert_in_range(ORK_CHOICE_ROOM(choice->count), 0, ROOM - f->size);
    f->size += ork_order_encode(f->encoder, choice, f->stream + f->size);
}

static void load(struct fixture *f)
{
    f->size += ork_order_encode_pending(f->encoder, f->stream + f->size);
    assert_int_equal(ork_recorded_create(f->stream, f->size, &f->recorded), ORK_OK);
}

/* The next random choice of few threads. */
static void make(uint64_t *seed, struct ork_choice *choice, uint32_t *index)
{
    random_choice(seed, choice, index);
    choice->thread %= THREADS;
    choice->post_thread %= THREADS;
}

/* The next choice of the thread is this one. */
static void follow(struct fixture *f, const struct ork_choice *choice)
{
    const struct ork_choice *next = NULL;

    assert_int_equal(ork_recorded_next(f->recorded, choice->thread, &next), ORK_OK);
    assert_int_equal(next->number, ork_recorded_number(f->recorded, choice->thread));
    assert_int_equal(next->thread, choice->thread);
    assert_int_equal(next->kind, choice->kind);
    assert_int_equal(next->place, choice->place);
    assert_int_equal(next->polls, choice->polls);
    assert_int_equal(next->source, choice->source);
    assert_int_equal(next->count, choice->count);
    if (choice->count > 0)
        assert_memory_equal(next->index, choice->index, choice->count * sizeof(*choice->index));
    ork_recorded_advance(f->recorded, choice->thread);
}

static void expect_end(struct fixture *f, uint32_t thread)
{
    const struct ork_choice *next = NULL;

    assert_int_equal(ork_recorded_next(f->recorded, thread, &next), ORK_NOTFOUND);
}

static void expect_outcome(struct fixture *f, const struct ork_choice *choice)
{
    int32_t source = 0, tag = 0;

    assert_true(ork_recorded_outcome(f->recorded, choice->kind, choice->post_thread, choice->post,
                                     &source, &tag));
    assert_int_equal(source, choice->source);
    assert_int_equal(tag, choice->tag);
}

static const struct ork_choice receive = {
    .kind = ORK_CHOICE_RECEIVE, .call = 7, .place = 9, .source = 5, .tag = 3};

static void an_empty_stream_has_nothing(void **state)
{
    struct fixture *f = *state;
    int32_t source, tag;

    load(f);
    expect_end(f, 0);
    assert_int_equal(ork_recorded_number(f->recorded, 0), 1);
    assert_true(ork_recorded_is_cut(f->recorded, 0));
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 0, 1, &source, &tag));
}

static void threads_follow_at_the_same_time(void **state)
{
    struct fixture *f = *state;
    struct ork_choice choice = {0};
    uint32_t index[RANDOM_INDICES];
    uint64_t seed = 1, again = 1;

    for (int i = 0; i < CHOICES; i++) {
        make(&seed, &choice, index);
        add(f, &choice);
    }
    load(f);
    choice = (struct ork_choice){0};
    for (int i = 0; i < CHOICES; i++) {
        make(&again, &choice, index);
        follow(f, &choice);
    }
    for (uint32_t thread = 0; thread < THREADS + 1; thread++)
        expect_end(f, thread);
}

static void threads_follow_one_after_the_other(void **state)
{
    struct fixture *f = *state;
    uint32_t index[RANDOM_INDICES];
    struct ork_choice choice = {0};
    uint64_t seed = 2;

    for (int i = 0; i < CHOICES; i++) {
        make(&seed, &choice, index);
        add(f, &choice);
    }
    load(f);
    for (uint32_t thread = THREADS; thread-- > 0;) {
        seed = 2;
        choice = (struct ork_choice){0};
        for (int i = 0; i < CHOICES; i++) {
            make(&seed, &choice, index);
            if (choice.thread == thread)
                follow(f, &choice);
        }
        expect_end(f, thread);
    }
}

/* The i-th choice of a program in which each thread is in loops of its own: their lengths and
 * numbers of rounds differ, and the indices and ordinals, too. Between two loops is a random
 * choice. */
struct loops {
    uint64_t seed;
    struct ork_choice body[ORK_ORDER_ROUND_MAX + 1];
    uint32_t index[ORK_ORDER_ROUND_MAX + 1][RANDOM_INDICES];
    uint64_t step[ORK_ORDER_ROUND_MAX + 1];
    uint32_t length, left, at;
};

static void begin_loop(struct loops *l)
{
    struct ork_choice choice = {0};
    uint32_t thread = random_below(&l->seed, THREADS);

    l->length = 1 + random_below(&l->seed, ORK_ORDER_ROUND_MAX + 1); /* one is too long */
    l->left = l->length * (1 + random_below(&l->seed, 40));
    l->at = 0;
    for (uint32_t i = 0; i < l->length; i++) {
        make(&l->seed, &choice, l->index[i]);
        choice.kind = (uint8_t)random_below(&l->seed, ORK_CHOICE_END);
        choice.thread = random_below(&l->seed, 8) == 0 ? random_below(&l->seed, THREADS) : thread;
        choice.count = random_below(&l->seed, 3);
        choice.index = l->index[i];
        l->body[i] = choice;
        l->step[i] = random_below(&l->seed, 3);
    }
}

static const struct ork_choice *make_in_loops(struct loops *l)
{
    if (l->left == 0)
        begin_loop(l);
    struct ork_choice *choice = &l->body[l->at];
    choice->post += l->step[l->at];
    l->at = l->at + 1 == l->length ? 0 : l->at + 1;
    l->left--;
    return choice;
}

static void follow_outcome(struct fixture *f, const struct ork_choice *choice)
{
    const struct ork_choice *next = NULL;

    assert_int_equal(ork_recorded_next(f->recorded, choice->thread, &next), ORK_OK);
    assert_int_equal(next->post, choice->post);
    assert_int_equal(next->post_thread, choice->post_thread);
    assert_int_equal(next->tag, choice->tag);
    assert_int_equal(next->call, choice->call);
    assert_int_equal(next->site, choice->site);
    follow(f, choice);
}

static void threads_in_loops_follow_at_the_same_time(void **state)
{
    struct fixture *f = *state;

    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct loops made = {.seed = seed}, again = {.seed = seed};
        for (int i = 0; i < CHOICES; i++)
            add(f, make_in_loops(&made));
        load(f);
        for (int i = 0; i < CHOICES; i++)
            follow_outcome(f, make_in_loops(&again));
        for (uint32_t thread = 0; thread < THREADS; thread++)
            expect_end(f, thread);
        tear_down(state);
        assert_int_equal(set_up(state), 0);
        f = *state;
    }
}

static void threads_in_loops_follow_one_after_the_other(void **state)
{
    struct fixture *f = *state;
    struct loops made = {.seed = 77};

    for (int i = 0; i < CHOICES; i++)
        add(f, make_in_loops(&made));
    load(f);
    for (uint32_t thread = THREADS; thread-- > 0;) {
        struct loops again = {.seed = 77};
        for (int i = 0; i < CHOICES; i++) {
            const struct ork_choice *choice = make_in_loops(&again);
            if (choice->thread == thread)
                follow_outcome(f, choice);
        }
        expect_end(f, thread);
    }
}

/* What ork_recorded_advance() returns is what ork_recorded_next() finds. */
static void a_loop_tells_its_next_choice(void **state)
{
    struct fixture *f = *state;
    const struct ork_choice *next, *told;
    struct ork_choice choice = receive;
    int known = 0;

    for (int i = 0; i < 100; i++)
        add(f, &choice);
    load(f);
    for (int i = 0; i < 99; i++) {
        assert_int_equal(ork_recorded_next(f->recorded, 0, &next), ORK_OK);
        told = ork_recorded_advance(f->recorded, 0);
        assert_int_equal(ork_recorded_next(f->recorded, 0, &next), ORK_OK);
        assert_true(told == NULL || told == next);
        assert_int_equal(next->number, i + 2);
        known += told != NULL;
    }
    assert_in_range(known, 80, 99);
}

static void a_choice_stays_until_it_is_made(void **state)
{
    struct fixture *f = *state;
    const struct ork_choice *first = NULL, *again = NULL, *other = NULL;
    const uint32_t index[] = {4, 2};
    struct ork_choice choice = {.kind = ORK_CHOICE_TEST, .index = index, .count = 2};

    add(f, &choice);
    choice.thread = 1;
    choice.count = 0;
    add(f, &choice);
    load(f);
    assert_int_equal(ork_recorded_next(f->recorded, 0, &first), ORK_OK);
    assert_int_equal(ork_recorded_next(f->recorded, 1, &other), ORK_OK);
    assert_int_equal(ork_recorded_next(f->recorded, 0, &again), ORK_OK);
    assert_ptr_equal(first, again);
    assert_int_equal(first->count, 2);
    assert_memory_equal(first->index, index, sizeof(index));
}

static void outcomes_are_known_before_their_choice(void **state)
{
    struct fixture *f = *state;
    struct ork_choice choice = receive;
    int32_t source, tag;

    for (uint64_t i = 0; i < CHOICES; i++) { /* they complete in another order */
        choice.post = 1 + (i * 1000 + 7) % (CHOICES - 1);
        choice.source = (int32_t)choice.post % 13;
        choice.post_thread = (uint32_t)i % 2;
        choice.thread = (uint32_t)i % 3;
        add(f, &choice);
    }
    load(f);
    for (uint64_t i = 0; i < 1000; i++) {
        choice.post = 1 + (i * 1000 + 7) % (CHOICES - 1);
        choice.source = (int32_t)choice.post % 13;
        choice.post_thread = (uint32_t)i % 2;
        expect_outcome(f, &choice);
    }
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 0, CHOICES, &source, &tag));
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_CANCEL, 0, 7, &source, &tag));
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 3, 7, &source, &tag));
}

/* The first one completes last, every third one never, and the others in order, in a loop. */
static void outcomes_are_found_whenever_they_complete(void **state)
{
    struct fixture *f = *state;
    struct ork_choice choice = receive;
    int32_t source, tag;

    for (choice.post = 2; choice.post < 3 * CHOICES; choice.post++) {
        if (choice.post % 3 != 0)
            add(f, &choice);
    }
    choice.post = 1;
    choice.source = 8;
    add(f, &choice);
    load(f);
    expect_outcome(f, &choice);
    choice.source = receive.source;
    for (choice.post = 2; choice.post < 3 * CHOICES; choice.post++) {
        bool is_there =
            ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 0, choice.post, &source, &tag);
        assert_int_equal(is_there, choice.post % 3 != 0);
    }
    for (choice.post = 2; choice.post < 20; choice.post += 3) /* again, when they are forgotten */
        expect_outcome(f, &choice);
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 0, 3, &source, &tag));
    assert_false(
        ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 0, 3 * CHOICES, &source, &tag));
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 0, 0, &source, &tag));
}

static void a_receive_and_a_cancelled_one_have_their_own_numbers(void **state)
{
    struct fixture *f = *state;
    struct ork_choice received = receive, cancelled = receive;

    received.post = cancelled.post = 4;
    received.post_thread = cancelled.post_thread = 2;
    cancelled.kind = ORK_CHOICE_CANCEL;
    cancelled.source = 1;
    cancelled.tag = 0;
    add(f, &received);
    add(f, &cancelled);
    load(f);
    expect_outcome(f, &received);
    expect_outcome(f, &cancelled);
}

static void a_thread_without_its_last_call_is_cut(void **state)
{
    struct fixture *f = *state;
    struct ork_choice choice = receive, end = {.kind = ORK_CHOICE_END};

    add(f, &choice);
    add(f, &end);
    choice.thread = 1;
    add(f, &choice);
    load(f);
    assert_false(ork_recorded_is_cut(f->recorded, 0));
    assert_true(ork_recorded_is_cut(f->recorded, 1));
    assert_true(ork_recorded_is_cut(f->recorded, 2));
}

static void what_is_ahead_is_no_next_choice(void **state)
{
    struct fixture *f = *state;
    const struct ork_choice probe = {.kind = ORK_CHOICE_PROBE, .source = 1};
    const struct ork_choice ahead = {.kind = ORK_CHOICE_AHEAD, .post = 7, .source = 2, .tag = 5};
    const struct ork_choice *next;
    int32_t source, tag;

    add(f, &ahead);
    add(f, &probe);
    load(f);
    follow(f, &probe);
    assert_int_equal(ork_recorded_next(f->recorded, 0, &next), ORK_NOTFOUND);
    assert_true(ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 0, 7, &source, &tag));
    assert_int_equal(source, 2);
    assert_int_equal(tag, 5);
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_AHEAD, 0, 7, &source, &tag));
}

static void a_free_choice_has_its_turn_but_no_outcome(void **state)
{
    struct fixture *f = *state;
    const struct ork_choice freed = {.kind = ORK_CHOICE_FREE, .post = 1, .source = 3};
    const struct ork_choice probe = {.kind = ORK_CHOICE_PROBE, .source = 1};
    int32_t source, tag;

    add(f, &freed);
    add(f, &probe);
    load(f);
    follow(f, &freed);
    follow(f, &probe);
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_RECEIVE, 0, 1, &source, &tag));
    assert_false(ork_recorded_outcome(f->recorded, ORK_CHOICE_FREE, 0, 1, &source, &tag));
    assert_true(ork_recorded_is_cut(f->recorded, 0));
}

static void an_incomplete_choice_is_left_out(void **state)
{
    struct fixture *f = *state;
    const uint32_t index[] = {1, 0};
    struct ork_choice choice = {.kind = ORK_CHOICE_WAIT, .index = index, .count = 2};

    add(f, &receive);
    add(f, &choice);
    f->size += ork_order_encode_pending(f->encoder, f->stream + f->size);
    assert_int_equal(ork_recorded_create(f->stream, f->size - 1, &f->recorded), ORK_OK);
    follow(f, &receive);
    expect_end(f, 0);
}

static void what_is_no_stream_is_refused(void **state)
{
    struct ork_recorded *none;
    const uint8_t run_of_nothing[] = {0x05};

    (void)state;
    assert_int_equal(ork_recorded_create(run_of_nothing, 1, &none), ORK_INVALID);
    assert_null(none);
}

#define RECORDED_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_recorded(void)
{
    const struct CMUnitTest tests[] = {
        RECORDED_TEST(an_empty_stream_has_nothing),
        RECORDED_TEST(threads_follow_at_the_same_time),
        RECORDED_TEST(threads_follow_one_after_the_other),
        RECORDED_TEST(threads_in_loops_follow_at_the_same_time),
        RECORDED_TEST(threads_in_loops_follow_one_after_the_other),
        RECORDED_TEST(a_loop_tells_its_next_choice),
        RECORDED_TEST(a_choice_stays_until_it_is_made),
        RECORDED_TEST(outcomes_are_known_before_their_choice),
        RECORDED_TEST(outcomes_are_found_whenever_they_complete),
        RECORDED_TEST(a_receive_and_a_cancelled_one_have_their_own_numbers),
        RECORDED_TEST(a_thread_without_its_last_call_is_cut),
        RECORDED_TEST(what_is_ahead_is_no_next_choice),
        RECORDED_TEST(a_free_choice_has_its_turn_but_no_outcome),
        RECORDED_TEST(an_incomplete_choice_is_left_out),
        cmocka_unit_test(what_is_no_stream_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

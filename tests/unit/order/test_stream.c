/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/order.h"
#include "tests/unit/order/random_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct stream {
    struct ork_order_encoder *encoder;
    struct ork_order_decoder *decoder;
    uint8_t *bytes;
    size_t size, room;
};

static int set_up(void **state)
{
    struct stream *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return 1;
    s->encoder = ork_order_encoder_create();
    s->decoder = ork_order_decoder_create();
    *state = s;
    return s->encoder == NULL || s->decoder == NULL;
}

static int tear_down(void **state)
{
    struct stream *s = *state;

    ork_order_encoder_destroy(s->encoder);
    ork_order_decoder_destroy(s->decoder);
    free(s->bytes);
    free(s);
    return 0;
}

static uint8_t *room_for(struct stream *s, size_t more)
{
    if (s->size + more > s->room) {
        s->room = 2 * (s->size + more);
        s->bytes = realloc(s->bytes, s->room);
        assert_non_null(s->bytes);
    }
    return s->bytes + s->size;
}

static size_t write_choice(struct stream *s, const struct ork_choice *choice)
{
    size_t most = ORK_CHOICE_ROOM(choice->count);
    size_t size = ork_order_encode(s->encoder, choice, room_for(s, most));

    assert_in_range(size, 0, most);
    s->size += size;
    return size;
}

static size_t write_pending(struct stream *s)
{
    size_t size = ork_order_encode_pending(s->encoder, room_for(s, ORK_CHOICE_ROOM(0)));

    assert_in_range(size, 0, ORK_CHOICE_ROOM(0));
    s->size += size;
    return size;
}

/* Hand all bytes that were written to the decoder. */
static void feed(struct stream *s)
{
    write_pending(s);
    assert_int_equal(ork_order_decoder_feed(s->decoder, s->bytes, s->size), ORK_OK);
    s->size = 0;
}

static void assert_same(const struct ork_choice *a, const struct ork_choice *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->call, b->call);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->site, b->site);
    assert_int_equal(a->place, b->place);
    assert_int_equal(a->polls, b->polls);
    assert_int_equal(a->post_thread, b->post_thread);
    assert_int_equal(a->post, b->post);
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->tag, b->tag);
    assert_int_equal(a->count, b->count);
    if (a->count > 0)
        assert_memory_equal(a->index, b->index, a->count * sizeof(*a->index));
}

static void expect(struct stream *s, const struct ork_choice *choice)
{
    struct ork_choice back;

    assert_int_equal(ork_order_decode(s->decoder, &back), ORK_OK);
    assert_same(&back, choice);
}

static void expect_no_more(struct stream *s)
{
    struct ork_choice back;

    assert_int_equal(ork_order_decode(s->decoder, &back), ORK_NOTFOUND);
}

static const struct ork_choice receive = {
    .kind = ORK_CHOICE_RECEIVE, .call = 7, .site = 3, .place = 0xdeadbeef, .source = 5, .tag = 9};

/* ---- what comes back ---- */

static void an_empty_stream_has_no_choice(void **state)
{
    struct stream *s = *state;

    expect_no_more(s);
    assert_int_equal(write_pending(s), 0);
    feed(s);
    expect_no_more(s);
}

static void every_kind_comes_back(void **state)
{
    struct stream *s = *state;
    const uint32_t index[] = {4, 0, 2};

    for (uint8_t kind = 0; kind < ORK_CHOICE_MAX; kind++) {
        struct ork_choice choice = receive;
        choice.kind = kind;
        choice.polls = kind;
        choice.post = 10 + kind;
        choice.post_thread = kind;
        choice.source = kind - 5;
        choice.index = index;
        choice.count = kind % 4;
        write_choice(s, &choice);
        feed(s);
        expect(s, &choice);
        expect_no_more(s);
    }
}

static void extreme_values_come_back(void **state)
{
    struct stream *s = *state;
    uint32_t index[] = {UINT32_MAX, 0, UINT32_MAX};
    struct ork_choice high = {.kind = ORK_CHOICE_MAX - 1,
                              .call = UINT16_MAX,
                              .thread = ORK_CHOICE_THREADS - 1,
                              .site = UINT32_MAX,
                              .place = UINT32_MAX,
                              .polls = UINT64_MAX,
                              .post_thread = ORK_CHOICE_THREADS - 1,
                              .post = UINT64_MAX,
                              .source = INT32_MAX,
                              .tag = INT32_MIN,
                              .index = index};
    struct ork_choice low = {.source = INT32_MIN, .tag = INT32_MAX, .index = index};

    for (uint32_t i = 0; i < 12; i++) {
        struct ork_choice *choice = i % 2 == 0 ? &high : &low;
        choice->count = i % 4;
        choice->post = (UINT64_MAX - i) >> (i % 3 * 31);
        write_choice(s, &receive);
        write_choice(s, choice);
        feed(s);
        expect(s, &receive);
        expect(s, choice);
    }
}

static void random_choices_come_back(void **state)
{
    struct stream *s = *state;
    uint64_t seed = 1, again = 1;
    uint32_t index[RANDOM_INDICES];
    struct ork_choice choice = {0};

    for (int i = 0; i < 100000; i++) {
        random_choice(&seed, &choice, index);
        write_choice(s, &choice);
    }
    feed(s);
    memset(&choice, 0, sizeof(choice));
    for (int i = 0; i < 100000; i++) {
        random_choice(&again, &choice, index);
        expect(s, &choice);
    }
    expect_no_more(s);
}

static void a_stream_can_be_fed_byte_by_byte(void **state)
{
    struct stream *s = *state;
    uint64_t seed = 2, again = 2;
    uint32_t index[RANDOM_INDICES];
    struct ork_choice choice = {0}, back;
    int found = 0;

    for (int i = 0; i < 1000; i++) {
        random_choice(&seed, &choice, index);
        write_choice(s, &choice);
    }
    write_pending(s);
    memset(&choice, 0, sizeof(choice));
    for (size_t at = 0; at < s->size; at++) {
        assert_int_equal(ork_order_decoder_feed(s->decoder, &s->bytes[at], 1), ORK_OK);
        while (ork_order_decode(s->decoder, &back) == ORK_OK) {
            random_choice(&again, &choice, index);
            assert_same(&back, &choice);
            found++;
        }
    }
    assert_int_equal(found, 1000);
}

static void a_long_list_of_indices_comes_back(void **state)
{
    struct stream *s = *state;
    enum { COUNT = 300000 };
    uint32_t *index = calloc(COUNT, sizeof(*index));
    struct ork_choice choice = {.kind = ORK_CHOICE_WAIT, .count = COUNT, .index = index};

    assert_non_null(index);
    for (uint32_t i = 0; i < COUNT; i++)
        index[i] = i;
    size_t dense = write_choice(s, &choice);
    assert_in_range(dense, COUNT, COUNT + 64);
    feed(s);
    expect(s, &choice);
    for (uint32_t i = 0; i < COUNT; i++)
        index[i] = i * 2654435761u;
    write_choice(s, &choice);
    feed(s);
    expect(s, &choice);
    free(index);
}

static void choices_are_numbered_in_their_thread(void **state)
{
    struct stream *s = *state;
    struct ork_choice choice = receive, back;
    const uint32_t thread[] = {0, 1, 0, 0, 70, 1, 0};
    const uint64_t number[] = {1, 1, 2, 3, 1, 2, 4};

    for (int i = 0; i < 7; i++) {
        choice.thread = thread[i];
        write_choice(s, &choice);
    }
    feed(s);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(ork_order_decode(s->decoder, &back), ORK_OK);
        assert_int_equal(back.thread, thread[i]);
        assert_int_equal(back.number, number[i]);
    }
}

/* ---- what is predicted ---- */

static void what_is_as_before_needs_no_bytes(void **state)
{
    struct stream *s = *state;

    write_choice(s, &receive);
    write_choice(s, &receive); /* the place after itself is new */
    for (int i = 0; i < 100000; i++)
        assert_int_equal(write_choice(s, &receive), 0);
    assert_in_range(write_pending(s), 1, 5);
    feed(s);
    for (int i = 0; i < 100002; i++)
        expect(s, &receive);
    expect_no_more(s);
}

static void a_run_can_be_written_at_any_time(void **state)
{
    struct stream *s = *state;
    uint64_t seed = 3;
    int written = 0;

    for (int i = 0; i < 10000; i++) {
        for (uint32_t n = random_below(&seed, 70); n > 0; n--, written++)
            write_choice(s, &receive);
        write_pending(s);
        assert_int_equal(write_pending(s), 0);
        feed(s);
        while (written > 0) {
            expect(s, &receive);
            written--;
        }
        expect_no_more(s);
    }
}

static void a_source_costs_one_byte(void **state)
{
    struct stream *s = *state;
    struct ork_choice choice = receive;
    uint64_t seed = 4;

    write_choice(s, &choice);
    write_choice(s, &choice);
    size_t before = s->size;
    for (int i = 0; i < 10000; i++) {
        choice.source = (int32_t)random_below(&seed, 64);
        write_choice(s, &choice);
    }
    assert_in_range(s->size - before, 1, 10000 + 200);
}

static void a_cycle_of_sources_is_predicted(void **state)
{
    struct stream *s = *state;
    struct ork_choice choice = receive;

    for (int i = 0; i < 10000; i++) {
        choice.source = i % 7;
        write_choice(s, &choice);
    }
    write_pending(s);
    assert_in_range(s->size, 1, 40);
}

static void a_loop_of_several_calls_is_predicted(void **state)
{
    struct stream *s = *state;
    const uint32_t index[] = {1, 3};
    struct ork_choice choice[] = {
        {.kind = ORK_CHOICE_PROBE, .call = 1, .site = 1, .place = 100, .polls = 3, .source = 2},
        {.kind = ORK_CHOICE_RECEIVE, .call = 2, .site = 2, .place = 200, .tag = 8, .post = 1},
        {.kind = ORK_CHOICE_TEST, .call = 3, .site = 3, .place = 3, .index = index, .count = 2},
        {.kind = ORK_CHOICE_RECEIVE, .call = 4, .site = 4, .place = 400, .post = 2, .source = 4}};

    for (int i = 0; i < 40000; i++) {
        write_choice(s, &choice[i % 4]);
        if (choice[i % 4].post != 0)
            choice[i % 4].post += 2;
    }
    write_pending(s);
    assert_in_range(s->size, 1, 120);
}

/* A rank takes a lock again and again, then in turn with others; sometimes another one comes
 * between.
 */
static void next_lock(struct ork_choice *lock)
{
    lock->post++;
    lock->tag += (int32_t)(lock->post / 100) + 1 + (lock->post % 50 == 0 ? 5 : 0);
}

static void locks_with_equal_steps_are_as_predicted(void **state)
{
    struct stream *s = *state;
    struct ork_choice lock = {.kind = ORK_CHOICE_LOCK, .call = 9, .place = 900, .source = 1};
    struct ork_choice expected = lock;

    for (int i = 0; i < 400; i++) {
        next_lock(&lock);
        write_choice(s, &lock);
    }
    write_pending(s);
    assert_in_range(s->size, 1, 100);
    feed(s);
    for (int i = 0; i < 400; i++) {
        next_lock(&expected);
        expect(s, &expected);
    }
    expect_no_more(s);
}

/* One byte is for the receive before it, which is as predicted. */
static void a_lock_that_waited_for_others_takes_two_bytes(void **state)
{
    struct stream *s = *state;
    struct ork_choice posted = receive;
    struct ork_choice lock = {.kind = ORK_CHOICE_LOCK, .call = 9, .place = 900, .source = 1};

    for (int i = 0; i < 100; i++) {
        posted.post++;
        lock.post++;
        lock.tag += i % 7;
        write_choice(s, &posted);
        if (write_choice(s, &lock) > 3)
            assert_in_range(i, 0, 2);
    }
    feed(s);
    for (int i = 0; i < 200; i++)
        assert_int_equal(ork_order_decode(s->decoder, &posted), ORK_OK);
    assert_same(&posted, &lock);
}

/* ---- hostile bytes ---- */

static void bytes_that_are_no_stream_are_refused_for_good(void **state)
{
    struct stream *s = *state;
    const uint8_t run_of_nothing[] = {0x05};
    struct ork_choice choice = receive;

    assert_int_equal(ork_order_decoder_feed(s->decoder, run_of_nothing, 1), ORK_OK);
    assert_int_equal(ork_order_decode(s->decoder, &choice), ORK_INVALID);
    write_choice(s, &receive);
    feed(s);
    assert_int_equal(ork_order_decode(s->decoder, &choice), ORK_INVALID);
}

/* Decode at most `most` choices of the bytes, in pieces. */
static void decode_anything(const uint8_t *bytes, size_t size, uint64_t *seed)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    struct ork_choice choice;
    enum ork_status status = ORK_NOTFOUND;
    uint32_t sum = 0;

    assert_non_null(decoder);
    for (size_t at = 0; at < size && status == ORK_NOTFOUND;) {
        size_t piece = 1 + random_below(seed, 64);
        piece = piece < size - at ? piece : size - at;
        assert_int_equal(ork_order_decoder_feed(decoder, bytes + at, piece), ORK_OK);
        at += piece;
        for (int i = 0; i < 1000 && (status = ork_order_decode(decoder, &choice)) == ORK_OK; i++) {
            assert_in_range(choice.kind, 0, ORK_CHOICE_MAX - 1);
            assert_in_range(choice.thread, 0, ORK_CHOICE_THREADS - 1);
            assert_in_range(choice.post_thread, 0, ORK_CHOICE_THREADS - 1);
            for (uint32_t k = 0; k < choice.count; k++)
                sum += choice.index[k];
        }
        assert_true(status == ORK_OK || status == ORK_NOTFOUND || status == ORK_INVALID);
    }
    ork_order_decoder_destroy(decoder);
    (void)sum;
}

static void random_bytes_do_no_harm(void **state)
{
    uint64_t seed = 5;
    uint8_t bytes[400];

    (void)state;
    for (int i = 0; i < 20000; i++) {
        for (size_t k = 0; k < sizeof(bytes); k++)
            bytes[k] = (uint8_t)random_next(&seed);
        bytes[0] = (uint8_t)(0x80 | random_next(&seed)); /* else most end at once */
        bytes[1] = 0xff;
        bytes[2] %= ORK_CHOICE_MAX;
        decode_anything(bytes, 1 + random_below(&seed, sizeof(bytes)), &seed);
    }
}

static void mutated_streams_do_no_harm(void **state)
{
    struct stream *s = *state;
    uint64_t seed = 6;
    uint32_t index[RANDOM_INDICES];
    struct ork_choice choice = {0};

    for (int i = 0; i < 300; i++) {
        random_choice(&seed, &choice, index);
        for (uint32_t n = 1 + random_below(&seed, 3); n > 0; n--)
            write_choice(s, &choice);
    }
    write_pending(s);
    uint8_t *bytes = malloc(s->size);
    assert_non_null(bytes);
    for (int i = 0; i < 600; i++) {
        memcpy(bytes, s->bytes, s->size);
        for (uint32_t n = 1 + random_below(&seed, 4); n > 0; n--)
            bytes[random_below(&seed, (uint32_t)s->size)] = (uint8_t)random_value(&seed);
        decode_anything(bytes, s->size, &seed);
    }
    free(bytes);
}

static void a_list_whose_end_is_missing_takes_no_room(void **state)
{
    struct stream *s = *state;
    struct ork_choice choice;
    const uint8_t huge[] = {0xa2, 0xff, 3, 1, 1, 1, 2, 3, 4, 0, 0x80, 0x80, 0x80, 0x08};
    const uint8_t too_long[] = {0x88};

    assert_int_equal(ork_order_decoder_feed(s->decoder, huge, sizeof(huge)), ORK_OK);
    expect_no_more(s);
    ork_order_decoder_destroy(s->decoder);
    s->decoder = ork_order_decoder_create();
    assert_int_equal(ork_order_decoder_feed(s->decoder, huge, sizeof(huge) - 1), ORK_OK);
    assert_int_equal(ork_order_decoder_feed(s->decoder, too_long, 1), ORK_OK);
    assert_int_equal(ork_order_decoder_feed(s->decoder, (const uint8_t[]){1}, 1), ORK_OK);
    assert_int_equal(ork_order_decode(s->decoder, &choice), ORK_INVALID);
}

/* ---- places ---- */

static void places_differ_by_name_and_position(void **state)
{
    (void)state;
    assert_int_equal(ork_choice_place("farm", 0x1234), ork_choice_place("farm", 0x1234));
    assert_int_not_equal(ork_choice_place("farm", 0x1234), ork_choice_place("farm", 0x1235));
    assert_int_not_equal(ork_choice_place("farm", 0x1234), ork_choice_place("firm", 0x1234));
    for (uint64_t i = 0; i < 100000; i++)
        assert_int_not_equal(ork_choice_place("", i), 0);
}

#define STREAM_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int test_stream(void)
{
    const struct CMUnitTest tests[] = {
        STREAM_TEST(an_empty_stream_has_no_choice),
        STREAM_TEST(every_kind_comes_back),
        STREAM_TEST(extreme_values_come_back),
        STREAM_TEST(random_choices_come_back),
        STREAM_TEST(a_stream_can_be_fed_byte_by_byte),
        STREAM_TEST(a_long_list_of_indices_comes_back),
        STREAM_TEST(choices_are_numbered_in_their_thread),
        STREAM_TEST(what_is_as_before_needs_no_bytes),
        STREAM_TEST(a_run_can_be_written_at_any_time),
        STREAM_TEST(a_source_costs_one_byte),
        STREAM_TEST(a_cycle_of_sources_is_predicted),
        STREAM_TEST(a_loop_of_several_calls_is_predicted),
        STREAM_TEST(locks_with_equal_steps_are_as_predicted),
        STREAM_TEST(a_lock_that_waited_for_others_takes_two_bytes),
        STREAM_TEST(bytes_that_are_no_stream_are_refused_for_good),
        cmocka_unit_test(random_bytes_do_no_harm),
        STREAM_TEST(mutated_streams_do_no_harm),
        STREAM_TEST(a_list_whose_end_is_missing_takes_no_room),
        cmocka_unit_test(places_differ_by_name_and_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

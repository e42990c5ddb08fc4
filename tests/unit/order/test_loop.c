/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs in loops: their choices come back one by one and as rounds, and both have one hash. */
#include "order/file/order.h"
#include "tests/unit/order/random_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LOOPS = 400, CHOICES = 3000, BODY_MAX = 11, BYTES = 1 << 20 };

struct program {
    uint32_t n;
    struct ork_choice choice[CHOICES];
    uint32_t index[CHOICES][4];
    size_t size;
    uint8_t bytes[BYTES];
};

static struct program program;

/* A choice in the body of a loop, from few values, so that some are equal. */
static void body_choice(uint64_t *seed, struct ork_choice *c, uint32_t *index)
{
    memset(c, 0, sizeof(*c));
    c->kind = (uint8_t)random_below(seed, ORK_CHOICE_END);
    c->call = (uint16_t)random_below(seed, 3);
    c->site = random_below(seed, 3);
    c->place = c->site * 1000;
    c->polls = random_below(seed, 2);
    c->source = (int32_t)random_below(seed, 3);
    c->tag = (int32_t)random_below(seed, 2);
    c->count = random_below(seed, 8) == 0 ? 3 : random_below(seed, 2);
    for (uint32_t i = 0; i < 4; i++)
        index[i] = i * 2 + random_below(seed, 2);
    c->post = random_below(seed, 2);
    c->thread = random_below(seed, 40) == 0;
    c->post_thread = random_below(seed, 40) == 0;
}

/* Rarely, one outcome is another than in the loop. */
static void disturb(uint64_t *seed, struct ork_choice *c)
{
    switch (random_below(seed, 400)) {
    case 0:
        c->polls++;
        break;
    case 1:
        c->source++;
        break;
    case 2:
        c->tag++;
        break;
    case 3:
        c->thread ^= 1;
        break;
    case 4:
        c->post += c->post != 0;
        break;
    case 5:
        c->post = c->post == 0;
        break;
    case 6:
        c->kind = ORK_CHOICE_END;
        break;
    default:
        break;
    }
}

static void make_program(uint64_t *seed)
{
    struct ork_choice body[BODY_MAX];
    uint32_t index[BODY_MAX][4];
    uint32_t round = 1 + random_below(seed, BODY_MAX);
    uint64_t post[2][ORK_ORDER_POSTS] = {{0}};
    bool polls_vary = random_below(seed, 3) == 0; /* as in a loop that waits by polling */

    for (uint32_t i = 0; i < round; i++)
        body_choice(seed, &body[i], index[i]);
    program.n = 0;
    for (uint32_t i = 0; program.n < CHOICES; i = (i + 1) % round) {
        struct ork_choice *c = &program.choice[program.n];
        *c = body[i];
        memcpy(program.index[program.n], index[i], sizeof(index[i]));
        c->index = program.index[program.n];
        if (c->post != 0)
            c->post = ++post[c->post_thread][ork_order_series(c->kind)];
        if (polls_vary)
            c->polls = random_below(seed, 3) == 0 ? random_below(seed, 300) : c->polls;
        disturb(seed, c);
        program.n++;
    }
}

static void encode(uint64_t *seed, bool by_tables_only)
{
    struct ork_order_encoder *encoder = ork_order_encoder_create();

    assert_non_null(encoder);
    program.size = 0;
    for (uint32_t i = 0; i < program.n; i++) {
        assert_true(program.size < BYTES - 1000);
        if (by_tables_only || !ork_order_encode_loop(encoder, &program.choice[i]))
            program.size +=
                ork_order_encode(encoder, &program.choice[i], program.bytes + program.size);
        if (random_below(seed, 300) == 0)
            program.size += ork_order_encode_pending(encoder, program.bytes + program.size);
    }
    program.size += ork_order_encode_pending(encoder, program.bytes + program.size);
    ork_order_encoder_destroy(encoder);
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
    for (uint32_t i = 0; i < a->count; i++)
        assert_int_equal(a->index[i], b->index[i]);
}

/* Returns the number of the choices in these rounds, which come from the one of number `at` on. */
static uint32_t expand(const struct ork_order_rounds *rounds, uint32_t at)
{
    uint32_t n = rounds->rounds * rounds->round;

    assert_in_range(n, 1, program.n - at);
    for (uint32_t i = 0; i < n; i++) {
        struct ork_choice c = rounds->choice[i % rounds->round];
        c.post += rounds->step[i % rounds->round] * (i / rounds->round);
        assert_same(&c, &program.choice[at + i]);
    }
    return n;
}

/* The same for a series. */
static uint32_t expand_series(const struct ork_order_series *series, uint32_t at)
{
    assert_in_range(series->num, 1, program.n - at);
    for (uint32_t i = 0; i < series->num; i++) {
        struct ork_choice c = series->choice[i % series->round];
        c.polls = series->polls[i];
        assert_same(&c, &program.choice[at + i]);
    }
    return series->num;
}

/* Decode in pieces. Returns the hash; *in_rounds: choices that came in rounds; *in_series: in
 * series, NULL: it is not asked for them. */
static uint64_t decode(uint64_t *seed, bool with_rounds, uint32_t *in_rounds, uint32_t *in_series)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    struct ork_order_hash hash = {0};
    struct ork_order_rounds rounds;
    struct ork_order_series series;
    struct ork_choice back;
    uint32_t at = 0;

    assert_non_null(decoder);
    for (size_t fed = 0, piece; fed < program.size; fed += piece) {
        piece = 1 + random_below(seed, 50);
        piece = piece < program.size - fed ? piece : program.size - fed;
        assert_int_equal(ork_order_decoder_feed(decoder, program.bytes + fed, piece), ORK_OK);
        while (ork_order_decode(decoder, &back) == ORK_OK) {
            assert_in_range(at, 0, program.n - 1);
            assert_same(&back, &program.choice[at++]);
            assert_int_equal(ork_order_hash_add(&hash, &back), ORK_OK);
            bool more = with_rounds;
            while (more) {
                uint32_t n = 0;
                if (ork_order_decode_rounds(decoder, &rounds)) {
                    *in_rounds += n = expand(&rounds, at);
                    assert_int_equal(ork_order_hash_add_rounds(&hash, &rounds), ORK_OK);
                }
                at += n;
                more = in_series != NULL && ork_order_decode_series(decoder, &series);
                if (!more)
                    break;
                *in_series += n = expand_series(&series, at);
                at += n;
                assert_int_equal(ork_order_hash_add_series(&hash, &series), ORK_OK);
            }
        }
    }
    assert_int_equal(at, program.n);
    uint64_t value = ork_order_hash_value(&hash);
    ork_order_hash_release(&hash);
    ork_order_decoder_destroy(decoder);
    return value;
}

static void loops_come_back(void **state)
{
    uint64_t seed = 5;
    uint32_t in_rounds = 0, others = 0, in_series = 0, none = 0;

    (void)state;
    for (int i = 0; i < LOOPS; i++) {
        make_program(&seed);
        encode(&seed, i % 2 == 0);
        uint64_t one_by_one = decode(&seed, false, &none, NULL);
        assert_true(decode(&seed, true, &in_rounds, NULL) == one_by_one);
        assert_true(decode(&seed, true, &others, &in_series) == one_by_one);
    }
    assert_int_equal(none, 0);
    assert_true(in_rounds > LOOPS * CHOICES / 10);
    assert_true(others > LOOPS * CHOICES / 20);
    assert_true(in_series > LOOPS * CHOICES / 100);
}

/* Choices in rounds have their numbers, too. */
static void numbers_go_on_after_rounds(void **state)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    struct ork_order_rounds rounds;
    struct ork_choice back;
    uint64_t seed = 1;
    bool had_rounds = false;

    (void)state;
    assert_non_null(decoder);
    program.n = CHOICES;
    for (uint32_t i = 0; i < CHOICES; i++)
        program.choice[i] = (struct ork_choice){.kind = ORK_CHOICE_PROBE, .call = 3};
    program.choice[CHOICES - 1].tag = 1;
    encode(&seed, false);
    assert_int_equal(ork_order_decoder_feed(decoder, program.bytes, program.size), ORK_OK);
    while (ork_order_decode(decoder, &back) == ORK_OK)
        had_rounds |= ork_order_decode_rounds(decoder, &rounds);
    assert_true(had_rounds);
    assert_int_equal(back.number, CHOICES);
    ork_order_decoder_destroy(decoder);
}

int test_loop(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_come_back),
        cmocka_unit_test(numbers_go_on_after_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

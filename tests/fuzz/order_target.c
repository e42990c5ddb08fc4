/* SPDX-License-Identifier: BSD-3-Clause */
/* One fuzz input: the first byte is the size of the pieces in which the others are decoded, until
 * they end or make no sense. What was decoded and is encoded again decodes to the same. */
#include "tests/fuzz/order_target.h"

#include "order/file/order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A short input can contain very many choices. */
enum { CHOICES_MAX = 2000 };

struct again {
    struct ork_order_encoder *encoder;
    struct ork_order_decoder *decoder;
    struct ork_order_hash before, after;
};

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_limits(const struct ork_choice *choice)
{
    require(choice->kind < ORK_CHOICE_MAX);
    require(choice->thread < ORK_CHOICE_THREADS && choice->post_thread < ORK_CHOICE_THREADS);
    require(choice->count <= ORK_CHOICE_INDICES);
    require(choice->number > 0 || choice->kind == ORK_CHOICE_AHEAD ||
            choice->kind == ORK_CHOICE_OPEN);
}

static void feed(struct again *again, const uint8_t *bytes, size_t size)
{
    require(ork_order_decoder_feed(again->decoder, bytes, size) == ORK_OK);
}

static void check_again(struct again *again, const struct ork_choice *choice)
{
    size_t room = ORK_CHOICE_ROOM(choice->count);
    uint8_t *bytes = malloc(room);
    uint8_t pending[ORK_CHOICE_ROOM(0)];
    struct ork_choice back;

    require(bytes != NULL);
    size_t size = ork_order_encode(again->encoder, choice, bytes);
    require(size <= room);
    feed(again, bytes, size);
    feed(again, pending, ork_order_encode_pending(again->encoder, pending));
    require(ork_order_decode(again->decoder, &back) == ORK_OK);
    require(back.site == choice->site && back.number == choice->number);
    require(ork_order_hash_add(&again->before, choice) == ORK_OK);
    require(ork_order_hash_add(&again->after, &back) == ORK_OK);
    require(ork_order_decode(again->decoder, &back) == ORK_NOTFOUND);
    free(bytes);
}

/* Returns the number of choices that are left. */
static int decode_all(struct ork_order_decoder *decoder, struct again *again, int left)
{
    struct ork_choice choice;

    for (; left > 0; left--) {
        enum ork_status status = ork_order_decode(decoder, &choice);
        require(status == ORK_OK || status == ORK_NOTFOUND || status == ORK_INVALID);
        if (status != ORK_OK)
            return status == ORK_INVALID ? 0 : left;
        check_limits(&choice);
        check_again(again, &choice);
    }
    return 0;
}

/* Rounds and series have the same limits, and lead to the same hash. */
static uint64_t decode_in_rounds(const uint8_t *data, size_t size, bool in_rounds)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    struct ork_order_hash hash = {0};
    struct ork_order_rounds rounds;
    struct ork_order_series series;
    struct ork_choice choice;
    uint64_t value;

    require(decoder != NULL && ork_order_decoder_feed(decoder, data, size) == ORK_OK);
    int left = CHOICES_MAX;
    for (; left > 0; left--) {
        if (ork_order_decode(decoder, &choice) != ORK_OK)
            break;
        check_limits(&choice);
        require(ork_order_hash_add(&hash, &choice) == ORK_OK);
        bool more = in_rounds;
        while (more) {
            if (ork_order_decode_rounds(decoder, &rounds)) {
                require(rounds.rounds > 0 && rounds.round > 0 &&
                        rounds.round <= ORK_ORDER_ROUND_MAX);
                require(rounds.choice[0].thread == choice.thread);
                require(ork_order_hash_add_rounds(&hash, &rounds) == ORK_OK);
            }
            more = ork_order_decode_series(decoder, &series);
            if (!more)
                break;
            require(series.num > 0 && series.round > 0 && series.round <= ORK_ORDER_ROUND_MAX);
            require(series.choice[0].thread == choice.thread);
            require(ork_order_hash_add_series(&hash, &series) == ORK_OK);
        }
    }
    value = left > 0 ? ork_order_hash_value(&hash) : 0; /* 0: that was not all */
    ork_order_hash_release(&hash);
    ork_order_decoder_destroy(decoder);
    return value;
}

/* RATIONALE: with rounds, more choices are decoded before the limit. */
static void compare_in_rounds(const uint8_t *data, size_t size)
{
    uint64_t one_by_one = decode_in_rounds(data, size, false);
    uint64_t in_rounds = decode_in_rounds(data, size, true);

    require(one_by_one == 0 || in_rounds == 0 || one_by_one == in_rounds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    struct again again = {.encoder = ork_order_encoder_create(),
                          .decoder = ork_order_decoder_create()};
    size_t piece = size > 0 ? data[0] % 16 + (size_t)1 : 1;
    int left = CHOICES_MAX;

    require(decoder != NULL && again.encoder != NULL && again.decoder != NULL);
    for (size_t at = 1; at < size && left > 0; at += piece) {
        size_t n = piece < size - at ? piece : size - at;
        require(ork_order_decoder_feed(decoder, data + at, n) == ORK_OK);
        left = decode_all(decoder, &again, left);
    }
    if (size > 1)
        compare_in_rounds(data + 1, size - 1);
    require(ork_order_hash_value(&again.before) == ork_order_hash_value(&again.after));
    ork_order_hash_release(&again.before);
    ork_order_hash_release(&again.after);
    ork_order_decoder_destroy(decoder);
    ork_order_decoder_destroy(again.decoder);
    ork_order_encoder_destroy(again.encoder);
    return 0;
}

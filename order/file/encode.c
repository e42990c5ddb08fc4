/* SPDX-License-Identifier: BSD-3-Clause */
/* A choice as predicted lengthens a run. Another one is a byte that says which fields differ, and
 * these fields. */
#include "order/file/loop.h"

#include <stdlib.h>

struct ork_order_encoder {
    struct ork_predictor predictor;
    struct ork_loop loop;
    uint32_t run; /* choices as predicted that have not been written */
};

/* What differs from the prediction. */
struct difference {
    unsigned given;
    bool is_new; /* its call was not known */
    uint64_t index;
    struct ork_prediction from;
};

struct ork_order_encoder *ork_order_encoder_create(void)
{
    return calloc(1, sizeof(struct ork_order_encoder));
}

void ork_order_encoder_destroy(struct ork_order_encoder *encoder)
{
    free(encoder);
}

static uint8_t *put(uint8_t *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

static uint8_t *put_signed(uint8_t *out, int64_t value)
{
    return put(out, ork_predict_zigzag((uint64_t)value));
}

static void compare_call(struct ork_predictor *p, const struct ork_choice *choice,
                         struct difference *d)
{
    ork_predict_next(p, choice->thread, &d->from);
    if (ork_predict_is_call(&p->call[d->from.slot], choice))
        return;
    d->given |= ORK_GIVEN_CALL;
    d->from.slot = ork_predict_slot(choice);
    d->is_new = !ork_predict_is_call(&p->call[d->from.slot], choice);
}

static void compare(struct ork_predictor *p, const struct ork_choice *choice, struct difference *d)
{
    d->given = choice->thread != p->thread ? ORK_GIVEN_THREAD : 0;
    compare_call(p, choice, d);
    ork_predict_outcome(p, choice->thread, &d->from);
    const struct ork_predict_values *v = d->from.values;
    d->index = ork_loop_index(choice);
    if (choice->polls != v->polls)
        d->given |= ORK_GIVEN_POLLS;
    if (choice->source != *d->from.source)
        d->given |= ORK_GIVEN_SOURCE;
    if (choice->tag != ork_predict_tag(choice->kind, v))
        d->given |= ORK_GIVEN_TAG;
    if (d->index == ORK_INDEX_LIST || d->index != (v->index ^ ORK_INDEX_EMPTY))
        d->given |= ORK_GIVEN_INDEX;
    if (choice->post_thread != v->post_thread ||
        choice->post != ork_predict_ordinal(p, choice->kind, v))
        d->given |= ORK_GIVEN_POST;
}

static uint8_t *put_call(uint8_t *out, const struct ork_choice *choice, const struct difference *d)
{
    if (!d->is_new) {
        *out++ = d->from.slot;
        return out;
    }
    *out++ = ORK_CALL_NEW;
    *out++ = choice->kind;
    out = put(out, choice->call);
    out = put(out, choice->site);
    for (unsigned shift = 0; shift < 32; shift += 8)
        *out++ = (uint8_t)(choice->place >> shift);
    return out;
}

static uint8_t *put_index(uint8_t *out, const struct ork_choice *choice, uint64_t number)
{
    uint32_t previous = 0;

    out = put(out, number);
    if (number != ORK_INDEX_LIST)
        return out;
    out = put(out, choice->count);
    for (uint32_t i = 0; i < choice->count; i++) {
        out = put_signed(out, (int64_t)choice->index[i] - (int64_t)previous);
        previous = choice->index[i];
    }
    return out;
}

static uint8_t *put_post(struct ork_predictor *p, uint8_t *out, const struct ork_choice *choice,
                         const struct ork_predict_values *values)
{
    uint64_t previous = *ork_predict_post(p, choice->kind, choice->post_thread);
    uint64_t number = ork_predict_zigzag(choice->post - previous);

    if (choice->post_thread != values->post_thread || number > UINT64_MAX - ORK_POST_DELTA) {
        *out++ = ORK_POST_THREAD;
        out = put(out, choice->post_thread);
        return put(out, choice->post);
    }
    if (choice->post == 0)
        return put(out, ORK_POST_NONE);
    return put(out, number + ORK_POST_DELTA);
}

static uint8_t *put_difference(struct ork_predictor *p, uint8_t *out,
                               const struct ork_choice *choice, const struct difference *d)
{
    if (d->given == ORK_GIVEN_SOURCE && choice->source >= 0 &&
        choice->source <= ORK_ONLY_SOURCE_MAX) {
        *out++ = (uint8_t)(ORK_ONLY_SOURCE | choice->source);
        return out;
    }
    if (d->given == ORK_GIVEN_INDEX && choice->count == 1 &&
        choice->index[0] <= ORK_ONLY_INDEX_MAX) {
        *out++ = (uint8_t)(ORK_ONLY_INDEX | choice->index[0]);
        return out;
    }
    *out++ = (uint8_t)(ORK_GIVEN | d->given);
    if (d->given & ORK_GIVEN_THREAD)
        out = put(out, choice->thread);
    if (d->given & ORK_GIVEN_CALL)
        out = put_call(out, choice, d);
    if (d->given & ORK_GIVEN_POLLS)
        out = put(out, choice->polls);
    if (d->given & ORK_GIVEN_SOURCE)
        out = put_signed(out, choice->source);
    if (d->given & ORK_GIVEN_TAG)
        out = put_signed(out, (int64_t)choice->tag - ork_predict_tag(choice->kind, d->from.values));
    if (d->given & ORK_GIVEN_INDEX)
        out = put_index(out, choice, d->index);
    if (d->given & ORK_GIVEN_POST)
        out = put_post(p, out, choice, d->from.values);
    return out;
}

uint32_t ork_order_num_pending(const struct ork_order_encoder *encoder)
{
    return encoder->run;
}

size_t ork_order_encode_run(uint32_t choices, uint8_t *out)
{
    uint8_t *p = out;

    if (choices >= ORK_RUN_SHORTEST_LONG) {
        *p++ = ORK_RUN_LONG;
        p = put(p, choices - ORK_RUN_SHORTEST_LONG);
    } else if (choices > 0) {
        *p++ = (uint8_t)(ORK_RUN + choices - 1);
    }
    return (size_t)(p - out);
}

inline bool ork_order_encode_loop(struct ork_order_encoder *encoder,
                                  const struct ork_choice *choice)
{
    if (encoder->loop.round == 0 || encoder->run + 1 >= ORK_RUN_MAX ||
        !ork_loop_takes(&encoder->loop, choice))
        return false;
    encoder->run++;
    return true;
}

size_t ork_order_encode_pending(struct ork_order_encoder *encoder, uint8_t *out)
{
    size_t size = ork_order_encode_run(encoder->run, out);

    encoder->run = 0;
    return size;
}

static size_t lengthen(struct ork_order_encoder *encoder, uint8_t *out)
{
    return ++encoder->run == ORK_RUN_MAX ? ork_order_encode_pending(encoder, out) : 0;
}

/* The next choice of a loop, with other polls. */
static size_t encode_polls(struct ork_order_encoder *encoder, uint64_t polls, uint8_t *out)
{
    uint8_t *p = out + ork_order_encode_pending(encoder, out);

    *p++ = ORK_GIVEN | ORK_GIVEN_POLLS;
    ork_loop_set_polls(&encoder->loop, polls);
    ork_loop_next(&encoder->loop);
    return (size_t)(put(p, polls) - out);
}

size_t ork_order_encode(struct ork_order_encoder *encoder, const struct ork_choice *choice,
                        uint8_t *out)
{
    struct ork_predictor *p = &encoder->predictor;
    struct difference d;

    if (encoder->loop.round > 0) {
        const struct ork_loop_choice *next = &encoder->loop.choice[encoder->loop.at];
        if (choice->place == (uint32_t)next->place && ork_loop_expects(&encoder->loop, choice)) {
            if (choice->polls != next->polls)
                return encode_polls(encoder, choice->polls, out);
            ork_loop_next(&encoder->loop);
            return lengthen(encoder, out);
        }
        ork_loop_leave(&encoder->loop, p);
    }
    d.is_new = false;
    compare(p, choice, &d);
    if (d.given == 0) {
        ork_predict_confirm(p, choice, &d.from);
        ork_loop_note(&encoder->loop, choice, d.index, d.from.slot);
        return lengthen(encoder, out);
    }
    if (d.given == ORK_GIVEN_POLLS)
        ork_loop_note(&encoder->loop, choice, d.index, d.from.slot);
    else
        ork_loop_leave(&encoder->loop, p);
    size_t size = ork_order_encode_pending(encoder, out);
    size = (size_t)(put_difference(p, out + size, choice, &d) - out);
    if (d.is_new)
        ork_predict_learn_call(p, choice, d.from.slot);
    ork_predict_learn(p, choice, &d.from, d.index);
    return size;
}

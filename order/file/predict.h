/* SPDX-License-Identifier: BSD-3-Clause */
/* What encoder and decoder know of the choices so far, and the next choice that they expect of it.
 * All tables have a fixed size and are shared by what has the same hash: a collision costs bytes,
 * but both sides have the same ones. Private to order/. */
#ifndef ORK_ORDER_PREDICT_H
#define ORK_ORDER_PREDICT_H

#include "common/hash.h"
#include "order/file/order.h"

#include <string.h>

/* Operations of the stream, one byte each. */
enum {
    ORK_RUN = 0x00, /* 0x00 to 0x1e: 1 to 31 choices as predicted; 0x1f: 32 and a varint more */
    ORK_RUN_LONG = 0x1f,
    ORK_RUN_SHORTEST_LONG = 32,
    ORK_ONLY_INDEX = 0x20,  /* 0x20 to 0x3f: as predicted, but for one index 0 to 31 */
    ORK_ONLY_SOURCE = 0x40, /* 0x40 to 0x7f: as predicted, but for the source 0 to 63 */
    ORK_GIVEN = 0x80,       /* as predicted, but for the fields of these bits, in this order */
    ORK_GIVEN_THREAD = 0x40,
    ORK_GIVEN_CALL = 0x20,
    ORK_GIVEN_POLLS = 0x10,
    ORK_GIVEN_SOURCE = 0x08,
    ORK_GIVEN_TAG = 0x04,
    ORK_GIVEN_INDEX = 0x02,
    ORK_GIVEN_POST = 0x01,
};

enum {
    ORK_ONLY_INDEX_MAX = 31,
    ORK_ONLY_SOURCE_MAX = 63,
    ORK_CALLS = 255,    /* after ORK_GIVEN_CALL: one of the known calls, .. */
    ORK_CALL_NEW = 255, /* .. or kind, call, site and place follow */
    ORK_VALUES_BITS = 7,
    ORK_NEXT_BITS = 9,
    ORK_SOURCES_BITS = 9,
    ORK_PREDICT_THREADS = 32, /* a power of 2 */
};
/* A longer run is written as several ones, so that its length has 5 bytes. */
#define ORK_RUN_MAX (UINT32_C(1) << 28)

/* First number after ORK_GIVEN_POST. */
enum {
    ORK_POST_THREAD, /* of another thread than predicted: the thread and the ordinal follow */
    ORK_POST_NONE,
    ORK_POST_DELTA, /* and above: zigzag of the difference to the previous one of its thread */
};

/* The list of indices as one number: 0 if it does not fit in (a list follows), else
 * 2 * index + 2 for one, 2 * (bit mask) + 1 for any number of them that ascend and are below 63. */
enum { ORK_INDEX_LIST = 0, ORK_INDEX_EMPTY = 1, ORK_INDEX_BITS = 63 };

/* A call in the program: what is the same whenever it is made. */
struct ork_predict_call {
    uint32_t site;
    uint32_t place;
    uint16_t call;
    uint8_t kind;
    bool is_known;
};

/* The latest choice of a thread in a call. */
struct ork_predict_values {
    uint64_t polls;
    uint64_t post_delta; /* modulo 2^64 */
    uint64_t index;      /* as one number, with the lowest bit flipped so that empty is 0 */
    int32_t source;
    int32_t tag;
    /* Of locks: what their number grows by, and by what it grew the last time. */
    uint32_t tag_step, tag_grew;
    uint16_t post_thread;
    bool has_post;
};

struct ork_predictor {
    uint32_t thread; /* of the previous choice */
    struct ork_predict_call call[ORK_CALLS];
    struct ork_predict_values values[1 << ORK_VALUES_BITS];
    int32_t source[1 << ORK_SOURCES_BITS]; /* after the latest source of a thread in a call */
    uint8_t next[1 << ORK_NEXT_BITS];      /* the call after a call of a thread */
    uint8_t previous[ORK_PREDICT_THREADS]; /* the call of a thread's previous choice */
    uint64_t post[ORK_ORDER_POSTS * ORK_PREDICT_THREADS]; /* previous ordinal of each series */
};

static inline uint32_t ork_predict_hash(uint64_t key, unsigned bits)
{
    return ork_hash_short(key) >> (32 - bits);
}

static inline bool ork_predict_is_call(const struct ork_predict_call *call,
                                       const struct ork_choice *choice)
{
    return call->is_known && call->place == choice->place && call->site == choice->site &&
           call->call == choice->call && call->kind == choice->kind;
}

/* What the tables have for a choice. */
struct ork_prediction {
    uint8_t *next; /* its call */
    uint8_t slot;  /* its call: as predicted, or the true one */
    struct ork_predict_values *values;
    int32_t *source;
};

/* The call of the next choice of a thread. */
static inline void ork_predict_next(struct ork_predictor *p, uint32_t thread,
                                    struct ork_prediction *to)
{
    uint8_t previous = p->previous[thread % ORK_PREDICT_THREADS];

    to->next = &p->next[ork_predict_hash((uint64_t)thread << 8 | previous, ORK_NEXT_BITS)];
    to->slot = *to->next;
}

/* Where values[] has what is known of a thread and a call. */
static inline uint32_t ork_predict_values_of(uint32_t thread, uint8_t slot)
{
    return ork_predict_hash((uint64_t)thread << 8 | slot, ORK_VALUES_BITS);
}

/* The other outcomes, now that the call is to->slot. */
static inline void ork_predict_outcome(struct ork_predictor *p, uint32_t thread,
                                       struct ork_prediction *to)
{
    uint64_t key = (uint64_t)thread << 8 | to->slot;

    to->values = &p->values[ork_predict_values_of(thread, to->slot)];
    key = key << 32 | (uint32_t)to->values->source;
    to->source = &p->source[ork_predict_hash(key, ORK_SOURCES_BITS)];
}

/* The number that a call has as soon as it is known. */
static inline uint8_t ork_predict_slot(const struct ork_choice *choice)
{
    uint64_t key = ((uint64_t)choice->site << 32 | choice->place) ^ (uint64_t)choice->call << 20 ^
                   (uint64_t)choice->kind << 40;

    return (uint8_t)(ork_hash_mix(key) % ORK_CALLS);
}

/* From now on the call of this number is known. */
static inline void ork_predict_learn_call(struct ork_predictor *p, const struct ork_choice *choice,
                                          uint8_t slot)
{
    p->call[slot] = (struct ork_predict_call){.site = choice->site,
                                              .place = choice->place,
                                              .call = choice->call,
                                              .kind = choice->kind,
                                              .is_known = true};
}

/* The previous ordinal of a thread. */
static inline uint64_t *ork_predict_post(struct ork_predictor *p, uint8_t kind, uint32_t thread)
{
    return &p->post[thread % ORK_PREDICT_THREADS * ORK_ORDER_POSTS + ork_order_series(kind)];
}

/* The predicted ordinal of a choice; its thread is values->post_thread. */
static inline uint64_t ork_predict_ordinal(struct ork_predictor *p, uint8_t kind,
                                           const struct ork_predict_values *values)
{
    if (!values->has_post)
        return 0;
    return *ork_predict_post(p, kind, values->post_thread) + values->post_delta;
}

/* The predicted tag. RATIONALE: the number of a lock grows by one if a rank takes it again and
 * again, and by the number of ranks if they take turns. */
static inline int32_t ork_predict_tag(uint8_t kind, const struct ork_predict_values *values)
{
    uint32_t step = ork_order_is_lock(kind) ? values->tag_step : 0;

    return (int32_t)((uint32_t)values->tag + step);
}

/* RATIONALE: a step counts when it comes twice, so that one other step costs one choice only. */
static inline void ork_predict_learn_tag(struct ork_predict_values *values,
                                         const struct ork_choice *choice)
{
    uint32_t grew = (uint32_t)choice->tag - (uint32_t)values->tag;

    values->tag = choice->tag;
    if (!ork_order_is_lock(choice->kind))
        return;
    if (values->tag_grew == grew)
        values->tag_step = grew;
    values->tag_grew = grew;
}

/* Learn a choice for which the tables had `from`; `index`: its indices as one number. */
static inline void ork_predict_learn(struct ork_predictor *p, const struct ork_choice *choice,
                                     const struct ork_prediction *from, uint64_t index)
{
    struct ork_predict_values *values = from->values;

    *from->next = from->slot;
    *from->source = choice->source;
    p->previous[choice->thread % ORK_PREDICT_THREADS] = from->slot;
    p->thread = choice->thread;
    values->polls = choice->polls;
    values->source = choice->source;
    ork_predict_learn_tag(values, choice);
    values->index = index ^ ORK_INDEX_EMPTY;
    values->post_thread = (uint16_t)choice->post_thread;
    values->has_post = choice->post != 0;
    if (choice->post != 0) {
        uint64_t *post = ork_predict_post(p, choice->kind, choice->post_thread);
        values->post_delta = choice->post - *post;
        *post = choice->post;
    }
}

/* The same for a choice that is as predicted: little has changed. RATIONALE: what is not written
 * now need not be waited for when the next choice reads it. */
static inline void ork_predict_confirm(struct ork_predictor *p, const struct ork_choice *choice,
                                       const struct ork_prediction *from)
{
    uint8_t *previous = &p->previous[choice->thread % ORK_PREDICT_THREADS];

    if (*previous != from->slot)
        *previous = from->slot;
    if (from->values->source != choice->source)
        from->values->source = choice->source;
    if (ork_order_is_lock(choice->kind))
        ork_predict_learn_tag(from->values, choice);
    if (choice->post != 0)
        *ork_predict_post(p, choice->kind, choice->post_thread) = choice->post;
}

static inline uint64_t ork_predict_zigzag(uint64_t difference)
{
    return (difference << 1) ^ (0 - (difference >> 63));
}

static inline uint64_t ork_predict_unzigzag(uint64_t value)
{
    return (value >> 1) ^ (0 - (value & 1));
}

#endif

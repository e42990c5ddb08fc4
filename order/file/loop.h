/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in a loop makes the same choices again and again, often after another number of polls.
 * When as many choices as predicted, except for polls, as two rounds of the loop were equal, the
 * tables of predict.h are again what they were one round before, apart from the ordinals and polls.
 * So the next choice that they predict is the one of a round before: to know it, no table is read.
 * Private to order/. */
#ifndef ORK_ORDER_LOOP_H
#define ORK_ORDER_LOOP_H

#include "order/file/predict.h"

enum {
    ORK_LOOP_MAX = ORK_ORDER_ROUND_MAX,
    ORK_LOOP_SEEN = 2 * ORK_LOOP_MAX,
    ORK_LOOP_WAIT = 2,         /* choices as predicted before it is looked for a loop, .. */
    ORK_LOOP_WAIT_AGAIN = 256, /* .. and after one that was not found */
};

struct ork_loop_choice {
    uint64_t what;    /* kind, call, thread and post_thread */
    uint64_t place;   /* site and place */
    uint64_t message; /* source and tag */
    uint64_t polls;
    uint64_t index; /* as one number; ORK_INDEX_LIST: never in a loop */
    uint64_t post;  /* of the next round, once the loop is known */
    uint64_t step;  /* between two rounds */
    uint8_t slot;   /* of its call */
    uint8_t values; /* where the tables have its polls, once the loop is known */
};

/* All zero at the beginning. */
struct ork_loop {
    uint32_t round; /* choices in it; 0: no loop is known */
    uint32_t at;    /* the next one */
    uint32_t num;   /* choices as predicted that were noted, or */
    uint32_t wait;  /* .. that are not */
    struct ork_loop_choice choice[ORK_LOOP_SEEN];
};

static inline uint64_t ork_loop_what(const struct ork_choice *c)
{
    return c->kind | (uint64_t)c->call << 8 | (uint64_t)(uint16_t)c->thread << 24 |
           (uint64_t)(uint16_t)c->post_thread << 40;
}

static inline uint8_t ork_loop_kind(const struct ork_loop_choice *c)
{
    return (uint8_t)c->what;
}

static inline uint32_t ork_loop_thread(const struct ork_loop_choice *c)
{
    return c->what >> 24 & UINT16_MAX;
}

static inline uint32_t ork_loop_post_thread(const struct ork_loop_choice *c)
{
    return c->what >> 40 & UINT16_MAX;
}

static inline uint64_t ork_loop_message(const struct ork_choice *c)
{
    return (uint64_t)(uint32_t)c->source << 32 | (uint32_t)c->tag;
}

static inline uint64_t ork_loop_place(const struct ork_choice *c)
{
    return (uint64_t)c->site << 32 | c->place;
}

/* The list of indices as one number (predict.h). */
static inline uint64_t ork_loop_index(const struct ork_choice *choice)
{
    uint64_t mask = 0;

    if (choice->count == 1)
        return 2 * (uint64_t)choice->index[0] + 2;
    for (uint32_t i = 0; i < choice->count; i++) {
        uint32_t index = choice->index[i];
        if (index >= ORK_INDEX_BITS || mask >> index != 0)
            return ORK_INDEX_LIST;
        mask |= UINT64_C(1) << index;
    }
    return mask << 1 | 1;
}

static inline void ork_loop_next(struct ork_loop *loop)
{
    loop->choice[loop->at].post += loop->choice[loop->at].step;
    loop->at = loop->at + 1 == loop->round ? 0 : loop->at + 1;
}

/* Is this choice, except for its polls, the next one of the loop? RATIONALE: one test of all
 * differences, because in a loop there is none. The place is that of the site. */
static inline bool ork_loop_expects(const struct ork_loop *loop, const struct ork_choice *c)
{
    const struct ork_loop_choice *e = &loop->choice[loop->at];

    return ((ork_loop_what(c) ^ e->what) | (c->site ^ e->place >> 32) |
            (ork_loop_message(c) ^ e->message) | (c->post ^ e->post) |
            (ork_loop_index(c) ^ e->index)) == 0;
}

/* Is it the next one with its polls? Then the loop has made it. */
static inline bool ork_loop_takes(struct ork_loop *loop, const struct ork_choice *c)
{
    if (c->polls != loop->choice[loop->at].polls || !ork_loop_expects(loop, c))
        return false;
    ork_loop_next(loop);
    return true;
}

/* The next choice of the loop has other polls: tell all that have theirs at the same place. */
static inline void ork_loop_set_polls(struct ork_loop *loop, uint64_t polls)
{
    const uint8_t values = loop->choice[loop->at].values;

    for (uint32_t i = 0; i < loop->round; i++) {
        if (loop->choice[i].values == values)
            loop->choice[i].polls = polls;
    }
}

/* A choice that is as predicted, except for its polls; no loop is known. */
void ork_loop_note(struct ork_loop *loop, const struct ork_choice *choice, uint64_t index,
                   uint8_t slot);

/* The next choice of a loop, without its indices and its number. */
static inline void ork_loop_get(const struct ork_loop_choice *c, struct ork_choice *choice)
{
    choice->kind = ork_loop_kind(c);
    choice->call = (uint16_t)(c->what >> 8);
    choice->thread = ork_loop_thread(c);
    choice->site = (uint32_t)(c->place >> 32);
    choice->place = (uint32_t)c->place;
    choice->polls = c->polls;
    choice->post_thread = ork_loop_post_thread(c);
    choice->post = c->post;
    choice->source = (int32_t)(uint32_t)(c->message >> 32);
    choice->tag = (int32_t)(uint32_t)c->message;
}

/* The rounds that are in a run of this length; false: there are none, or none that fit. */
bool ork_loop_rounds(const struct ork_loop *loop, uint32_t run, struct ork_order_rounds *to);

/* The next round, in choice[] and index[]. False: a choice names a posted receive, or their indices
 * do not fit. */
bool ork_loop_series(const struct ork_loop *loop, struct ork_order_series *to);

/* The loop makes so many rounds. */
void ork_loop_skip(struct ork_loop *loop, uint32_t rounds);

/* Forget the loop, after the tables have learned what they would know without it. */
void ork_loop_leave(struct ork_loop *loop, struct ork_predictor *p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash.h"
#include "common/vec.h"
#include "order/file/order.h"

#include <stdlib.h>
#include <string.h>

/* The hash of a thread is a polynomial over the field of 2^61 - 1 elements, whose coefficients are
 * hashes of its choices. RATIONALE: the choices of many rounds of a loop can be added at once. */
#define PRIME  ((UINT64_C(1) << 61) - 1)
#define FACTOR UINT64_C(0x0d1310ba698dfb5a) /* as the constants below */

__extension__ typedef unsigned __int128 product_t;

static uint64_t multiply(uint64_t a, uint64_t b)
{
    product_t product = (product_t)a * b;
    uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);

    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a + b >= PRIME ? a + b - PRIME : a + b;
}

static bool reserve(struct ork_order_hash *hash, uint32_t threads)
{
    if (threads <= hash->num_threads)
        return true;
    if (!ork_vec_extend(&hash->thread, hash->num_threads, threads, sizeof(*hash->thread)))
        return false;
    hash->num_threads = threads;
    return true;
}

/* Odd constants without a pattern: the hexadecimal digits of pi. */
#define KIND    UINT64_C(0x243f6a8885a308d3)
#define POLLS   UINT64_C(0x13198a2e03707345)
#define CALL    UINT64_C(0xa4093822299f31d1)
#define POST    UINT64_C(0x082efa98ec4e6c89)
#define COUNT   UINT64_C(0x452821e638d01377)
#define MESSAGE UINT64_C(0xbe5466cf34e90c6d)

/* What is added for its ordinal: the distance to the previous one of this kind. */
static uint64_t distance(struct ork_order_thread_hash *thread, const struct ork_choice *choice)
{
    if (choice->post == 0)
        return 0;
    uint64_t *post = &thread->post[ork_order_series(choice->kind)];
    uint64_t before = *post;
    *post = choice->post;
    return (choice->post - before) * 2 + 1;
}

/* What its hash is made of, without its polls and indices. RATIONALE: the products do not wait for
 * each other, and the tool hashes each choice of a run. */
static uint64_t sum_of(struct ork_order_thread_hash *thread, const struct ork_choice *choice)
{
    uint64_t sum = choice->kind * KIND;

    if (choice->kind != ORK_CHOICE_END)
        sum += ((uint64_t)choice->call << 32 | choice->place) * CALL +
               distance(thread, choice) * POST +
               ((uint64_t)choice->post_thread << 32 | choice->count) * COUNT +
               ((uint64_t)(uint32_t)choice->source << 32 | (uint32_t)choice->tag) * MESSAGE;
    return sum;
}

static uint64_t hash_of(uint64_t sum, uint64_t polls, const struct ork_choice *choice)
{
    uint64_t value = ork_hash_mix(sum + polls * POLLS);

    for (uint32_t i = 0; choice->kind != ORK_CHOICE_END && i < choice->count; i++)
        value = ork_hash_add(value, choice->index[i]);
    return value % PRIME;
}

static uint64_t append(uint64_t value, struct ork_order_thread_hash *thread,
                       const struct ork_choice *choice)
{
    return add(multiply(value, FACTOR), hash_of(sum_of(thread, choice), choice->polls, choice));
}

enum ork_status ork_order_hash_add(struct ork_order_hash *hash, const struct ork_choice *choice)
{
    if (choice->thread >= ORK_CHOICE_THREADS)
        return ORK_INVALID;
    /* RATIONALE: a thread that ended without polls is as one of which nothing is known, so that a
     * rank without choices has no hash. */
    if (choice->kind == ORK_CHOICE_END && choice->polls == 0)
        return ORK_OK;
    if (!reserve(hash, choice->thread + 1))
        return ORK_NOMEM;
    struct ork_order_thread_hash *thread = &hash->thread[choice->thread];
    thread->value = append(thread->value, thread, choice);
    hash->choices += choice->kind != ORK_CHOICE_END;
    return ORK_OK;
}

/* ---- rounds ---- */

/* What appending some choices does: value * factor + summand. */
struct map {
    uint64_t factor, summand;
};

static struct map after(struct map first, struct map second)
{
    return (struct map){.factor = multiply(first.factor, second.factor),
                        .summand = add(multiply(first.summand, second.factor), second.summand)};
}

static uint64_t apply(struct map map, uint32_t times, uint64_t value)
{
    for (; times > 0; times /= 2) {
        if (times % 2 != 0)
            value = add(multiply(value, map.factor), map.summand);
        map = after(map, map);
    }
    return value;
}

/* A round that comes after one of the same loop. */
static struct map map_of(struct ork_order_thread_hash thread, const struct ork_order_rounds *rounds)
{
    struct map map = {.factor = 1, .summand = 0};

    for (uint32_t i = 0; i < rounds->round; i++) {
        struct ork_choice choice = rounds->choice[i];
        if (choice.post != 0)
            choice.post += rounds->step[i];
        map.factor = multiply(map.factor, FACTOR);
        map.summand = append(map.summand, &thread, &choice);
    }
    return map;
}

/* The ordinals after the last round. */
static void set_posts(struct ork_order_thread_hash *thread, const struct ork_order_rounds *rounds)
{
    for (uint32_t i = 0; i < rounds->round; i++) {
        struct ork_choice choice = rounds->choice[i];
        if (choice.post != 0)
            choice.post += rounds->step[i] * (rounds->rounds - 1);
        distance(thread, &choice);
    }
}

enum ork_status ork_order_hash_add_rounds(struct ork_order_hash *hash,
                                          const struct ork_order_rounds *rounds)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < rounds->round && status == ORK_OK; i++)
        status = ork_order_hash_add(hash, &rounds->choice[i]);
    if (status != ORK_OK || rounds->rounds < 2)
        return status;
    struct ork_order_thread_hash *thread = &hash->thread[rounds->choice[0].thread];
    thread->value = apply(map_of(*thread, rounds), rounds->rounds - 1, thread->value);
    hash->choices += (uint64_t)rounds->round * (rounds->rounds - 1);
    set_posts(thread, rounds);
    return ORK_OK;
}

enum ork_status ork_order_hash_add_series(struct ork_order_hash *hash,
                                          const struct ork_order_series *series)
{
    uint64_t sum[ORK_ORDER_ROUND_MAX];

    if (!reserve(hash, series->choice[0].thread + 1))
        return ORK_NOMEM;
    struct ork_order_thread_hash *thread = &hash->thread[series->choice[0].thread];
    for (uint32_t i = 0; i < series->round; i++)
        sum[i] = sum_of(thread, &series->choice[i]);
    for (uint32_t k = 0, i = 0; k < series->num; k++) {
        thread->value = add(multiply(thread->value, FACTOR),
                            hash_of(sum[i], series->polls[k], &series->choice[i]));
        i = i + 1 == series->round ? 0 : i + 1;
    }
    hash->choices += series->num;
    return ORK_OK;
}

/* ---- value ---- */

uint64_t ork_order_hash_value(const struct ork_order_hash *hash)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < hash->num_threads; i++) {
        if (hash->thread[i].value != 0)
            value = ork_hash_add(ork_hash_add(value, i), hash->thread[i].value);
    }
    return value;
}

void ork_order_hash_release(struct ork_order_hash *hash)
{
    free(hash->thread);
    memset(hash, 0, sizeof(*hash));
}

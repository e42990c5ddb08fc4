/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash.h"
#include "order/order.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct ork_order_hash *hash, uint32_t threads)
{
    if (threads <= hash->num_threads)
        return true;
    uint64_t *bigger = realloc(hash->thread, threads * sizeof(*bigger));
    if (bigger == NULL)
        return false;
    memset(bigger + hash->num_threads, 0, (threads - hash->num_threads) * sizeof(*bigger));
    hash->thread = bigger;
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

/* RATIONALE: the products do not wait for each other, and the tool hashes each choice of a run: one
 * step of ork_hash_add() for each field took a tenth of its time. */
static uint64_t add_outcome(uint64_t hash, uint64_t sum, const struct ork_choice *choice)
{
    sum += ((uint64_t)choice->call << 32 | choice->place) * CALL + choice->post * POST +
           ((uint64_t)choice->post_thread << 32 | choice->count) * COUNT +
           ((uint64_t)(uint32_t)choice->source << 32 | (uint32_t)choice->tag) * MESSAGE;
    hash = ork_hash_add(hash, sum);
    for (uint32_t i = 0; i < choice->count; i++)
        hash = ork_hash_add(hash, choice->index[i]);
    return hash;
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
    uint64_t before = hash->thread[choice->thread], value;
    uint64_t sum = choice->kind * KIND + choice->polls * POLLS;
    if (choice->kind != ORK_CHOICE_END) {
        value = add_outcome(before, sum, choice);
        hash->choices++;
    } else {
        value = ork_hash_add(before, sum);
    }
    hash->thread[choice->thread] = value != 0 ? value : 1;
    return ORK_OK;
}

uint64_t ork_order_hash_value(const struct ork_order_hash *hash)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < hash->num_threads; i++) {
        if (hash->thread[i] != 0)
            value = ork_hash_add(ork_hash_add(value, i), hash->thread[i]);
    }
    return value;
}

void ork_order_hash_release(struct ork_order_hash *hash)
{
    free(hash->thread);
    memset(hash, 0, sizeof(*hash));
}

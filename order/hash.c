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

static uint64_t add_outcome(uint64_t hash, const struct ork_choice *choice)
{
    hash = ork_hash_add(hash, (uint64_t)choice->call << 32 | choice->place);
    hash = ork_hash_add(hash, choice->post);
    hash = ork_hash_add(hash, (uint64_t)choice->post_thread << 32 | choice->count);
    hash = ork_hash_add(hash, (uint64_t)(uint32_t)choice->source << 32 | (uint32_t)choice->tag);
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
    uint64_t value = ork_hash_add(hash->thread[choice->thread], choice->kind);
    value = ork_hash_add(value, choice->polls);
    if (choice->kind != ORK_CHOICE_END) {
        value = add_outcome(value, choice);
        hash->choices++;
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

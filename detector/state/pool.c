/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of one size, and growing arrays. Out of memory marks the detector as failed, for good. */
#include "detector/state/state.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_OBJECTS = 256, LINE = 64 };

void *ork_lines_alloc(size_t count, size_t size)
{
    size_t bytes = (count * size + LINE - 1) / LINE * LINE;
    void *memory = size > SIZE_MAX / LINE / count ? NULL : aligned_alloc(LINE, bytes);

    return memory == NULL ? NULL : memset(memory, 0, bytes);
}

void ork_pool_init(struct pool *pool, size_t size)
{
    *pool = (struct pool){.size = size};
}

void ork_pool_release(struct pool *pool)
{
    while (pool->blocks != NULL) {
        void *next = *(void **)pool->blocks;
        free(pool->blocks);
        pool->blocks = next;
    }
    pool->free = NULL;
}

static bool pool_refill(struct pool *pool)
{
    /* the first slot of a block links the blocks */
    char *block = ork_lines_alloc(BLOCK_OBJECTS + 1, pool->size);

    if (block == NULL)
        return false;
    *(void **)(void *)block = pool->blocks;
    pool->blocks = block;
    for (size_t i = BLOCK_OBJECTS; i >= 1; i--) {
        *(void **)(void *)(block + i * pool->size) = pool->free;
        pool->free = block + i * pool->size;
    }
    return true;
}

void *ork_pool_get(struct ork_detector *d, struct pool *pool)
{
    if (pool->free == NULL && !pool_refill(pool)) {
        d->failed = true;
        return NULL;
    }
    void *object = pool->free;
    ORK_ASSERT(object != NULL);
    pool->free = *(void **)object;
    memset(object, 0, pool->size);
    pool->used++;
    return object;
}

void ork_pool_put(struct pool *pool, void *object)
{
    ORK_ASSERT(pool->used > 0);
    *(void **)object = pool->free;
    pool->free = object;
    pool->used--;
}

bool ork_grow(struct ork_detector *d, void *array, uint32_t *cap, uint32_t want, size_t size)
{
    bool done = ork_vec_reserve(array, cap, want, size);

    d->failed |= !done;
    return done;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of one size, and growing arrays. Out of memory marks the detector as failed, for good. */
#ifndef ORK_DETECTOR_POOL_H
#define ORK_DETECTOR_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ork_detector;

struct pool {
    void *free;
    void *blocks;
    size_t size;
    uint64_t used;
};

/* Zeroed, and aligned to a cache line. NULL: out of memory. */
void *ork_lines_alloc(size_t count, size_t size);
void ork_pool_init(struct pool *pool, size_t size);
void ork_pool_release(struct pool *pool);
void *ork_pool_get(struct ork_detector *d, struct pool *pool); /* zeroed; NULL sets d->failed */
void ork_pool_put(struct pool *pool, void *object);
/* As ork_pool_get(), but not zeroed. */
static inline void *ork_pool_take(struct ork_detector *d, struct pool *pool)
{
    void *object = pool->free;

    if (object == NULL)
        return ork_pool_get(d, pool);
    pool->free = *(void **)object;
    pool->used++;
    return object;
}
/* Grow *array of `size`-byte elements to at least `want`; new elements are zeroed. False sets
 * d->failed. */
bool ork_grow(struct ork_detector *d, void *array, uint32_t *cap, uint32_t want, size_t size);

#endif

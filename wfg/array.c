/* SPDX-License-Identifier: BSD-3-Clause */
#include "wfg/wfg_internal.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 16 };

void *ork_array_create(uint64_t count, size_t size)
{
    if (count > SIZE_MAX / size)
        return NULL;
    return calloc(count > 0 ? (size_t)count : 1, size);
}

void *ork_array_grow(void *array, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    if (count == ORK_NONE)
        return NULL;
    uint64_t wanted = count < FIRST_CAPACITY ? FIRST_CAPACITY : (uint64_t)count * 2;
    if (wanted > ORK_NONE)
        wanted = ORK_NONE;
    if (wanted > SIZE_MAX / size)
        return NULL;
    void *larger = realloc(array, (size_t)wanted * size);
    if (larger != NULL)
        *capacity = (uint32_t)wanted;
    return larger;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in for CUDA's driver, with its numbers. */
#include "blocks.h"
#include "runtimes.h"

enum { INVALID_VALUE = 1, MEMORY_TYPE = 2, IS_MANAGED = 8, ON_DEVICE = 2 };

int cuMemAlloc_v2(uintptr_t *address, size_t bytes)
{
    *address = block_take(bytes, false);
    return *address != 0 ? 0 : INVALID_VALUE;
}

int cuMemAllocManaged(uintptr_t *address, size_t bytes, unsigned flags)
{
    (void)flags;
    *address = block_take(bytes, true);
    return *address != 0 ? 0 : INVALID_VALUE;
}

int cuMemFree_v2(uintptr_t address)
{
    struct block *b = block_of(address);

    if (b == NULL)
        return INVALID_VALUE;
    b->is_live = false;
    return 0;
}

int cuPointerGetAttribute(void *value, int attribute, uintptr_t address)
{
    const struct block *b = block_of(address);

    if (b == NULL || (attribute != MEMORY_TYPE && attribute != IS_MANAGED))
        return INVALID_VALUE;
    *(unsigned *)value = attribute == IS_MANAGED ? b->is_managed : ON_DEVICE;
    return 0;
}

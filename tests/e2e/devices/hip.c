/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in for the runtime of HIP 6, with its numbers. */
#include "blocks.h"
#include "runtimes.h"

enum { INVALID_VALUE = 1, ON_DEVICE = 2, IS_MANAGED = 3 };

static int latest_error;

static int result(int error)
{
    latest_error = error != 0 ? error : latest_error;
    return error;
}

int hipMalloc(void **address, size_t bytes)
{
    *address = (void *)block_take(bytes, false);
    return result(*address != NULL ? 0 : INVALID_VALUE);
}

int hipMallocManaged(void **address, size_t bytes, unsigned flags)
{
    (void)flags;
    *address = (void *)block_take(bytes, true);
    return result(*address != NULL ? 0 : INVALID_VALUE);
}

int hipFree(void *address)
{
    struct block *b = block_of((uintptr_t)address);

    if (b == NULL)
        return result(INVALID_VALUE);
    b->is_live = false;
    return 0;
}

int hipPointerGetAttributes(struct hip_attributes *attributes, const void *address)
{
    const struct block *b = block_of((uintptr_t)address);

    if (b == NULL)
        return result(INVALID_VALUE);
    *attributes = (struct hip_attributes){.type = b->is_managed ? IS_MANAGED : ON_DEVICE,
                                          .is_managed = b->is_managed};
    return 0;
}

int hipPeekAtLastError(void)
{
    return latest_error;
}

int hipGetLastError(void)
{
    int error = latest_error;

    latest_error = 0;
    return error;
}

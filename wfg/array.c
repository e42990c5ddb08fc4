/* SPDX-License-Identifier: BSD-3-Clause */
#include "wfg/wfg_internal.h"

#include <stdlib.h>

void *ork_array_create(uint64_t count, size_t size)
{
    if (count > SIZE_MAX / size)
        return NULL;
    return calloc(count > 0 ? (size_t)count : 1, size);
}

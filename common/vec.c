/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 8 };

bool ork_vec_grow(void *array, uint32_t *room, uint32_t wanted, size_t size)
{
    uint32_t more = *room <= UINT32_MAX / 2 ? *room * 2 : UINT32_MAX;

    if (more < wanted)
        more = wanted;
    if (more < ROOM_MIN)
        more = ROOM_MIN;
    if (!ork_vec_extend(array, *room, more, size))
        return false;
    *room = more;
    return true;
}

/* RATIONALE: the pointer is copied, because it is of any type. */
bool ork_vec_extend(void *array, size_t count, size_t wanted, size_t size)
{
    void *items;

    memcpy(&items, array, sizeof(items));
    char *bigger = wanted <= SIZE_MAX / size ? realloc(items, wanted * size) : NULL;
    if (bigger == NULL)
        return false;
    memset(bigger + count * size, 0, (wanted - count) * size);
    memcpy(array, &bigger, sizeof(bigger));
    return true;
}

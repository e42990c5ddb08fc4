/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/map.h"

#include "common/vec.h"

#include <errno.h>
#include <stdlib.h>

enum { MAP_SLOTS_MIN = 256 };

static struct ork_entry *place(struct ork_map *map, uint64_t key)
{
    uint32_t i = ork_map_start(map, key);

    while (map->slot[i].key != 0)
        i = (i + 1) & map->mask;
    map->slot[i] = (struct ork_entry){.key = key};
    return &map->slot[i];
}

static bool grow(struct ork_map *map)
{
    uint32_t slots = map->slot == NULL ? MAP_SLOTS_MIN : (map->mask + 1) * 2;
    int saved = errno;
    struct ork_map bigger = {.slot = calloc(slots, sizeof(*map->slot)), .mask = slots - 1};

    errno = saved;
    if (bigger.slot == NULL)
        return false;
    for (uint32_t i = 0; map->slot != NULL && i <= map->mask; i++)
        if (map->slot[i].key != 0)
            *place(&bigger, map->slot[i].key) = map->slot[i];
    bigger.used = map->used;
    free(map->slot);
    *map = bigger;
    return true;
}

struct ork_entry *ork_map_insert(struct ork_map *map, uint64_t key)
{
    if ((map->slot == NULL || map->used * 2 > map->mask) && !grow(map))
        return NULL;
    map->used++;
    return place(map, key);
}

/* Invariant of the loop: slot[hole] is empty, and every entry between it and `i` may stay where it
 * is. */
void ork_map_remove(struct ork_map *map, struct ork_entry *entry)
{
    uint32_t hole = (uint32_t)(entry - map->slot);

    for (uint32_t i = (hole + 1) & map->mask; map->slot[i].key != 0; i = (i + 1) & map->mask) {
        uint32_t start = ork_map_start(map, map->slot[i].key);
        if (((i - start) & map->mask) < ((i - hole) & map->mask))
            continue;
        map->slot[hole] = map->slot[i];
        hole = i;
    }
    map->slot[hole].key = 0;
    map->used--;
}

void ork_ids_give(struct ork_ids *ids, uint32_t id)
{
    if (id < ORK_IDS_FEW) {
        ids->few |= UINT64_C(1) << id;
        return;
    }
    if (ids->num_spare == ids->room) {
        int saved = errno;
        bool done =
            ork_vec_reserve(&ids->spare, &ids->room, ids->num_spare + 1, sizeof(*ids->spare));
        errno = saved;
        if (!done)
            return;
    }
    ids->spare[ids->num_spare++] = id;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/map.h"

#include "common/assert.h"
#include "common/hash.h"

#include <stdlib.h>

enum { SLOTS_MIN = 64 };

/* The slot of the key, or the free one where it belongs. */
static struct ork_map_slot *find(const struct ork_map *map, uint64_t key)
{
    uint32_t i = (uint32_t)ork_hash_mix(key) & (map->slots - 1);

    while (map->slot[i].value != 0 && map->slot[i].key != key)
        i = (i + 1) & (map->slots - 1);
    return &map->slot[i];
}

uint32_t ork_map_get(const struct ork_map *map, uint64_t key)
{
    return map->slots > 0 ? find(map, key)->value : 0;
}

static bool grow(struct ork_map *map)
{
    struct ork_map bigger = {.slots = map->slots > 0 ? map->slots * 2 : SLOTS_MIN,
                             .used = map->used};

    bigger.slot = bigger.slots > 0 ? calloc(bigger.slots, sizeof(*bigger.slot)) : NULL;
    if (bigger.slot == NULL)
        return false;
    for (uint32_t i = 0; i < map->slots; i++) {
        if (map->slot[i].value != 0)
            *find(&bigger, map->slot[i].key) = map->slot[i];
    }
    free(map->slot);
    *map = bigger;
    return true;
}

uint32_t *ork_map_use(struct ork_map *map, uint64_t key)
{
    if (map->used >= map->slots - map->slots / 4 && !grow(map))
        return NULL;
    struct ork_map_slot *slot = find(map, key);
    if (slot->value == 0) {
        slot->key = key;
        map->used++;
    }
    return &slot->value;
}

bool ork_map_note(struct ork_map *map, uint64_t key, bool *is_new)
{
    uint32_t *value = ork_map_use(map, key);

    if (value == NULL)
        return false;
    *is_new = *value == 0;
    *value = 1;
    return true;
}

void ork_map_release(struct ork_map *map)
{
    free(map->slot);
    *map = (struct ork_map){0};
}

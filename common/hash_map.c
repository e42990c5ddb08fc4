/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/hash_map.h"

#include "common/assert.h"
#include "common/hash.h"

#include <stdlib.h>

enum { SLOTS_MIN = 64 };

static struct ork_hash_slot *slot_at(const struct ork_hash_map *map, uint64_t key, uint32_t probe)
{
    return &map->slot[((uint32_t)ork_hash_mix(key) + probe) & (map->slots - 1)];
}

/* The first slot of the key, or the free one where it belongs. */
static struct ork_hash_slot *find(const struct ork_hash_map *map, uint64_t key)
{
    uint32_t probe = 0;

    ORK_ASSERT(map->used < map->slots); /* a free slot ends the search */
    while (slot_at(map, key, probe)->value != 0 && slot_at(map, key, probe)->key != key)
        probe++;
    return slot_at(map, key, probe);
}

static void put(struct ork_hash_map *map, struct ork_hash_slot slot)
{
    uint32_t probe = 0;

    while (slot_at(map, slot.key, probe)->value != 0)
        probe++;
    *slot_at(map, slot.key, probe) = slot;
    map->used++;
}

/* Room for one more. */
static bool reserve(struct ork_hash_map *map)
{
    struct ork_hash_map bigger = {.slots = map->slots > 0 ? map->slots * 2 : SLOTS_MIN};

    if (map->used < map->slots - map->slots / 4)
        return true;
    bigger.slot = bigger.slots > 0 ? calloc(bigger.slots, sizeof(*bigger.slot)) : NULL;
    if (bigger.slot == NULL)
        return false;
    for (uint32_t i = 0; i < map->slots; i++) {
        if (map->slot[i].value != 0)
            put(&bigger, map->slot[i]);
    }
    free(map->slot);
    *map = bigger;
    return true;
}

uint32_t ork_hash_map_get(const struct ork_hash_map *map, uint64_t key)
{
    return map->slots > 0 ? find(map, key)->value : 0;
}

uint32_t *ork_hash_map_use(struct ork_hash_map *map, uint64_t key)
{
    if (!reserve(map))
        return NULL;
    struct ork_hash_slot *slot = find(map, key);
    if (slot->value == 0) {
        slot->key = key;
        map->used++;
    }
    return &slot->value;
}

bool ork_hash_map_note(struct ork_hash_map *map, uint64_t key, bool *is_new)
{
    uint32_t *value = ork_hash_map_use(map, key);

    if (value == NULL)
        return false;
    *is_new = *value == 0;
    *value = 1;
    return true;
}

bool ork_hash_map_add(struct ork_hash_map *map, uint64_t key, uint32_t value)
{
    ORK_ASSERT(value != 0);
    if (!reserve(map))
        return false;
    put(map, (struct ork_hash_slot){.key = key, .value = value});
    return true;
}

uint32_t ork_hash_map_next(const struct ork_hash_map *map, uint64_t key, uint32_t *probe)
{
    while (map->slots > 0 && slot_at(map, key, *probe)->value != 0) {
        const struct ork_hash_slot *slot = slot_at(map, key, (*probe)++);
        if (slot->key == key)
            return slot->value;
    }
    return 0;
}

void ork_hash_map_release(struct ork_hash_map *map)
{
    free(map->slot);
    *map = (struct ork_hash_map){0};
}

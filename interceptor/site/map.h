/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI handle -> number: an open-addressing hash with linear probing, and dense numbers from a free
 * list. */
#ifndef ORK_MAP_H
#define ORK_MAP_H

#include "common/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A handle as a key: a pointer or an integer, depending on the library. */
#define ORK_KEY(handle) ((uint64_t)(uintptr_t)(handle))

struct ork_entry {
    uint64_t key; /* 0: empty */
    uint32_t id;
    uint32_t flags; /* the user's */
};

/* All zero is an empty map. */
struct ork_map {
    struct ork_entry *slot;
    uint32_t mask; /* slots - 1 */
    uint32_t used;
};

static inline uint32_t ork_map_start(const struct ork_map *map, uint64_t key)
{
    return ork_hash_short(key) & map->mask;
}

/* The entry, or NULL. It moves with the next insertion or removal. */
static inline struct ork_entry *ork_map_find(const struct ork_map *map, uint64_t key)
{
    if (map->slot == NULL)
        return NULL;
    for (uint32_t i = ork_map_start(map, key); map->slot[i].key != 0; i = (i + 1) & map->mask)
        if (map->slot[i].key == key)
            return &map->slot[i];
    return NULL;
}

/* Insert a new key that is not 0. NULL: out of memory. */
struct ork_entry *ork_map_insert(struct ork_map *map, uint64_t key);
/* Remove an entry that ork_map_find() returned. */
void ork_map_remove(struct ork_map *map, struct ork_entry *entry);

enum { ORK_IDS_FEW = 64 };

/* Numbers from 0; returned ones are reused first, of the few lowest ones the lowest. So a loop that
 * makes and frees the same few objects has the same numbers in each iteration, which can then be
 * folded. All zero is a new list. */
struct ork_ids {
    uint64_t few; /* bit i: number i was returned */
    uint32_t *spare;
    uint32_t num_spare;
    uint32_t room;
    uint32_t next;
};

static inline uint32_t ork_ids_take(struct ork_ids *ids)
{
    if (ids->few != 0) {
        uint32_t id = (uint32_t)__builtin_ctzll(ids->few);
        ids->few &= ids->few - 1;
        return id;
    }
    return ids->num_spare > 0 ? ids->spare[--ids->num_spare] : ids->next++;
}

/* If out of memory, the number is not reused. */
void ork_ids_give(struct ork_ids *ids, uint32_t id);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Things by number, where numbers grow and are not used again, and few of them are still in use: an
 * open-addressing hash with linear probing. A number is its own hash, so those that follow one
 * another are found at once. The memory is proportional to the most things that were there at one
 * time. `size`: of an entry, the same in all calls for a map. */
#ifndef ORK_COMMON_NUMBER_MAP_H
#define ORK_COMMON_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is empty. */
struct ork_number_map {
    void *entry;          /* and behind the entries, `number` */
    uint32_t *number;     /* + 1, by slot; 0: the slot is free */
    uint32_t slots, used; /* slots: 0, or a power of 2 */
};

static inline void *ork_number_map_at(const struct ork_number_map *map, uint32_t slot, size_t size)
{
    return (char *)map->entry + slot * size;
}

/* The entry, or NULL. It moves with the next addition or removal. */
static inline void *ork_number_map_find(const struct ork_number_map *map, uint32_t number,
                                        size_t size)
{
    if (map->slots == 0)
        return NULL;
    for (uint32_t i = number & (map->slots - 1); map->number[i] != 0;
         i = (i + 1) & (map->slots - 1)) {
        if (map->number[i] == number + 1)
            return ork_number_map_at(map, i, size);
    }
    return NULL;
}

/* The entry of a number below UINT32_MAX; a new one is zero. NULL: out of memory, nothing has
 * changed. */
void *ork_number_map_add(struct ork_number_map *map, uint32_t number, size_t size);
/* Does nothing if there is no such number. */
void ork_number_map_remove(struct ork_number_map *map, uint32_t number, size_t size);
/* The entries one after the other, in no order; NULL: no more. *slot: 0 before the first one.
 * *number: its number. */
void *ork_number_map_next(const struct ork_number_map *map, uint32_t *slot, uint32_t *number,
                          size_t size);
void ork_number_map_release(struct ork_number_map *map);

#endif

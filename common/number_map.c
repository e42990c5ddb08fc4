/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/number_map.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 4 };

/* A slot for a number that is not there. Some slot is free, which ends the search. RATIONALE: no
 * assertion, because the interceptor uses this, too. */
static uint32_t place(struct ork_number_map *map, uint32_t number)
{
    uint32_t i = number & (map->slots - 1);

    while (map->number[i] != 0)
        i = (i + 1) & (map->slots - 1);
    map->number[i] = number + 1;
    map->used++;
    return i;
}

/* Twice as many slots. */
static bool grow(struct ork_number_map *map, size_t size)
{
    struct ork_number_map bigger = {.slots = map->slots > 0 ? map->slots * 2 : SLOTS_MIN};
    /* RATIONALE: the numbers need less alignment than the entries, so they come last. */
    const size_t entries = (bigger.slots * size + 3) / 4 * 4;

    bigger.entry = calloc(1, entries + bigger.slots * sizeof(*bigger.number));
    if (bigger.entry == NULL)
        return false;
    bigger.number = (uint32_t *)(void *)((char *)bigger.entry + entries);
    for (uint32_t i = 0; i < map->slots; i++) {
        if (map->number[i] == 0)
            continue;
        const uint32_t to = place(&bigger, map->number[i] - 1);
        memcpy(ork_number_map_at(&bigger, to, size), ork_number_map_at(map, i, size), size);
    }
    free(map->entry);
    *map = bigger;
    return true;
}

void *ork_number_map_add(struct ork_number_map *map, uint32_t number, size_t size)
{
    void *entry = ork_number_map_find(map, number, size);

    if (entry != NULL)
        return entry;
    if (map->used >= map->slots / 4 * 3 && !grow(map, size))
        return NULL;
    entry = ork_number_map_at(map, place(map, number), size);
    memset(entry, 0, size);
    return entry;
}

/* Invariant of the loop: slot `hole` is free, and every entry between it and `i` may stay where it
 * is. */
static void close_hole(struct ork_number_map *map, uint32_t hole, size_t size)
{
    const uint32_t mask = map->slots - 1;

    for (uint32_t i = (hole + 1) & mask; map->number[i] != 0; i = (i + 1) & mask) {
        const uint32_t start = (map->number[i] - 1) & mask;
        if (((i - start) & mask) < ((i - hole) & mask))
            continue;
        map->number[hole] = map->number[i];
        memcpy(ork_number_map_at(map, hole, size), ork_number_map_at(map, i, size), size);
        map->number[i] = 0;
        hole = i;
    }
}

void ork_number_map_remove(struct ork_number_map *map, uint32_t number, size_t size)
{
    const char *entry = ork_number_map_find(map, number, size);

    if (entry == NULL)
        return;
    const uint32_t slot = (uint32_t)((size_t)(entry - (const char *)map->entry) / size);
    map->number[slot] = 0;
    map->used--;
    close_hole(map, slot, size);
}

void *ork_number_map_next(const struct ork_number_map *map, uint32_t *slot, uint32_t *number,
                          size_t size)
{
    while (*slot < map->slots) {
        const uint32_t i = (*slot)++;
        if (map->number[i] == 0)
            continue;
        *number = map->number[i] - 1;
        return ork_number_map_at(map, i, size);
    }
    return NULL;
}

void ork_number_map_release(struct ork_number_map *map)
{
    free(map->entry);
    *map = (struct ork_number_map){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers by the hash of what they belong to. Pure. */
#ifndef ORK_EXPLORE_MAP_H
#define ORK_EXPLORE_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is empty. */
struct ork_map {
    struct ork_map_slot {
        uint64_t key;
        uint32_t value; /* 0: the slot is free */
    } * slot;
    uint32_t slots, used; /* slots: 0, or a power of 2 */
};

/* 0: there is none. */
uint32_t ork_map_get(const struct ork_map *map, uint64_t key);
/* The value of the key, for the caller to change: 0 if it is new, and must be set then. NULL: out
 * of memory. Valid until the next call. */
uint32_t *ork_map_use(struct ork_map *map, uint64_t key);
/* The key has a value from now on. *is_new: it had none. False: out of memory. */
bool ork_map_note(struct ork_map *map, uint64_t key, bool *is_new);
void ork_map_release(struct ork_map *map);

#endif

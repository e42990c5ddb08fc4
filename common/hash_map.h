/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers by the hash of what they belong to: an open-addressing hash with linear probing. */
#ifndef ORK_COMMON_HASH_MAP_H
#define ORK_COMMON_HASH_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is empty. */
struct ork_hash_map {
    struct ork_hash_slot {
        uint64_t key;
        uint32_t value; /* 0: the slot is free */
    } * slot;
    uint32_t slots, used; /* slots: 0, or a power of 2 */
};

/* 0: there is none. */
uint32_t ork_hash_map_get(const struct ork_hash_map *map, uint64_t key);
/* The value of the key, for the caller to change: 0 if it is new, and must be set then. NULL: out
 * of memory. Valid until the next call. */
uint32_t *ork_hash_map_use(struct ork_hash_map *map, uint64_t key);
/* The key has a value from now on. *is_new: it had none. False: out of memory. */
bool ork_hash_map_note(struct ork_hash_map *map, uint64_t key, bool *is_new);

/* For a key that different things may have. One more value of the key; it is not 0. False: out of
 * memory. */
bool ork_hash_map_add(struct ork_hash_map *map, uint64_t key, uint32_t value);
/* All values of the key, one after the other; 0: no more. *probe: 0 before the first one. */
uint32_t ork_hash_map_next(const struct ork_hash_map *map, uint64_t key, uint32_t *probe);

void ork_hash_map_release(struct ork_hash_map *map);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept for each of many things that are known by two numbers. */
#ifndef ORK_COMMON_TABLE_H
#define ORK_COMMON_TABLE_H

#include "common/hash_map.h"

#include <stddef.h>

/* All zero is empty. */
struct ork_table {
    struct ork_hash_map by_hash;
    struct ork_table_entry **entry;
    uint32_t count, room;
};

/* What is kept for (first, second): `size` bytes that do not move, and that are zero at first.
 * NULL: out of memory. */
void *ork_table_use(struct ork_table *table, uint64_t first, uint64_t second, size_t size);
/* Free them, each one after `destroy` (may be NULL) was called for it. */
void ork_table_release(struct ork_table *table, void (*destroy)(void *context, void *kept),
                       void *context);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/table.h"

#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>

struct ork_table_entry {
    uint64_t first, second;
    max_align_t kept[];
};

void *ork_table_use(struct ork_table *table, uint64_t first, uint64_t second, size_t size)
{
    const uint64_t hash = ork_hash_add(first, second);

    for (uint32_t probe = 0, i; (i = ork_hash_map_next(&table->by_hash, hash, &probe)) != 0;) {
        struct ork_table_entry *e = table->entry[i - 1];
        if (e->first == first && e->second == second)
            return e->kept;
    }
    struct ork_table_entry *e = calloc(1, sizeof(*e) + size);
    if (e == NULL ||
        !ork_vec_reserve(&table->entry, &table->room, table->count + 1,
                         sizeof(struct ork_table_entry *)) ||
        !ork_hash_map_add(&table->by_hash, hash, table->count + 1)) {
        free(e);
        return NULL;
    }
    e->first = first;
    e->second = second;
    table->entry[table->count++] = e;
    return e->kept;
}

void ork_table_release(struct ork_table *table, void (*destroy)(void *context, void *kept),
                       void *context)
{
    for (uint32_t i = 0; i < table->count; i++) {
        if (destroy != NULL)
            destroy(context, table->entry[i]->kept);
        free(table->entry[i]);
    }
    free(table->entry);
    ork_hash_map_release(&table->by_hash);
    *table = (struct ork_table){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is attached to a dynamic window, MPI-3.1 section 11.2.4. Pure. */
#ifndef ORK_REGIONS_H
#define ORK_REGIONS_H

#include "interceptor/objects/epochs.h"

struct ork_region {
    uint64_t base, bytes;
    struct ork_epoch_place place; /* the call that attached it */
    bool is_released;             /* the program has given some of it back */
};

/* All zero is an empty set. */
struct ork_regions {
    struct ork_region *item; /* ascending by base */
    uint32_t count, room;
};

/* A region that overlaps this memory, or NULL. Empty memory overlaps nothing. */
const struct ork_region *ork_regions_overlap(const struct ork_regions *regions, uint64_t base,
                                             uint64_t bytes);

/* Add a region. Call only if it overlaps none. False: out of memory. */
bool ork_regions_add(struct ork_regions *regions, const struct ork_region *region);

/* The region with this base that ork_regions_remove() removes, or NULL. */
const struct ork_region *ork_regions_find(const struct ork_regions *regions, uint64_t base);
/* Was a region with this base added? */
bool ork_regions_has(const struct ork_regions *regions, uint64_t base);
/* Remove one of them, if there are any. */
void ork_regions_remove(struct ork_regions *regions, uint64_t base);

#endif

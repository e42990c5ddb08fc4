/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/regions.h"

#include "common/lower_bound.h"
#include "common/vec.h"

#include <string.h>

/* The number of regions whose base is lower. */
static uint32_t lower(const struct ork_regions *r, uint64_t base)
{
    ORK_LOWER_BOUND(low, r->count, i, r->item[i].base < base);
    return low;
}

static bool overlaps(const struct ork_region *r, uint64_t base, uint64_t bytes)
{
    return r->bytes > 0 && bytes > 0 &&
           (r->base >= base ? r->base - base < bytes : base - r->base < r->bytes);
}

/* RATIONALE: the regions that are not empty are disjoint, so only the nearest ones count. */
const struct ork_region *ork_regions_overlap(const struct ork_regions *r, uint64_t base,
                                             uint64_t bytes)
{
    uint32_t place = lower(r, base), i = place;

    while (i < r->count && r->item[i].base - base < bytes) {
        if (overlaps(&r->item[i], base, bytes))
            return &r->item[i];
        i++;
    }
    for (i = place; i > 0 && r->item[i - 1].bytes == 0;)
        i--;
    return i > 0 && overlaps(&r->item[i - 1], base, bytes) ? &r->item[i - 1] : NULL;
}

bool ork_regions_add(struct ork_regions *r, const struct ork_region *region)
{
    uint32_t place = lower(r, region->base);

    if (!ork_vec_reserve(&r->item, &r->room, r->count + 1, sizeof(*r->item)))
        return false;
    memmove(&r->item[place + 1], &r->item[place], (r->count - place) * sizeof(*r->item));
    r->item[place] = *region;
    r->count++;
    return true;
}

const struct ork_region *ork_regions_find(const struct ork_regions *r, uint64_t base)
{
    uint32_t place = lower(r, base);

    return place < r->count && r->item[place].base == base ? &r->item[place] : NULL;
}

bool ork_regions_has(const struct ork_regions *r, uint64_t base)
{
    return ork_regions_find(r, base) != NULL;
}

void ork_regions_remove(struct ork_regions *r, uint64_t base)
{
    uint32_t place = lower(r, base);

    if (!ork_regions_has(r, base))
        return;
    r->count--;
    memmove(&r->item[place], &r->item[place + 1], (r->count - place) * sizeof(*r->item));
}

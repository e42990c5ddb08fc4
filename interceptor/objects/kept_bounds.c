/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/kept_bounds.h"

#include "common/number_map.h"

static struct ork_number_map known; /* of struct ork_comm_bounds */

void ork_bounds_keep(uint32_t number, const struct ork_comm_bounds *bounds)
{
    struct ork_comm_bounds *kept = ork_number_map_add(&known, number, sizeof(*kept));

    if (kept != NULL)
        *kept = *bounds;
}

const struct ork_comm_bounds *ork_bounds_kept_of(uint32_t number)
{
    return ork_number_map_find(&known, number, sizeof(struct ork_comm_bounds));
}

void ork_bounds_forget(uint32_t number)
{
    ork_number_map_remove(&known, number, sizeof(struct ork_comm_bounds));
}

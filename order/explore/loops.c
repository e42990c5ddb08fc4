/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/loops.h"

#include <stddef.h>

bool ork_loops_note_abandoned(struct ork_loops *loops, struct ork_loop loop, bool *is_first)
{
    return ork_hash_map_note(&loops->abandoned, loop.place, is_first);
}

bool ork_loops_note_endless(struct ork_loops *loops, struct ork_loop loop)
{
    bool is_new, is_other;

    if (!ork_hash_map_note(&loops->endless, loop.loop, &is_new) ||
        !ork_hash_map_note(&loops->endless, loop.history, &is_other))
        return false;
    if (!is_other)
        return true;
    uint32_t *number = ork_hash_map_use(is_new ? &loops->number : &loops->again, loop.place);
    if (number != NULL)
        ++*number;
    return number != NULL;
}

enum ork_loop_ends ork_loops_find(const struct ork_loops *loops, struct ork_loop loop)
{
    if (ork_hash_map_get(&loops->abandoned, loop.place) != 0)
        return ORK_LOOP_MAY_END;
    if (ork_hash_map_get(&loops->endless, loop.loop) == 0)
        return ork_hash_map_get(&loops->number, loop.place) >= ORK_LOOPS_MAX ? ORK_LOOP_ASSUMED
                                                                             : ORK_LOOP_MAY_END;
    bool is_known = ork_hash_map_get(&loops->endless, loop.history) != 0;
    return is_known || ork_hash_map_get(&loops->again, loop.place) >= ORK_LOOPS_AGAIN_MAX
               ? ORK_LOOP_ENDLESS
               : ORK_LOOP_MAY_END;
}

void ork_loops_release(struct ork_loops *loops)
{
    ork_hash_map_release(&loops->endless);
    ork_hash_map_release(&loops->number);
    ork_hash_map_release(&loops->again);
    ork_hash_map_release(&loops->abandoned);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pairs the separate memory model forbids: MPI-3.1 section 11.7. */
#include "windows/onesided/internal.h"

/* RATIONALE: the private copy has to be brought up to date only with what others have updated. A
 * get that is complete has read the public copy. */
static bool is_before(const struct ork_onesided *o, const struct access *a, const struct access *b)
{
    uint32_t end = a->is_separate ? a->published : a->end;
    bool has_to_see = b->is_separate && !ork_access_reads(a);
    struct ork_stamp start = has_to_see ? b->acquired : b->start;

    return end != 0 && ork_events_component(o->events, start, a->seen.rank) >= end;
}

bool ork_separate_allows(const struct ork_onesided *o, const struct access *a,
                         const struct access *b)
{
    const struct access *plain = a->is_separate ? a : b, *other = plain == a ? b : a;
    bool both_update = !ork_access_reads(a) && !ork_access_reads(b);
    uint32_t owner = plain->seen.rank;

    if (ork_access_is_plain(other) || other->seen.touch == ORK_TOUCH_READ ||
        other->seen.touch == ORK_TOUCH_WRITE || (ork_access_reads(a) && ork_access_reads(b)))
        return true;
    if (is_before(o, a, b))
        return true;
    return !(both_update && ork_window_has(other->window, owner, plain->low, plain->high)) &&
           !ork_access_overlaps(a, b);
}

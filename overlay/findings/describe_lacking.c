/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that ended in MPI_Init, because others have not called it. */
#include "overlay/findings/describe_internal.h"

static bool is_known(const struct ork_ends *ends, uint32_t rank)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        if (ends->ended[i].rank == rank)
            return true;
    }
    return false;
}

const char *ork_describe_lacking(struct ork_writing *w, const struct ork_ends *ends)
{
    struct ork_u32s known = {0}, others = {0};

    for (uint32_t r = 0; r < ends->size; r++)
        ork_writing_add(w, is_known(ends, r) ? &known : &others, r);
    return ork_say(w, SAYS_END_LACKING, RANKS('r', &known), RANKS('o', &others));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that ended in MPI_Init, or wait there, because others have not called it. */
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

enum ork_status ork_describe_missing(const struct ork_u32s *starting, uint32_t size,
                                     struct ork_finding *finding)
{
    struct ork_writing w = {.d = NULL};
    struct ork_finding f = ork_writing_begin(&w, "abnormal-end", ORK_ERROR, 0);
    struct ork_u32s known = {0}, others = {0};

    for (uint32_t i = 0; i < starting->count; i++)
        ork_writing_add(&w, &known, starting->item[i]);
    ork_describe_sort_unique(&known);
    for (uint32_t r = 0; r < size; r++) {
        if (!ork_describe_has_rank(&known, r))
            ork_writing_add(&w, &others, r);
    }
    f.ranks = ork_writing_give_set(&w, &others);
    f.message = ork_writing_give(
        &w, ork_say(&w, SAYS_END_MISSING, RANKS('r', &known), RANKS('o', &others)));
    ork_writing_detail(&w, &f, ork_plain(SAYS_END_MISSING_RULE));
    return ork_writing_end(&w, &f, finding);
}

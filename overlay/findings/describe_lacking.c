/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that ended in MPI_Init, because others have not called it. */
#include "overlay/findings/describe_internal.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

static bool is_known(const struct ork_ends *ends, uint32_t rank)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        if (ends->ended[i].rank == rank)
            return true;
    }
    return false;
}

/* "ranks 0 and 2": those that are known, or the others. */
static char *ranks_words(const struct ork_ends *ends, bool are_known)
{
    struct ork_u32s set = {0};
    bool done = true;

    for (uint32_t r = 0; r < ends->size && done; r++)
        done = is_known(ends, r) != are_known || ork_describe_add_rank(&set, r);
    char *text = done ? ork_describe_ranks(set.item, set.count) : NULL;
    free(set.item);
    return text;
}

char *ork_describe_lacking(const struct ork_ends *ends, struct ork_finding *f)
{
    char *who = ranks_words(ends, true), *others = ranks_words(ends, false);
    char *text = NULL;

    if (who != NULL && others != NULL &&
        ork_describe_add_detail(f, strdup("MPI_Init returns when all ranks of the job have called "
                                          "it (MPI-3.1 section 8.7). A rank that ends before that "
                                          "makes the launcher end the job.")) == ORK_OK)
        text = ork_text("%s %s ended in MPI_Init, which %s did not call", who,
                        ends->count == 1 ? "was" : "were", others);
    free(who);
    free(others);
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that do not return from MPI_Finalize, and processes that do not end after it, as text. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"

#include <stdlib.h>
#include <string.h>

/* The remaining ranks: inside MPI_Finalize, or past it. False: one is elsewhere, or out of
 * memory. */
static bool sort_ranks(const struct ork_root *root, struct ork_u32s *inside, struct ork_u32s *after)
{
    for (uint32_t r = 0; r < root->nprocs; r++) {
        const struct ork_snapshot *s = ork_snapshots_of(root->snapshots, 0, r);
        struct ork_rank_view v = ork_detector_rank(root->detector, r);
        if (v.status == ORK_RANK_DONE || s == NULL)
            continue;
        bool is_after = ork_snapshot_has_thread(s, ORK_STATE_DONE);
        if (v.call.kind != ORK_KIND_FINALIZE ||
            !ork_describe_add_rank(is_after ? after : inside, r))
            return false;
    }
    return true;
}

static char *inside_words(const struct ork_root *root, const struct ork_u32s *ranks)
{
    if (ranks->count == 0)
        return strdup("");
    char *who = ranks->count == root->nprocs ? strdup("all ranks")
                                             : ork_phrase_ranks(ranks->item, ranks->count);
    char *text = who == NULL ? NULL
                             : ork_text("%s %s been inside MPI_Finalize for 10 seconds", who,
                                        ranks->count == 1 ? "has" : "have");
    free(who);
    return text;
}

static char *after_words(const struct ork_u32s *ranks)
{
    bool one = ranks->count == 1;
    char *who = ranks->count == 0 ? strdup("") : ork_phrase_ranks(ranks->item, ranks->count);

    if (who == NULL || ranks->count == 0)
        return who;
    char *text = ork_text("%s %s left MPI_Finalize, but %s sleep%s and %s not exit; no rank has "
                          "made an MPI call for 10 seconds",
                          who, one ? "has" : "have", one ? "its process" : "their processes",
                          one ? "s" : "", one ? "does" : "do");
    free(who);
    return text;
}

enum ork_status ork_root_leaving_words(const struct ork_root *root, char **words)
{
    struct ork_u32s inside = {0}, after = {0};
    enum ork_status status = ORK_OK;

    *words = NULL;
    if (sort_ranks(root, &inside, &after) && inside.count + after.count > 0) {
        char *first = inside_words(root, &inside), *second = after_words(&after);
        const char *between = inside.count > 0 && after.count > 0 ? "; " : "";
        if (first != NULL && second != NULL)
            *words = ork_text("%s%s%s", first, between, second);
        status = *words != NULL ? ORK_OK : ORK_NOMEM;
        free(first);
        free(second);
    }
    free(inside.item);
    free(after.item);
    return status;
}

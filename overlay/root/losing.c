/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks whose further calls the root does not get, because a tool process has ended or stopped.
 * They may have done anything since, so no verdict depends on what they did. */
#include "overlay/root/root_internal.h"

#include "common/assert.h"
#include "common/log.h"
#include "common/vec.h"
#include "overlay/findings/phrase.h"

#include <stdlib.h>

/* So many ranks are named with their latest calls. */
enum { NAMED_MAX = 4 };

/* " (MPI_Send at a.c:12)"; "" if it is not known: calls of iterations are only counted. */
static char *call_words(struct ork_root *root, uint32_t rank)
{
    const struct ork_record *call = root->fold == NULL || ork_fold_counts(root->fold).records == 0
                                        ? ork_detector_latest_call(root->detector, rank)
                                        : NULL;

    if (call == NULL)
        return strdup("");
    char *words = ork_phrase_call_at(root->sites, rank, call->call, call->site);
    char *text = words == NULL ? NULL : ork_text(" (%s)", words);

    free(words);
    return text;
}

/* "rank 3 after its call 151 (MPI_Send at a.c:12)" */
static char *after_words(struct ork_root *root, uint32_t rank)
{
    if (root->detector == NULL || rank >= root->nprocs ||
        ork_activity_calls(root->activity, rank) == 0)
        return ork_text("rank %u from its first call on", rank);
    char *call = call_words(root, rank);
    char *text = call == NULL
                     ? NULL
                     : ork_text("rank %u after its call %llu%s", rank,
                                (unsigned long long)ork_activity_calls(root->activity, rank), call);

    free(call);
    return text;
}

/* "rank 3 after its call 151 (MPI_Send at a.c:12), rank 4 after its call 150" */
static char *all_after_words(struct ork_root *root, const uint32_t *rank, uint32_t n)
{
    char *text = strdup("");

    for (uint32_t i = 0; i < n && i < NAMED_MAX && text != NULL; i++) {
        char *one = after_words(root, rank[i]);
        char *longer = one == NULL ? NULL
                                   : ork_text("%s%s%s%s", text, i > 0 ? ", " : "", one,
                                              i + 1 == NAMED_MAX && n > NAMED_MAX ? ", ..." : "");
        free(one);
        free(text);
        text = longer;
    }
    return text;
}

/* Takes ownership of `text`, which the report tells; NULL: ORK_NOMEM. */
static enum ork_status note_lost(struct ork_root *root, char *text)
{
    if (text == NULL)
        return ORK_NOMEM;
    ork_error("%s", text);
    if (root->input.lost != NULL) {
        char *longer = ork_text("%s; %s", root->input.lost, text);
        free(text);
        free(root->input.lost);
        text = longer;
    }
    root->input.lost = text;
    root->policy.is_dirty = root->input.has_moved = true;
    return text == NULL ? ORK_NOMEM : ORK_OK;
}

static char *lost_words(struct ork_root *root, const char *who, const uint32_t *rank,
                        uint32_t num_ranks)
{
    if (num_ranks == 0)
        return ork_text("%s ended or stopped early; it was not watching any rank", who);
    char *ranks = ork_phrase_ranks(rank, num_ranks);
    char *after = all_after_words(root, rank, num_ranks);
    char *text =
        ranks == NULL || after == NULL
            ? NULL
            : ork_text("%s ended or stopped early: the later calls of %s were not observed (%s)",
                       who, ranks, after);

    free(ranks);
    free(after);
    return text;
}

enum ork_status ork_root_lose(struct ork_root *root, const char *who, uint32_t leaves,
                              const uint32_t *rank, uint32_t num_ranks)
{
    enum ork_status status = ork_root_unfold(root);

    if (status == ORK_OK)
        status = note_lost(root, lost_words(root, who, rank, num_ranks));
    if (status != ORK_OK)
        return status;
    ork_snapshots_lose(root->snapshots, leaves);
    for (uint32_t i = 0; i < num_ranks && status == ORK_OK && rank[i] < root->nprocs; i++)
        status = ork_detector_lose(root->detector, rank[i]);
    return status;
}

bool ork_root_is_cut(const struct ork_root *root, uint32_t rank)
{
    return rank < root->input.num_cut && root->input.is_cut[rank];
}

enum ork_status ork_root_cut(struct ork_root *root, uint32_t rank)
{
    enum ork_status status = ork_root_unfold(root);

    if (rank >= ORK_RANKS_MAX)
        return ORK_INVALID;
    if (!ork_vec_reserve(&root->input.is_cut, &root->input.num_cut, rank + 1,
                         sizeof(*root->input.is_cut)))
        return ORK_NOMEM;
    ORK_ASSERT(rank < root->input.num_cut);
    root->input.is_cut[rank] = true;
    char *after = status == ORK_OK ? after_words(root, rank) : NULL;

    if (status == ORK_OK)
        status = note_lost(
            root, after == NULL ? NULL
                                : ork_text("a tool process had stopped, so later calls were not "
                                           "observed: %s",
                                           after));
    free(after);
    return status == ORK_OK && rank < root->nprocs ? ork_detector_lose(root->detector, rank)
                                                   : status;
}

bool ork_root_has_lost(const struct ork_root *root)
{
    return root->input.lost != NULL;
}

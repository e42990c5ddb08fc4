/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer to whoever asks where the ranks are while they run. */
#include "overlay/describe.h"
#include "overlay/root_internal.h"
#include "overlay/words.h"

#include <stdlib.h>
#include <string.h>

/* "last in MPI_Barrier at a.c:4, " of a rank that is in no call; NULL: out of memory. */
static char *last_words(const struct ork_root *root, uint32_t rank)
{
    struct ork_rank_view v = ork_detector_rank(root->detector, rank);

    if (v.status != ORK_RANK_RUNNING || v.call.kind == ORK_KIND_CONT)
        return strdup("");
    char *call = ork_words_call_at(root->sites, rank, v.call.call, v.call.site);
    char *text = call == NULL ? NULL : ork_words("last in %s, ", call);
    free(call);
    return text;
}

/* How long each has been where it is. */
static bool add_ages(const struct ork_root *root, uint64_t at, struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        struct ork_wait *w = &f->waits[i];
        uint64_t last = root->last_ns[w->rank];
        double seconds = last != 0 && at > last ? (double)(at - last) * 1e-9 : 0;
        char *where = last_words(root, w->rank);
        char *text = where == NULL
                         ? NULL
                         : ork_words("%s%s%sfor %.1f s", w->detail != NULL ? w->detail : "",
                                     w->detail != NULL ? ", " : "", where, seconds);
        free(where);
        if (text == NULL)
            return false;
        free(w->detail);
        w->detail = text;
    }
    return true;
}

enum ork_status ork_root_status(struct ork_root *root)
{
    struct ork_finding finding;
    struct ork_search *search;

    if (root->detector == NULL)
        return ORK_OK;
    enum ork_status status = ork_detector_search(root->detector, ORK_STRICT, &search);
    if (status != ORK_OK)
        return status;
    status = ork_describe_state(root->detector, root->sites, search, root->nprocs, "status",
                                "where the ranks are", &finding);
    ork_search_destroy(search);
    if (status != ORK_OK)
        return status;
    if (add_ages(root, root_now(), &finding))
        root->sink->state(root->sink->context, &finding);
    else
        status = ORK_NOMEM;
    ork_finding_release(&finding);
    return status;
}

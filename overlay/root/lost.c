/* SPDX-License-Identifier: BSD-3-Clause */
/* A send that no rank receives is in a potential deadlock, and its message is lost. That is one
 * mistake, and the deadlock tells it. (A deadlock that another interleaving has is another one.) */
#include "overlay/root/root_internal.h"

#include "common/vec.h"
#include "overlay/findings/graph.h"

#include <stdlib.h>

static bool note(struct ork_root *root, uint32_t rank, uint32_t site, int32_t tag)
{
    uint32_t n = root->reports.num_sends;

    if (!ork_vec_extend(&root->reports.send, n, n + 1, sizeof(*root->reports.send)))
        return false;
    root->reports.send[root->reports.num_sends++] =
        (struct reported_send){.rank = rank, .site = site, .tag = tag};
    return true;
}

/* The sends that the call of a rank waits for. */
static bool note_requests(struct ork_root *root, const struct ork_search *s, const bool *is_in)
{
    for (uint32_t label = 1; label <= s->num_terms; label++) {
        const struct ork_term *t = &s->term[label - 1];
        if (t->kind == ORK_KIND_SEND && is_in[t->rank] && ork_finding_graph_is_open(s, label) &&
            !note(root, t->rank, t->site, t->tag))
            return false;
    }
    return true;
}

bool ork_root_note_sends(struct ork_root *root, const struct ork_search *s, uint32_t knot)
{
    struct ork_wfg_knot k = ork_wfg_bottom(s->wfg, knot);
    bool *is_in = calloc(root->nprocs + (size_t)1, sizeof(*is_in));
    bool ok = is_in != NULL;

    for (uint32_t i = 0; ok && i < k.count; i++) {
        if (k.node[i] >= root->nprocs)
            continue;
        struct ork_rank_view v = ork_search_rank(root->detector, s, k.node[i]);
        is_in[k.node[i]] = true;
        if (v.call.kind == ORK_KIND_SEND)
            ok = note(root, k.node[i], v.call.site, v.call.tag);
    }
    ok = ok && note_requests(root, s, is_in);
    free(is_in);
    return ok;
}

static bool is_noted(const struct ork_root *root, const struct ork_issue_side *side)
{
    for (uint32_t i = 0; i < root->reports.num_sends; i++) {
        const struct reported_send *send = &root->reports.send[i];
        if (send->rank == side->rank && send->site == side->call.site &&
            send->tag == side->call.tag)
            return true;
    }
    return false;
}

bool ork_root_is_lost_told(const struct ork_root *root, const struct ork_issue *issue)
{
    return issue->kind == ORK_ISSUE_LOST_MESSAGE && issue->repeats == 0 &&
           is_noted(root, &issue->side[0]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A send that no rank receives is in a potential deadlock, and its message is lost. That is one
 * mistake, and the deadlock tells it. (A deadlock that another interleaving has is another one.) */
#include "overlay/analysis/root_internal.h"

#include "common/vec.h"

bool ork_root_note_sends(struct ork_root *root, const struct ork_search *s, uint32_t knot)
{
    struct ork_wfg_knot k = ork_wfg_bottom(s->wfg, knot);

    for (uint32_t i = 0; i < k.count; i++) {
        if (k.node[i] >= root->nprocs)
            continue;
        struct ork_rank_view v = ork_search_rank(root->detector, s, k.node[i]);
        uint32_t n = root->reports.num_sends;
        if (v.call.kind != ORK_KIND_SEND)
            continue;
        if (!ork_vec_extend(&root->reports.send, n, n + 1, sizeof(*root->reports.send)))
            return false;
        root->reports.send[root->reports.num_sends++] =
            (struct reported_send){.rank = k.node[i], .site = v.call.site, .tag = v.call.tag};
    }
    return true;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Potential deadlocks in which the job may turn out to hang. Some rank of such a deadlock is still
 * in the named call. If that rank makes progress, the finding is reported. If another finding
 * reports that the rank hangs, both have one cause, and the later finding includes it. */
#include "overlay/root/delayed_finding.h"

#include "common/assert.h"
#include "overlay/findings/describe_internal.h"

#include <stdlib.h>

/* RATIONALE: most jobs that hang are detected in that time; a useful finding must not wait
 * longer. */
#define HOLD_NS (2000 * MS)

/* Ranks of the roots that are in the call in which the strict analysis holds them. */
static uint32_t find_still(const struct ork_root *root, const struct ork_finding *f,
                           struct still *still)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < f->num_roots; k++) {
        for (uint32_t i = 0; i < f->roots[k].count; i++) {
            uint32_t r = f->roots[k].item[i];
            struct ork_rank_view v = ork_detector_rank(root->detector, r);
            if (v.status == ORK_RANK_BLOCKED && !v.moved)
                still[n++] = (struct still){.rank = r, .last_ns = ork_root_last_ns(root, r)};
        }
    }
    return n;
}

enum ork_status ork_root_report_potential(struct ork_root *root, struct ork_finding *finding)
{
    size_t room = 0;

    for (uint32_t k = 0; k < finding->num_roots; k++)
        room += finding->roots[k].count;
    struct delayed_finding *h = malloc(sizeof(*h) + room * sizeof(h->still[0]));
    if (h == NULL)
        return ORK_NOMEM;
    *h = (struct delayed_finding){.next = root->reports.delayed,
                                  .until_ns = ork_root_now(root) + HOLD_NS};
    h->count = find_still(root, finding, h->still);
    ORK_ASSERT(h->count <= room);
    if (h->count == 0 || ork_policy_is_ending(&root->policy)) {
        free(h);
        return ork_root_report_calls(root, finding, true);
    }
    root->reports.delayed = h;
    return ork_root_collect_delayed(root, finding, h);
}

void ork_root_postpone_delayed(struct ork_root *root, uint64_t ns)
{
    for (struct delayed_finding *h = root->reports.delayed; h != NULL; h = h->next)
        h->until_ns += ns;
}

static void report(struct ork_root *root, struct delayed_finding *h)
{
    if (!h->reported && !h->superseded)
        root->sink->finding(root->sink->context, &h->finding, false);
    h->reported = true;
}

enum ork_status ork_root_report_delayed(struct ork_root *root, uint64_t at, bool all)
{
    struct delayed_finding **link = &root->reports.delayed;
    enum ork_status status = all ? ork_root_fill_all_delayed(root) : ORK_OK;

    while (*link != NULL && status == ORK_OK) {
        struct delayed_finding *h = *link;
        if (!h->superseded)
            ork_root_refresh_delayed(root, h);
        bool is_over = all || h->count == 0 || h->superseded;
        if (h->ready && (is_over || at >= h->until_ns))
            report(root, h);
        if (h->ready && is_over)
            ork_root_drop_delayed(link);
        else
            link = &h->next;
    }
    return status;
}

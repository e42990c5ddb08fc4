/* SPDX-License-Identifier: BSD-3-Clause */
/* A potential deadlock that is not reported yet; see delayed_policy.c. */
#include "overlay/root/delayed_finding.h"

#include "common/assert.h"
#include "overlay/findings/describe_internal.h"

#include <stdlib.h>

static bool is_still(const struct ork_root *root, const struct still *s)
{
    return ork_root_last_ns(root, s->rank) == s->last_ns;
}

void ork_root_drop_delayed(struct delayed_finding **link)
{
    struct delayed_finding *h = *link;

    ORK_ASSERT(h != NULL);
    *link = h->next;
    ork_finding_release(&h->finding);
    free(h);
}

void ork_root_fill_delayed(struct delayed_finding *delayed, struct ork_finding *finding)
{
    ORK_ASSERT(!delayed->ready); /* it is complete once */
    delayed->finding = *finding;
    delayed->ready = true;
    *finding = (struct ork_finding){0};
}

/* Forget the ranks that have made progress since. */
void ork_root_refresh_delayed(const struct ork_root *root, struct delayed_finding *h)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->count; i++) {
        if (is_still(root, &h->still[i]))
            h->still[n++] = h->still[i];
    }
    ORK_ASSERT(n <= h->count);
    h->count = n;
}

static bool is_part_of(const struct delayed_finding *h, const struct ork_finding *f)
{
    bool part = false;

    for (uint32_t i = 0; i < h->count && !part; i++)
        part = ork_describe_has_rank(&f->ranks, h->still[i].rank);
    return part;
}

void ork_root_supersede_delayed(struct ork_root *root, const struct ork_finding *by)
{
    for (struct delayed_finding *h = root->reports.delayed; h != NULL; h = h->next) {
        ork_root_refresh_delayed(root, h);
        if (h->superseded || !is_part_of(h, by))
            continue;
        if (h->reported && root->sink->superseded != NULL)
            root->sink->superseded(root->sink->context, &h->finding);
        h->superseded = true;
    }
}

void ork_root_forget_delayed(struct ork_root *root)
{
    while (root->reports.delayed != NULL)
        ork_root_drop_delayed(&root->reports.delayed);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Potential deadlocks that may turn out to be what the job hangs in. Some rank of such a one is
 * still in the call that it names: if that rank goes on, the run went well there, and that is told;
 * if a finding says that the rank hangs, both have one cause, and the later finding says all. */
#include "overlay/analysis/root_internal.h"

#include "overlay/findings/describe_internal.h"

#include <stdlib.h>

/* RATIONALE: in that time most jobs that hang are known to; a finding that is worth something now
 * must not wait for longer. */
#define HOLD_NS (2000 * MS)

/* A rank that has not left its call, and when its latest record came. */
struct still {
    uint32_t rank;
    uint64_t last_ns;
};

struct root_held {
    struct root_held *next;
    struct ork_finding finding;
    bool ready; /* the finding is here; until then its last calls are being asked for */
    bool reported;
    bool superseded; /* before it was ready: then nobody wants it any more */
    uint64_t until_ns;
    uint32_t count;
    struct still still[];
};

static bool is_still(const struct ork_root *root, const struct still *s)
{
    return ork_root_last_ns(root, s->rank) == s->last_ns;
}

static void drop(struct root_held **link)
{
    struct root_held *h = *link;

    *link = h->next;
    ork_finding_release(&h->finding);
    free(h);
}

/* Ranks of the roots that are in the call in which strict semantics holds them. */
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
    struct root_held *h = malloc(sizeof(*h) + room * sizeof(h->still[0]));
    if (h == NULL)
        return ORK_NOMEM;
    *h = (struct root_held){.next = root->held, .until_ns = ork_root_now(root) + HOLD_NS};
    h->count = find_still(root, finding, h->still);
    if (h->count == 0 || root->ending) {
        free(h);
        return ork_root_report_calls(root, finding, true);
    }
    root->held = h;
    return ork_root_hold_calls(root, finding, h);
}

void ork_root_fill_held(struct root_held *held, struct ork_finding *finding)
{
    held->finding = *finding;
    held->ready = true;
    *finding = (struct ork_finding){0};
}

/* Forget who has gone on since. */
static void look_again(const struct ork_root *root, struct root_held *h)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->count; i++) {
        if (is_still(root, &h->still[i]))
            h->still[n++] = h->still[i];
    }
    h->count = n;
}

static void tell(struct ork_root *root, struct root_held *h)
{
    if (!h->reported && !h->superseded)
        root->sink->finding(root->sink->context, &h->finding, false);
    h->reported = true;
}

enum ork_status ork_root_report_held(struct ork_root *root, uint64_t at, bool all)
{
    struct root_held **link = &root->held;
    enum ork_status status = all ? ork_root_fill_all_held(root) : ORK_OK;

    while (*link != NULL && status == ORK_OK) {
        struct root_held *h = *link;
        if (!h->superseded)
            look_again(root, h);
        bool is_over = all || h->count == 0 || h->superseded;
        if (h->ready && (is_over || at >= h->until_ns))
            tell(root, h);
        if (h->ready && is_over)
            drop(link);
        else
            link = &h->next;
    }
    return status;
}

static bool is_part_of(const struct root_held *h, const struct ork_finding *f)
{
    bool part = false;

    for (uint32_t i = 0; i < h->count && !part; i++)
        part = ork_describe_has_rank(&f->ranks, h->still[i].rank);
    return part;
}

void ork_root_supersede_held(struct ork_root *root, const struct ork_finding *by)
{
    for (struct root_held *h = root->held; h != NULL; h = h->next) {
        look_again(root, h);
        if (h->superseded || !is_part_of(h, by))
            continue;
        if (h->reported && root->sink->superseded != NULL)
            root->sink->superseded(root->sink->context, &h->finding);
        h->superseded = true;
    }
}

void ork_root_forget_held(struct ork_root *root)
{
    while (root->held != NULL)
        drop(&root->held);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that are in the same call. */
#include "overlay/findings/describe_internal.h"

#include <string.h>

static bool is_alike(const struct ork_rank_row *a, const struct ork_rank_row *b, bool anywhere)
{
    return strcmp(a->call, b->call) == 0 && strcmp(a->state, b->state) == 0 &&
           (anywhere || ork_describe_is_same_where(&a->where, &b->where));
}

static void add_to_groups(struct ork_writing *w, struct describe_groups *groups,
                          const struct ork_rank_row *row, bool anywhere)
{
    uint32_t k = 0;

    while (k < groups->count && !is_alike(groups->item[k].first, row, anywhere))
        k++;
    if (k == DESCRIBE_GROUPS_MAX) {
        groups->more = true;
        return;
    }
    if (k == groups->count)
        groups->item[groups->count++] = (struct ork_describe_group){.first = row};
    struct ork_describe_group *g = &groups->item[k];
    g->any |= row->is_or;
    ork_writing_add(w, &g->ranks, row->rank);
    for (uint32_t i = 0; i < row->waits_for.count; i++)
        ork_writing_add(w, &g->targets, row->waits_for.item[i]);
}

struct describe_groups ork_describe_group(struct ork_writing *w, const struct ork_finding *f,
                                          const struct ork_u32s *ranks, bool anywhere)
{
    struct describe_groups groups = {0};

    for (uint32_t i = 0; i < f->num_waits; i++) {
        if (ranks == NULL || ork_describe_has_rank(ranks, f->waits[i].rank))
            add_to_groups(w, &groups, &f->waits[i], anywhere);
    }
    for (uint32_t k = 0; k < groups.count; k++) {
        ork_describe_sort_unique(&groups.item[k].ranks);
        ork_describe_sort_unique(&groups.item[k].targets);
    }
    return groups;
}

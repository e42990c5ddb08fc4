/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/describe_near.h"

#include <stdlib.h>

void ork_describe_add_near_misses(struct ork_writing *w, const struct ork_search *s,
                                  uint32_t nprocs, struct ork_finding *f)
{
    struct near_pending pending = {0};
    bool *of = ork_writing_alloc(w, nprocs, sizeof(*of));

    for (uint32_t i = 0; i < f->ranks.count && of != NULL; i++)
        of[f->ranks.item[i]] = true;
    for (uint32_t i = 0; i < f->num_waits && of != NULL; i++) {
        for (uint32_t k = 0; k < f->waits[i].waits_for.count; k++)
            of[f->waits[i].waits_for.item[k]] = true;
    }
    if (of != NULL &&
        ork_writing_check(w, ork_detector_pending(w->d, of, &pending.item, &pending.count)) &&
        ork_writing_check(
            w, ork_detector_unstarted(w->d, of, &pending.unstarted, &pending.num_unstarted))) {
        ork_describe_near_unstarted(w, s, &pending, f);
        ork_describe_near_taken(w, s, &pending, f);
        ork_describe_near_messages(w, s, pending.item, pending.count, f);
        ork_describe_near_collectives(w, s, f);
        ork_describe_near_intercomms(w, s, f);
        ork_describe_near_null(w, s, &pending, f);
    }
    free(pending.item);
    free(pending.unstarted);
}

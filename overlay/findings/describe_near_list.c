/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/describe_near.h"

#include "overlay/findings/graph.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

enum ork_status ork_describe_add_near_misses(const struct ork_detector *d,
                                             struct ork_call_sites *sites,
                                             const struct ork_search *s, uint32_t nprocs,
                                             struct ork_finding *f)
{
    struct near_pending pending = {0};
    bool *of = calloc(nprocs + (size_t)1, sizeof(*of));
    enum ork_status status = of == NULL ? ORK_NOMEM : ORK_OK;

    for (uint32_t i = 0; i < f->ranks.count && status == ORK_OK; i++)
        of[f->ranks.item[i]] = true;
    if (status == ORK_OK)
        status = ork_detector_pending(d, of, &pending.item, &pending.count);
    if (status == ORK_OK)
        status = ork_detector_unstarted(d, of, &pending.unstarted, &pending.num_unstarted);
    if (status == ORK_OK)
        status = ork_describe_near_unstarted(d, sites, s, &pending, f);
    if (status == ORK_OK)
        status = ork_describe_near_taken(d, sites, s, &pending, f);
    if (status == ORK_OK && pending.count > 0)
        status = ork_describe_near_messages(d, sites, s, pending.item, pending.count, f);
    if (status == ORK_OK)
        status = ork_describe_near_collectives(d, sites, s, f);
    free(pending.item);
    free(pending.unstarted);
    free(of);
    return status;
}

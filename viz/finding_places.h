/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of a finding, each once, for formats that show findings beside the code. */
#ifndef ORK_VIZ_FINDING_PLACES_H
#define ORK_VIZ_FINDING_PLACES_H

#include "report/report.h"

/* Ranks that make a call at a place. The strings belong to the finding. */
struct ork_finding_place {
    const struct ork_where *where;
    const char *call; /* "" outside of MPI */
    uint32_t *rank;   /* in the order of the rows */
    uint32_t num_ranks;
};

struct ork_finding_places {
    struct ork_finding_place *place; /* the first one is that of the first rank that causes it */
    uint32_t count;                  /* 0: no place is known */
    uint32_t *room;                  /* the ranks of all places */
};

/* Rows without a file or module are left out. The caller releases *out. ORK_NOMEM. */
enum ork_status ork_finding_places_init(struct ork_finding_places *out,
                                        const struct ork_finding *finding);
void ork_finding_places_release(struct ork_finding_places *places);

/* The path of the place relative to the report's source root; of a place without a source file, of
 * its executable or library. The caller's; NULL: out of memory. */
char *ork_finding_place_path(const struct ork_report *report, const struct ork_where *where);

#endif

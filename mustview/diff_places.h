/* SPDX-License-Identifier: BSD-3-Clause */
/* Where each rank of a finding is, as text that can be compared. */
#ifndef ORK_MUSTVIEW_DIFF_PLACES_H
#define ORK_MUSTVIEW_DIFF_PLACES_H

#include "report/report.h"

struct ork_place {
    uint32_t rank;
    char *words; /* "MPI_Recv at halo.c:40"; "" if unknown */
};

struct ork_places {
    const struct ork_finding *finding;
    struct ork_place *item; /* by rank, each once, from its first wait */
    uint32_t count;
};

/* The finding must outlive *places, which the caller releases, whatever the outcome. ORK_NOMEM. */
enum ork_status ork_places_init(struct ork_places *places, const struct ork_finding *finding);
void ork_places_release(struct ork_places *places);

/* Of call, file and line. */
uint64_t ork_place_hash(uint64_t hash, const struct ork_rank_row *wait);
/* Either may be NULL. */
bool ork_place_equal(const char *a, const char *b);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of the program by number, so that many of them are compared quickly. */
#ifndef ORK_OVERLAY_FINDINGS_PLACES_H
#define ORK_OVERLAY_FINDINGS_PLACES_H

#include "common/hash_map.h"
#include "report/report.h"

/* Initialised to zero: none. */
struct ork_places {
    struct ork_where *place; /* number 1 is place[0] */
    uint32_t count, room;
    struct ork_hash_map by_hash;
};

/* Are both the same line of the program, or without debug information the same address? */
bool ork_describe_is_same_where(const struct ork_where *a, const struct ork_where *b);

/* The number of a place, from 1: equal for two places if and only if
 * ork_describe_is_same_where(). Takes over the strings of *where, also after ORK_NOMEM. */
enum ork_status ork_places_number(struct ork_places *places, struct ork_where *where,
                                  uint32_t *number);
void ork_places_release(struct ork_places *places);

#endif

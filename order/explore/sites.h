/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the program at which the order decides, and which of their outcomes were seen. Pure.
 */
#ifndef ORK_EXPLORE_SITES_H
#define ORK_EXPLORE_SITES_H

#include "common/hash_map.h"
#include "order/explore/trace.h"

struct ork_search_site {
    uint32_t place; /* as in struct ork_choice */
    uint16_t call;
    uint64_t choices;  /* different ones: rank and number, or rank and post */
    uint64_t known;    /* outcomes of these that were seen, or are known to be possible */
    uint64_t tried;    /* that were seen */
    const bool *is_of; /* by rank: did it make one of these choices, or could have? */
    bool is_endless;   /* a loop of these tests or probes was to give up, and went on */
};

/* All zero but `ranks` is empty. */
struct ork_sites {
    uint32_t ranks;
    struct ork_search_site *site;
    bool **is_of; /* of each site */
    uint32_t num, room, is_of_room;
    struct ork_hash_map by_hash;
    struct ork_hash_map seen; /* choices and outcomes that were counted, by hash */
};

uint64_t ork_choice_site_hash(const struct ork_choice *choice);
/* What a choice is, whatever its outcome. */
uint64_t ork_choice_identity(uint32_t rank, uint64_t number, const struct ork_choice *choice);
/* This outcome of the choice is known to be possible; `is_seen`: it was seen. False: out of memory.
 */
bool ork_sites_count(struct ork_sites *sites, uint32_t rank, const struct ork_choice *choice,
                     uint64_t polled, uint64_t identity, bool is_seen);
/* A loop that ended with this choice was to give up, and went on. False: out of memory. */
bool ork_sites_note_endless(struct ork_sites *sites, const struct ork_choice *choice);
void ork_sites_release(struct ork_sites *sites);

#endif

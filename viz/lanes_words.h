/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in the boxes of the lanes, and before them. */
#ifndef ORK_VIZ_LANES_WORDS_H
#define ORK_VIZ_LANES_WORDS_H

#include "viz/lanes.h"

#include <stddef.h>

/* Characters, of which each has up to 4 bytes. */
enum { ORK_LANE_LABEL_MAX = 26, ORK_LANE_TEXT_MAX = 28, ORK_LANE_DECIDED_MAX = 52 };

/* Texts of a box; empty ones are not shown. */
struct ork_lane_words {
    char name[ORK_LANE_TEXT_MAX * 4 + 32], place[ORK_LANE_TEXT_MAX * 4 + 32],
        argument[ORK_LANE_DECIDED_MAX * 4 + 32];
};

/* `file`: the one that all calls are in; NULL: several. *words is all zero. */
void ork_lane_write_words(const struct ork_lanes *lanes, uint32_t box, const char *file,
                          struct ork_lane_words *words);
/* The file that all calls are in; NULL: several, or none is known. */
const char *ork_lanes_common_file(const struct ork_lanes *lanes);
/* Below the ranks of a lane: "62 more in this call": other ranks that are at the same place, and
 * have no lane; "outside MPI", where a rank of a hang or a running job is; "". */
void ork_lane_write_note(const struct ork_finding *finding, uint32_t lane, char *to, size_t size);
/* The ranks of a lane, and the thread. */
void ork_lane_write_label(const struct ork_last_calls *list, char *to, size_t size);

/* At most `max` characters of a text, on one line. */
void ork_lane_cut(char *to, size_t size, const char *text, size_t max);
/* Characters of a text in UTF-8. */
size_t ork_lane_chars(const char *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the lanes: lanes.c makes the boxes, lanes_lines.c the lines between them, and
 * lanes_columns.c the columns. */
#ifndef ORK_VIZ_LANES_INTERNAL_H
#define ORK_VIZ_LANES_INTERNAL_H

#include "viz/lanes.h"

/* RATIONALE: a report from a file may have any number; the tool writes 8 lists of at most 16
 * calls. */
enum { ORK_LANES_MAX = 16, ORK_BOXES_MAX = 256 };

static inline const struct ork_last_calls *ork_lanes_list(const struct ork_lanes *l, uint32_t box)
{
    return &l->finding->last_calls[l->box[box].lane];
}

static inline const struct ork_last_call *ork_lanes_call(const struct ork_lanes *l, uint32_t box)
{
    return &ork_lanes_list(l, box)->call[l->box[box].call];
}

/* Does the box stand for calls of several iterations? */
bool ork_lanes_is_in_fold(const struct ork_lanes *lanes, uint32_t box);

/* The only box that is this end of a match; UINT32_MAX: it is unknown which of several it was. */
uint32_t ork_lanes_only_at(const struct ork_lanes *lanes, const struct ork_match_end *end);
/* Between boxes of two lanes, unless one of them is UINT32_MAX. */
void ork_lanes_put_line(struct ork_lanes *lanes, struct ork_lane_line line);

/* lanes_epochs.c: the accesses that nothing orders, and their epochs. */
void ork_lanes_put_accesses(struct ork_lanes *lanes);

void ork_lanes_put_lines(struct ork_lanes *lanes);
/* After those. */
void ork_lanes_put_switched(struct ork_lanes *lanes, const struct ork_switched_arrow *arrow,
                            uint32_t num);

/* Was its message received, or did the call come before the other one, so that it leads to the
 * right? */
static inline bool ork_lane_line_was_received(const struct ork_lane_line *line)
{
    return line->kind == ORK_LINE_MESSAGE || line->kind == ORK_LINE_UNFIT ||
           line->kind == ORK_LINE_SWITCHED || line->kind == ORK_LINE_BEFORE;
}

/* Is it what decided the first run of an exploration? */
static inline bool ork_lane_line_is_of_first_run(const struct ork_lane_line *line)
{
    return line->kind == ORK_LINE_FIRST || line->kind == ORK_LINE_FIRST_BEFORE;
}

/* ORK_NOMEM */
enum ork_status ork_lanes_find_columns(struct ork_lanes *lanes);

#endif

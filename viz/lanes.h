/* SPDX-License-Identifier: BSD-3-Clause */
/* Swim lanes: the last calls of the ranks of a finding. A lane for each list of calls, a column for
 * each step of logical time: a call is to the right of those before it, and of the sends whose
 * messages it received; the calls of one collective are in one column. */
#ifndef ORK_VIZ_LANES_H
#define ORK_VIZ_LANES_H

#include "report/report.h"

/* The style sheet of a drawing that is a file of its own, from "<style>" to "</style>": made from
 * lanes.css and the palette of html.css at build time. */
extern const char ork_lanes_style[];

enum ork_lane_look {
    ORK_LOOK_PLAIN,
    ORK_LOOK_STUCK,   /* it has not returned, or need not */
    ORK_LOOK_POLLS,   /* a test or probe that is repeated without success */
    ORK_LOOK_PENDING, /* a message of it has no match */
    ORK_LOOK_NOBODY,  /* its partner is MPI_PROC_NULL */
    ORK_LOOK_ENDED,   /* the last one of the rank whose end the finding is about */
    ORK_LOOK_ACCESS,  /* it is one of the accesses that nothing orders */
    ORK_LOOK_UNFIT,   /* a collective call that does not fit the others */
    ORK_LOOK_DECIDED, /* a choice that decides, in this run, .. */
    ORK_LOOK_FIRST,   /* .. and in the first one */
};

struct ork_lane_box {
    uint32_t lane, call;      /* of the finding: its list, and the call there */
    uint32_t times, position; /* as in that call, or of a part of equal calls in a row */
    uint32_t column;
    enum ork_lane_look look;
};

/* A message between last calls that decides how a run of an exploration ended: that run took it, or
 * the first run did. `is_before`: no message, but a lock or atomic that came before another one. */
struct ork_switched_arrow {
    struct ork_last_arrow arrow;
    bool is_first, is_before;
};

/* From box to box: a message, a near match, a message that is taken in another order only, one that
 * does not fit its receive, two accesses that nothing orders, or what decides. */
struct ork_lane_line {
    uint32_t from, to;
    enum ork_lane_line_kind {
        ORK_LINE_MESSAGE,
        ORK_LINE_NEAR,
        ORK_LINE_OTHER,
        ORK_LINE_UNFIT,
        ORK_LINE_CONFLICT,
        ORK_LINE_SWITCHED,
        ORK_LINE_FIRST,
        ORK_LINE_BEFORE,
        ORK_LINE_FIRST_BEFORE
    } kind;
    const char *differs; /* NULL: a message */
};

/* Boxes of one lane, from the one that opens an epoch of one of the accesses to the one that closes
 * it, or to the last one. */
struct ork_lane_epoch {
    uint32_t first, last;
};

/* Boxes of one lane, from the first to the last one, that stand for iterations. */
struct ork_lane_fold {
    uint32_t first, last, times;
};

enum { ORK_LANE_EPOCHS = 2 };

struct ork_lanes {
    const struct ork_finding *finding;
    struct ork_lane_box *box; /* by lane, the oldest call first */
    uint32_t num_boxes;
    struct ork_lane_line *line;
    uint32_t num_lines;
    struct ork_lane_fold *fold; /* by box */
    uint32_t num_folds;
    struct ork_lane_epoch epoch[ORK_LANE_EPOCHS];
    uint32_t num_epochs;
    uint32_t *group; /* of each box: the first box of its collective; itself if it is alone */
    uint32_t columns;
};

/* The finding must outlive *lanes, which the caller releases. ORK_NOTFOUND: there is nothing to
 * draw; ORK_NOMEM. Both leave nothing to release. */
enum ork_status ork_lanes_init(struct ork_lanes *lanes, const struct ork_finding *finding);
/* The same with messages that decide. */
enum ork_status ork_lanes_init_switched(struct ork_lanes *lanes, const struct ork_finding *finding,
                                        const struct ork_switched_arrow *arrow, uint32_t num);
void ork_lanes_release(struct ork_lanes *lanes);

/* As ork_viz_lanes_svg(), with messages that decide. */
enum ork_status ork_lanes_svg_switched(const struct ork_finding *finding,
                                       const struct ork_switched_arrow *arrow, uint32_t num,
                                       char **text);

/* Is it worth a drawing: has it several lanes with calls? */
bool ork_lanes_are_worth_it(const struct ork_finding *finding);

#endif

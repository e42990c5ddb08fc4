/* SPDX-License-Identifier: BSD-3-Clause */
/* The differences between two reports: which findings, and in those in both, which ranks and
 * places. Times, counts and drawings are not compared. */
#ifndef ORK_MUSTVIEW_DIFF_H
#define ORK_MUSTVIEW_DIFF_H

#include "report/report.h"

#include <stdio.h>

/* Ranks of a finding that moved from one place to another. */
struct ork_diff_move {
    struct ork_u32s ranks; /* ascending */
    char *before;          /* "MPI_Recv at halo.c:40", "" unknown; NULL: they are new */
    char *after;           /* NULL: they are gone */
};

enum { ORK_DIFF_NONE = UINT32_MAX };

struct ork_diff_finding {
    uint32_t before;                /* index in the first report; ORK_DIFF_NONE: it appeared */
    uint32_t after;                 /* index in the second report; ORK_DIFF_NONE: it disappeared */
    bool class_, severity, message; /* did it change? */
    struct ork_diff_move *move;
    uint32_t num_moves;
};

struct ork_diff {
    const struct ork_report *before, *after;
    struct ork_diff_finding *finding; /* of the second report, then those that disappeared */
    uint32_t num_findings;
};

/* A finding of the second report matches one of the first if it has the same id and, in this order
 * of preference, is the same in all; has the same places and ranks; the same places; the same
 * ranks; the same calls in the same functions. The reports must outlive *diff, which the caller
 * releases. ORK_NOMEM leaves nothing to release. */
enum ork_status ork_diff_init(struct ork_diff *diff, const struct ork_report *before,
                              const struct ork_report *after);
void ork_diff_release(struct ork_diff *diff);

bool ork_diff_is_changed(const struct ork_diff_finding *finding);
/* No finding appeared, disappeared or changed. */
bool ork_diff_is_equal(const struct ork_diff *diff);

void ork_diff_put_text(const struct ork_diff *diff, FILE *out);
/* *text is the caller's. ORK_NOMEM. */
enum ork_status ork_diff_to_json(const struct ork_diff *diff, char **text);

#endif

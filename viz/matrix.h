/* SPDX-License-Identifier: BSD-3-Clause */
/* Who waits for whom, as a matrix: a row for the rank that waits, a column for the one that it
 * waits for. Of many ranks, some share a row and a column. */
#ifndef ORK_VIZ_MATRIX_H
#define ORK_VIZ_MATRIX_H

#include "report/report.h"

#include <stdio.h>

/* Ranks above which a matrix says more than a graph. */
#define ORK_MATRIX_LEAST 65u

/* Has the finding so many ranks that wait? */
bool ork_matrix_is_worth_it(const struct ork_finding *finding);
/* As an SVG element with the classes of lanes.css. ORK_NOMEM. */
enum ork_status ork_matrix_put(FILE *out, const struct ork_finding *finding);

#endif

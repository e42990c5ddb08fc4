/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of a finding. */
#ifndef ORK_MUSTVIEW_SELECT_H
#define ORK_MUSTVIEW_SELECT_H

#include "report/report.h"

enum ork_show {
    ORK_SHOW_ALL,
    ORK_SHOW_WAITERS, /* the knot and all that wait for it, directly or through others */
    ORK_SHOW_KNOT,    /* the knot: what is filled in the drawing, or else the roots */
};

/* Keep only these nodes of the finding's graph, and the waits of their ranks. A finding without a
 * graph stays unchanged. ORK_NOMEM: unchanged. */
enum ork_status ork_finding_select(struct ork_finding *finding, enum ork_show show);

#endif

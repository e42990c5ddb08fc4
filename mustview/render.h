/* SPDX-License-Identifier: BSD-3-Clause */
/* What mustview writes. */
#ifndef ORK_MUSTVIEW_RENDER_H
#define ORK_MUSTVIEW_RENDER_H

#include "mustview/options.h"
#include "report/report.h"

struct ork_view_data {
    char *bytes; /* the caller's */
    size_t size;
};

/* The report in the format of the options; `color` is for a terminal. What is not to be shown is
 * dropped from the report. 0, or an exit code, a sentence said. */
int ork_view_render(struct ork_report *report, const struct ork_view_options *options, bool color,
                    struct ork_view_data *data);

/* What changed. 0, 1 (something did), or an exit code above, a sentence said, and no data. */
int ork_view_render_diff(const struct ork_report *before, const struct ork_report *after,
                         const struct ork_view_options *options, struct ork_view_data *data);

#endif

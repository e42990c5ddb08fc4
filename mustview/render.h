/* SPDX-License-Identifier: BSD-3-Clause */
/* Renders what mustview writes. */
#ifndef ORK_MUSTVIEW_RENDER_H
#define ORK_MUSTVIEW_RENDER_H

#include "mustview/options.h"
#include "report/exploration.h"

struct ork_view_data {
    char *bytes; /* the caller's */
    size_t size;
};

/* The report in the format of the options; `color` is for a terminal. Parts that are not selected
 * are removed from the report. 0, or an exit code, after an error message. */
int ork_view_render(struct ork_report *report, const struct ork_view_options *options, bool color,
                    struct ork_view_data *data);

/* Do the options ask for the whole report, as text, HTML, JSON or a drawing of the last calls? */
bool ork_view_is_whole(const struct ork_view_options *options);
/* Then, an exploration. */
int ork_view_render_exploration(const struct ork_exploration *e,
                                const struct ork_view_options *options, bool color,
                                struct ork_view_data *data);

/* The differences. 0, 1 (there are some), or a higher exit code with an error message, no data. */
int ork_view_render_diff(const struct ork_report *before, const struct ork_report *after,
                         const struct ork_view_options *options, struct ork_view_data *data);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks mustrun about its run while it lasts. */
#ifndef ORK_MUSTVIEW_LIVE_H
#define ORK_MUSTVIEW_LIVE_H

#include "mustview/options.h"
#include "mustview/render.h"

/* Where the ranks are of the run that options->input[0] names (session, or process number of its
 * mustrun); without it, the runs of this user on this host. 0, and data is the caller's; or an exit
 * code, after an error message. */
int ork_view_live(const struct ork_view_options *options, struct ork_view_data *data);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking mustrun while its run lasts. */
#ifndef ORK_MUSTVIEW_LIVE_H
#define ORK_MUSTVIEW_LIVE_H

#include "mustview/options.h"
#include "mustview/render.h"

/* Where the ranks are of the run that options->input[0] names (session, or process number of its
 * mustrun); without it, which runs of this user there are on this host. 0, and data is the
 * caller's; or an exit code, a sentence said. */
int ork_view_live(const struct ork_view_options *options, struct ork_view_data *data);

#endif

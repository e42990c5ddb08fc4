/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the order of a run as text. */
#ifndef ORK_MUSTVIEW_ORDER_TEXT_H
#define ORK_MUSTVIEW_ORDER_TEXT_H

#include "mustview/options.h"

/* The order in options->input[0]. 0, or an exit code, after an error message. */
int ork_view_order(const struct ork_view_options *options);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the orders of two runs differ. */
#ifndef ORK_MUSTVIEW_ORDER_DIFF_H
#define ORK_MUSTVIEW_ORDER_DIFF_H

#include "mustview/options.h"

/* The orders in both of options->input[]. *is_different is set with 0; otherwise an exit code,
 * after an error message. */
int ork_view_order_diff(const struct ork_view_options *options, bool *is_different);

#endif

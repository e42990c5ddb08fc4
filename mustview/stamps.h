/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of mustrun --must:timestamps: its events, or whether two of them are ordered. */
#ifndef ORK_MUSTVIEW_STAMPS_H
#define ORK_MUSTVIEW_STAMPS_H

#include "mustview/options.h"

/* Write all events with their stamps. 0, or an exit code, after an error message. */
int ork_view_stamps(const struct ork_view_options *options);
/* Write whether one of the two events is complete before the other one, and by which events. *is:
 * is it so? 0, or an exit code, after an error message. */
int ork_view_ordered(const struct ork_view_options *options, bool *is);

#endif

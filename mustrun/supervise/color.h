/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ORK_MUSTRUN_SUPERVISE_COLOR_H
#define ORK_MUSTRUN_SUPERVISE_COLOR_H

#include "mustrun/options/options.h"

/* Is stderr to be coloured? By --must:color: on a terminal, unless NO_COLOR is set and not empty
 * (no-color.org); always; or never. */
bool ork_color_is_wanted(const struct ork_options *options);

#endif

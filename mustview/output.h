/* SPDX-License-Identifier: BSD-3-Clause */
/* Where mustview writes to. */
#ifndef ORK_MUSTVIEW_OUTPUT_H
#define ORK_MUSTVIEW_OUTPUT_H

#include "mustview/options.h"

/* Can it be shown where it is to go? 0, or an exit code, a sentence said. */
int ork_view_check_output(const struct ork_view_options *options);
/* 0, or an exit code, a sentence said. */
int ork_view_write(const struct ork_view_options *options, const char *data, size_t size);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The output of mustview. */
#ifndef ORK_MUSTVIEW_OUTPUT_H
#define ORK_MUSTVIEW_OUTPUT_H

#include "mustview/options.h"

/* Can it be written to its destination? 0, or an exit code, after an error message. */
int ork_view_check_output(const struct ork_view_options *options);
/* 0, or an exit code, after an error message. */
int ork_view_write(const struct ork_view_options *options, const char *data, size_t size);

#endif

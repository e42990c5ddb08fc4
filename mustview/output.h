/* SPDX-License-Identifier: BSD-3-Clause */
/* The output of mustview. */
#ifndef ORK_MUSTVIEW_OUTPUT_H
#define ORK_MUSTVIEW_OUTPUT_H

#include "mustview/options.h"

/* Can it be written to its destination? 0, or an exit code, after an error message. */
int ork_view_check_output(const struct ork_view_options *options);
/* The open destination. 0, or an exit code, after an error message. */
int ork_view_open(const struct ork_view_options *options, FILE **out);
/* Close it, which shows whether all was written; remove an output file if it was not, or if its
 * content is not `complete`. 0, or an exit code, after an error message. */
int ork_view_close(const struct ork_view_options *options, FILE *out, bool complete);
/* Write all to the destination. 0, or an exit code, after an error message. */
int ork_view_write(const struct ork_view_options *options, const char *data, size_t size);

#endif

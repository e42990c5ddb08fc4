/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of source files. */
#ifndef ORK_OVERLAY_STACKTRACE_SOURCE_LINE_H
#define ORK_OVERLAY_STACKTRACE_SOURCE_LINE_H

#include <stdint.h>

/* A line of a file, counted from 1. The caller's; NULL: the file has no such line or cannot be read
 * here, the line has a NUL, or memory is short. */
char *ork_source_line(const char *file, uint32_t line);

#endif

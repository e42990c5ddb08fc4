/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a trace (--must:trace): mustrun checks before the start whether it can be written,
 * the root of the tool writes it. */
#ifndef ORK_COMMON_TRACEFILE_H
#define ORK_COMMON_TRACEFILE_H

#include "common/status.h"

#include <stdbool.h>

#define ORK_TRACEFILE_MAGIC "ORKTRACE" /* its first bytes */

/* Is there an earlier trace at this path? */
bool ork_tracefile_is_trace(const char *path);

/* Can a file be written to this path? ORK_EXISTS: there is another one that is not ours. ORK_IO:
 * errno is the reason. */
enum ork_status ork_output_check(const char *path, bool (*is_ours)(const char *path));

/* Can a trace be written to this path? ORK_EXISTS: there is another file. ORK_IO: errno is the
 * reason. */
enum ork_status ork_tracefile_check(const char *path);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a trace (--must:trace): mustrun asks before anything starts whether it can be
 * written, the root of the tool writes it. */
#ifndef ORK_COMMON_TRACEFILE_H
#define ORK_COMMON_TRACEFILE_H

#include "common/status.h"

#include <stdbool.h>

#define ORK_TRACEFILE_MAGIC "ORKTRACE" /* its first bytes */

/* Does an earlier trace lie there? */
bool ork_tracefile_is_trace(const char *path);

/* May a trace be written to this path? ORK_EXISTS: a file that is no trace lies there. ORK_IO:
 * errno says why not. */
enum ork_status ork_tracefile_check(const char *path);

#endif

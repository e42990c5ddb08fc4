/* SPDX-License-Identifier: BSD-3-Clause */
/* The paths of the tool's parts: relative to mustrun itself, so that an installed tree can be moved
 * as a whole. */
#ifndef ORK_MUSTRUN_LAUNCHER_PATHS_H
#define ORK_MUSTRUN_LAUNCHER_PATHS_H

#include "common/status.h"

#include <limits.h>

struct ork_paths {
    char tool[PATH_MAX];        /* must-tool */
    char interceptor[PATH_MAX]; /* libmust-interceptor.so */
};

/* Find both. Reports on stderr which one is missing (ORK_NOTFOUND), or that it cannot be preloaded
 * from its folder (ORK_INVALID). */
enum ork_status ork_paths_find(struct ork_paths *paths);

#endif

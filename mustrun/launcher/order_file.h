/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the files of --must:record and --must:replay before anything is started. Failures are
 * reported on stderr, one sentence each. */
#ifndef ORK_MUSTRUN_LAUNCHER_ORDER_FILE_H
#define ORK_MUSTRUN_LAUNCHER_ORDER_FILE_H

#include "mustrun/launcher/command.h"

#include <stdbool.h>

/* May the order of the run be written to `path`? Only another order is replaced. */
bool ork_order_file_may_replace(const char *path);

/* Can the job repeat the order in the file, and stop at that choice (number 0: at none)? Returns
 * the exit code of mustrun: 0, ORK_EXIT_USAGE (another program or number of ranks, no such file or
 * choice) or ORK_EXIT_DATA. */
int ork_order_file_check(const char *path, const struct ork_commands *commands,
                         const struct ork_stop *stop);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What Open MPI does when it gives up, and what an interposer can see of it. */
#ifndef ORK_FATAL_H
#define ORK_FATAL_H

#include <stdbool.h>

/* Is this file a library whose signal handlers print where the signal came, and then let it end the
 * process? */
bool ork_fatal_only_prints(const char *path);

#endif

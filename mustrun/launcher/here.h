/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a node of a job the one that mustrun runs on? In doubt it is not. */
#ifndef ORK_MUSTRUN_LAUNCHER_HERE_H
#define ORK_MUSTRUN_LAUNCHER_HERE_H

#include <stdbool.h>

/* By a host's name, with or without its domain, or an address of the loopback device. */
bool ork_here_is_host(const char *name);

/* Is this the only node of the Slurm allocation in this environment? */
bool ork_here_is_allocated(char *const *environment);

#endif

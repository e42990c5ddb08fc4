/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that mpirun refuses, because it starts no more processes than there are cores. */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_SLOTS_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_SLOTS_H

#include "mustrun/launcher/launcher.h"

/* See ork_launcher_hint(). For mpirun of Open MPI 4, a list of hosts, and some other options, say
 * how many processes a node gets, so that its cores do not count. */
char *ork_mpi_slots_hint(const struct ork_launcher *launcher, const struct ork_argv *words,
                         const struct ork_extras *extras, int code);

#endif

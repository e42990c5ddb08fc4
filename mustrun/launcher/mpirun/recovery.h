/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that are to go on when a rank has died. Pure. */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_RECOVERY_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_RECOVERY_H

#include "mustrun/launcher/mpirun/mpiopts.h"

/* Does any context of the command ask for that? */
bool ork_mpi_recovers(const struct ork_argv *words, const struct ork_extras *extras);

#endif

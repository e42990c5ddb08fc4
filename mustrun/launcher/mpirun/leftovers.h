/* SPDX-License-Identifier: BSD-3-Clause */
/* What an mpirun of Open MPI leaves behind that crashes or is killed: its session folder, and the
 * shared memory of its ranks. RATIONALE: that of Open MPI 4.1 crashes at times when it is told to
 * end a job, which is what we do. */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_LEFTOVERS_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_LEFTOVERS_H

#include "mustrun/launcher/launcher.h"

/* Learn of an mpirun how its shared memory is named, as long as its session folder is there. */
void ork_leftovers_learn(struct ork_leftovers *l, pid_t mpirun);
/* Remove what is there of the mpirun that had this process id, which has been reaped. Nothing that
 * is not its own and this user's is touched. 0: it was never started. */
void ork_leftovers_remove(struct ork_leftovers *l, pid_t mpirun);

#endif

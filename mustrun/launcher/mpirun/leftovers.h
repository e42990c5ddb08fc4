/* SPDX-License-Identifier: BSD-3-Clause */
/* Removes what Open MPI's mpirun leaves behind when it crashes or is killed: its session folder,
 * and the shared memory of its ranks. RATIONALE: Open MPI 4.1's mpirun sometimes crashes when it
 * has to end a job, and we make it do so. */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_LEFTOVERS_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_LEFTOVERS_H

#include "mustrun/launcher/launcher.h"

/* Find out how the shared memory of an mpirun is named, while its session folder exists. */
void ork_leftovers_learn(struct ork_leftovers *l, pid_t mpirun);
/* Remove what the mpirun that had this process id, and has been reaped, left behind. Only its own
 * files of this user are removed. 0: it was never started. */
void ork_leftovers_remove(struct ork_leftovers *l, pid_t mpirun);
/* The same for a prterun, but for the shared memory of its ranks, whose names do not tell whose it
 * is. */
void ork_leftovers_remove5(struct ork_leftovers *l, pid_t prterun);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of processes, in a library that tells none. Those of the own job have the name of their
 * rank in MPI_COMM_WORLD. Those of another job are known from the call that made one of the two:
 * all parents give the job the same number (interceptor/process/spawn.h), and a child finds this
 * number and its parents in its environment. Who has met by MPI_Comm_accept has no names.
 *
 * RATIONALE: names are found by comparing groups, and a library may use the numbers of processes
 * again once no communicator has them. So a job is forgotten with the last communicator that is
 * known to have members of it. */
#ifndef ORK_JOBS_H
#define ORK_JOBS_H

#include "interceptor/mpi/mpi_library.h"

/* Call once, when MPI is initialised, with the group of MPI_COMM_WORLD. Without it no process has a
 * name. The other functions are called with the recorder's lock held. */
void ork_jobs_init(MPI_Group world);

/* See ork_process_name(). */
bool ork_jobs_name(MPI_Group group, int i, struct ork_process *name);

/* The number of the own job; 0: it has none, so that no other job can have one. */
uint32_t ork_jobs_own(void);

/* The remote group of this communicator is the job with this number, in its order. */
void ork_jobs_add(MPI_Comm intercomm, uint32_t job);

/* Communicator `id` has these groups (runs as in COMM_DEF), those of another one, or was freed. */
void ork_jobs_keep(uint32_t id, const uint32_t *word, uint32_t count);
void ork_jobs_keep_like(uint32_t id, uint32_t parent);
void ork_jobs_drop(uint32_t id);

#endif

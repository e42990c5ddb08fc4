/* SPDX-License-Identifier: BSD-3-Clause */
/* What the interceptor asks of the MPI library beyond the MPI standard. A folder for each library
 * answers (openmpi/); CMake chooses it by ORK_MPI_LIBRARY. No other file here knows which library
 * it is. Nothing is asked in the hook of a call. */
#ifndef ORK_MPI_LIBRARY_H
#define ORK_MPI_LIBRARY_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- the calling process in its job ---- */

struct ork_job_rank {
    const char *job; /* name of the job, of the environment; NULL: not known */
    uint32_t rank;   /* in MPI_COMM_WORLD */
    uint32_t size;   /* of it; 0: not known */
    uint32_t local_rank;
    uint32_t local_size; /* ranks on this node; 0: not known */
};

/* Read what the launcher has written into the environment. False: this is no rank of a job. */
bool ork_library_job_rank(struct ork_job_rank *out);

/* ---- other processes ---- */

/* Which process of which job is a member of a group? MPI does not say; the library's own table
 * does. It is read, never asked: no message, no wait. */
struct ork_process {
    uint32_t job;  /* see ork_job_number() */
    uint32_t rank; /* in its MPI_COMM_WORLD */
};

/* Learn how the library keeps the names, from processes whose names are known: those of `world`,
 * the group of MPI_COMM_WORLD. If that fails, no process has a name. */
void ork_names_init(MPI_Group world);

/* False: member i has no name. */
bool ork_process_name(MPI_Group group, int i, struct ork_process *name);

/* ---- requests ---- */

/* Handles that the library gives out for many operations at once: at most `room`, their number is
 * returned. Call once, when MPI is initialised. */
unsigned ork_library_shared_requests(MPI_Request *request, unsigned room);

/* ---- the end ---- */

/* Is this file, by its name without folders, one of the library's, whose signal handlers print
 * where the signal came, and then let it end the process? */
bool ork_library_only_prints(const char *file);

/* And it calls ork_end_note_error() when an error handler that ends the process takes over. */

#endif

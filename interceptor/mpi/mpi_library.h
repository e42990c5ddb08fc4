/* SPDX-License-Identifier: BSD-3-Clause */
/* What a backend needs of the MPI library beyond the MPI standard. Each family of libraries has a
 * folder with an implementation (openmpi/). Other files here are independent of the library. Hooks
 * of calls that are right do not use these functions. */
#ifndef ORK_MPI_LIBRARY_H
#define ORK_MPI_LIBRARY_H

#include "interceptor/preload/attach.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- the calling process in its job ---- */

/* Read the launcher's environment variables. False: this is not a rank of a job. */
bool ork_library_job_rank(struct ork_job_rank *out);

/* ---- other processes ---- */

/* The process and job of a member of a group. MPI has no function for this, but the library has a
 * table. It is only read: no message, no wait. */
struct ork_process {
    uint32_t job;  /* see ork_job_number() */
    uint32_t rank; /* in its MPI_COMM_WORLD */
};

/* Find out how the library stores the names, from processes with known names: those of `world`, the
 * group of MPI_COMM_WORLD. If that fails, no process has a name. */
void ork_names_init(MPI_Group world);

/* False: member i has no name. */
bool ork_process_name(MPI_Group group, int i, struct ork_process *name);

/* ---- constants ---- */

/* Is it MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY? */
bool ork_library_is_unweighted(const int *weights);
bool ork_library_is_empty_weights(const int *weights);

/* Is it MPI_BUFFER_AUTOMATIC of MPI-4.1, which mpi.h need not have? */
bool ork_library_is_automatic(const void *buffer);

/* ---- requests ---- */

/* Handles that the library uses for many operations at once: at most `room`; returns their number.
 * Call once, when MPI is initialised. */
unsigned ork_library_shared_requests(MPI_Request *request, unsigned room);

/* Does MPI_Request_get_status leave a persistent request that is complete active, as MPI requires
 * it (MPI-3.1 section 3.7.6)? If not, the tool must not ask for such requests. */
bool ork_library_keeps_active(void);

/* Can this handle, which is not MPI_REQUEST_NULL, be no request, whatever the library has made? */
bool ork_library_is_no_request(MPI_Request request);

/* ---- Fortran ---- */

/* Addresses of constants of Fortran that come to C where they must not stand; of nothing else, if
 * there are none. */
struct ork_fortran_constants {
    const void *in_place, *statuses_ignore;
};
extern struct ork_fortran_constants ork_fortran_constants;
/* Find them. Call it when MPI is initialised. */
void ork_fortran_init(void);

/* Is this file a Fortran layer that gets a section of an array, if it is not contiguous, as a copy
 * that ends when the call returns (MPI_SUBARRAYS_SUPPORTED is false, MPI-3.1 section 17.1.12)? */
bool ork_library_copies_sections(const char *layer);

/* ---- windows ---- */

/* Is each lock of one target of the window granted before MPI_Win_lock returns (without
 * MPI_MODE_NOCHECK)? Call when the window has just been made, before the program can name it. False
 * if it is unknown. */
bool ork_library_grants_locks(MPI_Win win);

/* ---- the end ---- */

/* Does this file (a name without folders) belong to the library and install signal handlers that
 * print the place of the signal, and then let it end the process? */
bool ork_library_only_prints(const char *file);

/* It also calls ork_end_note_error() when an error handler that ends the process takes over, and
 * asks ork_error_handler_put_off() before it calls any error handler. */

/* Call the error handler of the calling thread that was put off, see error_handlers.h. It need not
 * return. Returns what the call returns that has failed with `result`. */
int ork_library_handle_error(int result);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of the MPI library's mpi.h that leave the process, as numbers that are the same for all
 * libraries. Ranks and tags: interceptor/site/call_record.h. */
#ifndef ORK_NEUTRAL_H
#define ORK_NEUTRAL_H

#include "record/record.h"

#include <stdint.h>

/* The class of an error code: enum ork_error_class, 0 for MPI_SUCCESS. One that MPI-3.1 does not
 * have, such as a class that the program added, is ORK_ERR_FOREIGN + the library's number. */
uint32_t ork_error_class_of(int code);

/* The text of an error code in one line, which has room for MPI_MAX_ERROR_STRING bytes. RATIONALE:
 * some libraries add lines about the functions in which they found the error. */
void ork_error_text(int code, char *text);

/* MPI_THREAD_SINGLE and so on: enum ork_thread_level. */
uint32_t ork_thread_level_of(int level);

#endif

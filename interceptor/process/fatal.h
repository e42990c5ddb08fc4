/* SPDX-License-Identifier: BSD-3-Clause */
/* An error handler that ends the process: what a backend notes of it. */
#ifndef ORK_FATAL_H
#define ORK_FATAL_H

#include <stdbool.h>

/* May all functions of MPI be called: is MPI initialized, and not finalized? */
bool ork_fatal_is_usable(void);

/* A call has failed, and the library is about to end the process for that. `call`: its name;
 * `code`: what it would return. NULL: unknown. */
void ork_fatal_note(const char *call, const int *code);

#endif

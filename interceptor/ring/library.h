/* SPDX-License-Identifier: BSD-3-Clause */
/* Which MPI library does this process use? This one knows the library that it was built with. A
 * program of another one runs as without the tool: each hook calls that library's own function. */
#ifndef ORK_LIBRARY_H
#define ORK_LIBRARY_H

#include <stdbool.h>

/* Set by ork_library_choose(). Read without a lock: it changes once, in MPI_Init. */
extern bool ork_library_is_other;

/* MPI_Init or MPI_Init_thread is called from this address: find the library that the caller is
 * linked with. True: it is another one. */
bool ork_library_choose(const void *address);

/* MPI_Init has returned MPI_SUCCESS: tell the leaf if the library is another one, or if this
 * process came up alone although the launcher started several. True: one of these. */
bool ork_library_started(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI library that a program is linked with. */
#ifndef ORK_MUSTRUN_LAUNCHER_LIBRARY_H
#define ORK_MUSTRUN_LAUNCHER_LIBRARY_H

#include "mustrun/launcher/paths.h"

/* Lines for people: the library that the dynamic linker finds for this program, and what the
 * interceptor makes of it. The program itself is not run. The caller frees them; NULL: it is not
 * known (it is opened later, or on other nodes only), or out of memory. */
char *ork_library_describe(const char *program, const struct ork_paths *paths);

/* Its path, as the dynamic linker finds it on this node. As above. */
char *ork_library_path(const char *program);

#endif

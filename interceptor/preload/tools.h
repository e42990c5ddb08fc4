/* SPDX-License-Identifier: BSD-3-Clause */
/* Other tools in this process, which use the profiling interface of MPI-3.1 section 14.2: they
 * define MPI_X, and call the library by PMPI_X. */
#ifndef ORK_TOOLS_H
#define ORK_TOOLS_H

#include "interceptor/preload/preload.h"

/* The function of this name, such as "MPI_Send", that the program would call without the preload
 * file, if it belongs to such a tool, whose own calls pass through the entries. NULL: it does not.
 */
ork_function ork_tool_function(const char *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The transport between nodes is a module, opened at run time: must-tool itself needs no MPI. */
#ifndef ORK_OVERLAY_TOOL_TRANSPORT_MODULE_H
#define ORK_OVERLAY_TOOL_TRANSPORT_MODULE_H

#include "overlay/tool/transport.h"

/* The function in a module. */
#define ORK_TRANSPORT_CREATE "ork_transport_mpi_create"

/* As ork_transport_mpi_create(), by a module for the MPI library of the launcher, in the folder of
 * this program: must-tool-NAME.so ("mpi", "mpich"), or must-tool-abi.so, if `library` has only the
 * standard ABI in common with it. `library`: where the library may be; NULL: unknown. ORK_NOTFOUND
 * (logged): there is no such module here, or it cannot be loaded. */
enum ork_status ork_transport_module_create(const char *name, const char *library, uint32_t fanin,
                                            struct ork_transport **out);

#endif

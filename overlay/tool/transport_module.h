/* SPDX-License-Identifier: BSD-3-Clause */
/* The transport between nodes is a module, opened at run time: must-tool itself needs no MPI. */
#ifndef ORK_OVERLAY_TOOL_TRANSPORT_MODULE_H
#define ORK_OVERLAY_TOOL_TRANSPORT_MODULE_H

#include "overlay/tool/transport.h"

/* The module, in the folder of this program, and the function in it. */
#define ORK_TRANSPORT_MODULE "must-tool-mpi.so"
#define ORK_TRANSPORT_CREATE "ork_transport_mpi_create"

/* As ork_transport_mpi_create(). ORK_NOTFOUND (logged): there is no such module here, or it cannot
 * be loaded. */
enum ork_status ork_transport_module_create(uint32_t fanin, struct ork_transport **out);

#endif

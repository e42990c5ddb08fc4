/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a tool job on several nodes: a module of its own (transport_module.h). No other part
 * of the overlay uses MPI. */
#ifndef ORK_OVERLAY_TOOL_TRANSPORT_MPI_H
#define ORK_OVERLAY_TOOL_TRANSPORT_MPI_H

#include "overlay/tool/transport.h"

/* Join the tool job (MPI_Init) and find the place in the tree. ORK_NOMEM, ORK_IO (logged). After
 * ork_transport_destroy(), no MPI function may be called. */
enum ork_status ork_transport_mpi_create(uint32_t fanin, struct ork_transport **out);

#endif

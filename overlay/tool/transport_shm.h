/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool processes of one node: each forks its children and shares memory with each of them. */
#ifndef ORK_OVERLAY_TOOL_TRANSPORT_SHM_H
#define ORK_OVERLAY_TOOL_TRANSPORT_SHM_H

#include "overlay/tool/transport.h"

/* Become `processes` processes, at least 2: returns in each of them, with its place in the tree.
 * The caller has no threads, and nothing that must not be there twice. A process ends when its
 * parent does, whatever ends that. ORK_NOMEM, ORK_IO (logged): in this process, which must end
 * then. */
enum ork_status ork_transport_shm_create(uint32_t processes, uint32_t fanin,
                                         struct ork_transport **out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a tool process runs: on cores that the ranks of its node are not bound to, if there are
 * any; else anywhere. */
#ifndef ORK_OVERLAY_TOOL_CPU_BINDING_H
#define ORK_OVERLAY_TOOL_CPU_BINDING_H

#include "common/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Bind this process to the processors that are not used by processes `pid` and all others that the
 * same daemons of the launcher started, which other tool processes may serve. *processors: how
 * many; 0: none, so it may use all that it might use at the first call. ORK_NOTFOUND: these are not
 * known. */
enum ork_status ork_cpu_binding_beside(const uint32_t *pid, uint32_t count, unsigned *processors);

/* Can this process compute without taking a processor from another one? Yes if it is bound to its
 * own, or if no more threads of the machine can run than there are processors. A look: what runs a
 * moment later is not known. */
bool ork_cpu_binding_has_idle(void);

#endif

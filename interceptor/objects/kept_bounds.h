/* SPDX-License-Identifier: BSD-3-Clause */
/* The bounds of communicators that the process has asked the library for, by number, until the
 * communicator is freed (bounds.h). All with the recorder's lock. */
#ifndef ORK_KEPT_BOUNDS_H
#define ORK_KEPT_BOUNDS_H

#include "interceptor/objects/bounds.h"

/* Does nothing if there is no memory: then the library is asked again. */
void ork_bounds_keep(uint32_t number, const struct ork_comm_bounds *bounds);
/* NULL: none are kept. Valid until others are kept or forgotten. */
const struct ork_comm_bounds *ork_bounds_kept_of(uint32_t number);
/* The communicator with this number was freed. */
void ork_bounds_forget(uint32_t number);

#endif

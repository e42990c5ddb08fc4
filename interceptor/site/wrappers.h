/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that have the name of a function of MPI, and are not the library's own: those of its
 * language layers, and those of other tools (MPI-3.1 section 14.2), which may be linked into the
 * program. */
#ifndef ORK_WRAPPERS_H
#define ORK_WRAPPERS_H

#include "record/calls.h"

#include <stdint.h>

/* The function of MPI whose name a symbol has, in C or Fortran. ORK_CALL_MAX: none that has a hook.
 */
enum ork_call_id ork_call_named(const char *symbol);

/* The callers of hooks that may be in such functions, see site.h: ork_site_add_caller(),
 * ork_find_above_tool(), ork_site_resolve(). */

#endif

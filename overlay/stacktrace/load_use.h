/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program does with the value that a load has read, from its machine code: a rank may wait
 * for a value in its memory, and then the load decides a branch. docs/explanation/one-sided.md says
 * how. */
#ifndef ORK_OVERLAY_STACKTRACE_LOAD_USE_H
#define ORK_OVERLAY_STACKTRACE_LOAD_USE_H

#include "common/status.h"

#include <stdint.h>

struct ork_load_uses;

/* The later ones include the earlier ones. */
enum ork_load_use {
    ORK_LOAD_IS_TAKEN, /* whatever its value is, the program goes on in the same way: no branch in a
                        * loop round it or round its callers depends on it */
    ORK_LOAD_DECIDES,  /* it is in a loop, after which a branch or a result depends on it */
    ORK_LOAD_REPEATS,  /* the program may load until it sees a value, or look once whether it has
                        * come; or that is not known */
};

/* ORK_NOMEM. */
enum ork_status ork_load_uses_create(struct ork_load_uses **out);
/* NULL is allowed. */
void ork_load_uses_destroy(struct ork_load_uses *uses);

/* Of the load that follows the instrumenting call whose return address is virtual address `address`
 * of the file `path`. Each function of the file is read once. ORK_LOAD_REPEATS, too, if memory is
 * short. */
enum ork_load_use ork_load_uses_find(struct ork_load_uses *uses, const char *path,
                                     uint64_t address);

#endif

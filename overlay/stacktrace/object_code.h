/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of an ELF file and who calls them (libelf). All addresses are virtual ones of the
 * file. */
#ifndef ORK_OVERLAY_STACKTRACE_OBJECT_CODE_H
#define ORK_OVERLAY_STACKTRACE_OBJECT_CODE_H

#include "overlay/stacktrace/load_flow.h"

struct ork_object;

struct ork_function {
    struct ork_code code;
    const char *name; /* of the object */
};

/* NULL: it cannot be read, or memory is short. Its symbols must be there. */
struct ork_object *ork_object_open(const char *path);
/* NULL is allowed. */
void ork_object_close(struct ork_object *object);

/* The function that contains the address. False: none does. */
bool ork_object_function(const struct ork_object *object, uint64_t address,
                         struct ork_function *function);

/* Where the function may be called, or jumped to: addresses of what look like such instructions,
 * all that there are and maybe others. False: others may call it, or there are more than `room`. */
bool ork_object_calls(const struct ork_object *object, const struct ork_function *function,
                      uint64_t *call, uint32_t room, uint32_t *calls);

#endif

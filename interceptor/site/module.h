/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded files: the kind of caller that their code is, and their MODULE records. */
#ifndef ORK_MODULE_H
#define ORK_MODULE_H

#include "interceptor/site/site.h"

struct ork_module {
    enum ork_caller caller;
    uint32_t id;    /* of the MODULE record, from 1 */
    uintptr_t base; /* load address: dlpi_addr of dl_iterate_phdr(3) */
    char *path;
};

/* The kind of caller at this address; stores nothing. */
enum ork_caller ork_module_caller(uintptr_t address);

/* The same for a return address, with the name of the function that it is in; NULL: not in the
 * table of symbols that the dynamic linker has. */
enum ork_caller ork_module_function(uintptr_t address, const char **symbol);

/* The module that contains the address, entered with its MODULE record (not published) if it is
 * new. The lock of the sites is held. NULL: no loaded file, or out of memory. Stays valid. */
const struct ork_module *ork_module_of(uintptr_t address);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that contain an address, from a file's debug information. */
#ifndef ORK_OVERLAY_STACKTRACE_STACK_FUNCTIONS_H
#define ORK_OVERLAY_STACKTRACE_STACK_FUNCTIONS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <stdbool.h>
#include <stdint.h>

/* Inlined calls that are shown. */
enum { ORK_INLINED_MAX = 32 };

/* Innermost first; all but the last are inlined. */
struct ork_functions {
    Dwarf_Die die[ORK_INLINED_MAX];
    uint32_t count;
};

/* What was read of one file; NULL at first. */
struct ork_function_lists;

void ork_function_lists_destroy(struct ork_function_lists *lists);

/* The compilation unit of an address; NULL: unknown. */
Dwarf_Die *ork_function_unit(Dwfl_Module *module, Dwarf_Addr pc, Dwarf_Addr *bias);

/* The functions that contain the address; none if they are unknown. False: out of memory. */
bool ork_function_lists_find(struct ork_function_lists **lists, Dwfl_Module *module, Dwarf_Addr pc,
                             struct ork_functions *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses in files to source lines, by libdw (DWARF), offline: the process may have ended. */
#ifndef ORK_OVERLAY_STACKTRACE_SYMBOLS_H
#define ORK_OVERLAY_STACKTRACE_SYMBOLS_H

#include "common/status.h"
#include "report/report.h"

struct ork_symbols;

enum ork_status ork_symbols_create(struct ork_symbols **out);
/* NULL is allowed. */
void ork_symbols_destroy(struct ork_symbols *symbols);

/* Fill function, file and line of *where (caller's strings) from the call whose return address is
 * virtual address `address` of the file `path`. What is unknown stays unchanged. ORK_NOMEM,
 * ORK_NOTFOUND (no such file, or no such address in it). */
enum ork_status ork_symbols_find(struct ork_symbols *symbols, const char *path, uint64_t address,
                                 struct ork_where *where);

/* The same of the function into which the call is inlined, `depth` times; 0: its own function.
 * ORK_NOTFOUND also if it is not. */
enum ork_status ork_symbols_find_outer(struct ork_symbols *symbols, const char *path,
                                       uint64_t address, uint32_t depth, struct ork_where *where);

#endif

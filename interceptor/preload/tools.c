/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/tools.h"

#include "interceptor/preload/chosen.h"
#include "interceptor/preload/real_dlsym.h"
#include "interceptor/preload/symbols.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

static const struct link_map *file_of(ork_function function)
{
    const void *address;

    memcpy(&address, &function, sizeof(address));
    return ork_file_of(address);
}

/* What a file defines and names. */
struct named {
    unsigned wrappers;  /* functions MPI_X that it defines */
    unsigned passed_on; /* of these, those whose PMPI_X it names */
    bool profiling;     /* it names a PMPI_X of any function */
    bool lookup;        /* it names dlsym(), by which it may find functions of the library itself */
};

static bool is_wrapper(const struct ork_symbols *s, uint32_t i)
{
    const char *name = ork_symbol_name(s, i);

    return !ork_symbol_is_undefined(s, i) && strncmp(name, "MPI_", 4) == 0 &&
           isupper((unsigned char)name[4]) && islower((unsigned char)name[5]);
}

static bool defines(const struct ork_symbols *s, const char *name)
{
    for (uint32_t i = 1; i < s->count; i++) {
        if (is_wrapper(s, i) && strcmp(ork_symbol_name(s, i), name) == 0)
            return true;
    }
    return false;
}

static struct named names_of(const struct link_map *file)
{
    struct named named = {.wrappers = 0};
    struct ork_symbols s;

    ork_symbols_read(file->l_ld, &s);
    for (uint32_t i = 1; i < s.count; i++) {
        const char *name = ork_symbol_name(&s, i);
        named.wrappers += is_wrapper(&s, i);
        if (!ork_symbol_is_undefined(&s, i))
            continue;
        if (ork_is_profiling_name(name)) {
            named.profiling = true;
            named.passed_on += defines(&s, name + 1);
        }
        named.lookup |= strcmp(name, "dlsym") == 0 || strcmp(name, "dlvsym") == 0;
    }
    return named;
}

/* Do the calls of a tool pass through the entries? RATIONALE: a tool that looks functions up may go
 * on to those of the library, and then its calls would not be seen. It may name some PMPI_X all the
 * same, which it calls for itself; and one that does not look up need not call PMPI_X in its MPI_X,
 * as for MPI_Pcontrol. */
static bool passes_entries(const struct link_map *file)
{
    struct named named = names_of(file);

    return named.profiling && (!named.lookup || 2 * named.passed_on > named.wrappers);
}

/* The same with the latest answer, which is the lowest bit of the address that it belongs to. */
static bool is_tool(const struct link_map *file)
{
    static _Atomic uintptr_t latest;
    uintptr_t known = atomic_load(&latest);

    if ((known & ~(uintptr_t)1) != (uintptr_t)file) {
        known = (uintptr_t)file | passes_entries(file);
        atomic_store(&latest, known);
    }
    return (known & 1) != 0;
}

ork_function ork_tool_function(const char *name)
{
    ork_function function = ork_preload_next(name);
    const struct link_map *file = file_of(function);

    return file != NULL && !ork_preload_is_library(file) && is_tool(file) ? function : NULL;
}

/* RATIONALE: if the program has opened its MPI library, no tool can come before it. */
bool ork_preload_has_tool(const char *symbol)
{
    static const char here;
    const struct link_map *first = ork_file_of(ork_dlsym(RTLD_DEFAULT, symbol));

    return (first != NULL && first != ork_file_of(&here)) || ork_tool_function(symbol) != NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/tools.h"

#include "interceptor/preload/chosen.h"
#include "interceptor/preload/symbols.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const struct link_map *file_of(ork_function function)
{
    const void *address;

    memcpy(&address, &function, sizeof(address));
    return ork_file_of(address);
}

/* What a file names of the functions of others. */
struct named {
    bool profiling; /* PMPI_X, of any function */
    bool this_one;  /* of this function */
    bool lookup;    /* dlsym(), by which it may find functions of the library itself */
};

static struct named names_of(const struct link_map *file, const char *profiling_name)
{
    struct named named = {false};
    struct ork_symbols s;

    ork_symbols_read(file->l_ld, &s);
    for (uint32_t i = 1; i < s.count; i++) {
        const char *name = ork_symbol_name(&s, i);
        if (!ork_symbol_is_undefined(&s, i))
            continue;
        named.profiling |= ork_is_profiling_name(name);
        named.this_one |= strcmp(name, profiling_name) == 0;
        named.lookup |= strcmp(name, "dlsym") == 0 || strcmp(name, "dlvsym") == 0;
    }
    return named;
}

/* RATIONALE: a tool need not call PMPI_X in its MPI_X, as for MPI_Pcontrol. But if it can look
 * functions up, it may go on to that of the library, and its call would not be seen. */
ork_function ork_tool_function(const char *name)
{
    ork_function function = ork_preload_next(name);
    const struct link_map *file = file_of(function);
    char profiling_name[128];

    if (file == NULL || ork_preload_is_library(file))
        return NULL;
    snprintf(profiling_name, sizeof(profiling_name), "P%s", name);
    struct named named = names_of(file, profiling_name);
    return named.this_one || (named.profiling && !named.lookup) ? function : NULL;
}

/* RATIONALE: if the program has opened its MPI library, no tool can come before it. */
bool ork_preload_has_tool(const char *symbol)
{
    static const char here;
    const struct link_map *first = ork_file_of(dlsym(RTLD_DEFAULT, symbol));

    return (first != NULL && first != ork_file_of(&here)) || ork_tool_function(symbol) != NULL;
}

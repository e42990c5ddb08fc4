/* SPDX-License-Identifier: BSD-3-Clause */
/* From the linker's symbols to names in the source: Fortran by the rules of gfortran, C++ by the
 * C++ library, if available. */
#include "overlay/stacktrace/stack_internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_function(const char *symbol, char *buffer, size_t *size, int *status);

/* RATIONALE: loaded on demand, because a tool in C does not depend on the C++ library. */
static char *of_cplusplus(const char *symbol)
{
    demangle_function *demangle = NULL;
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    void *function = library != NULL ? dlsym(library, "__cxa_demangle") : NULL;
    char *name = NULL;
    int status = 0;

    memcpy(&demangle, &function, sizeof(demangle));
    if (demangle != NULL)
        name = demangle(symbol, NULL, NULL, &status);
    if (library != NULL)
        dlclose(library);
    return name;
}

static bool is_lower_case(const char *name, size_t length)
{
    return length > 0 && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") >= length;
}

/* "__mod_MOD_sub" */
static char *of_module_procedure(const char *symbol, size_t length)
{
    const char *middle = strstr(symbol, "_MOD_");
    char *name = NULL;

    if (strncmp(symbol, "__", 2) != 0 || middle == NULL)
        return NULL;
    const char *procedure = middle + strlen("_MOD_");
    size_t module = (size_t)(middle - symbol) - 2;
    if (procedure >= symbol + length || !is_lower_case(symbol + 2, module))
        return NULL;
    if (asprintf(&name, "%.*s::%.*s", (int)module, symbol + 2,
                 (int)(length - (size_t)(procedure - symbol)), procedure) < 0)
        return NULL;
    return name;
}

char *ork_symbol_source_name(const char *symbol)
{
    size_t length = strcspn(symbol, "."); /* ".constprop.0" and the like: clones */
    char *name = strncmp(symbol, "_Z", 2) == 0 ? of_cplusplus(symbol) : NULL;

    if (length == 0) /* only a suffix */
        length = strlen(symbol);
    if (name == NULL)
        name = of_module_procedure(symbol, length);
    if (name != NULL)
        return name;
    if (length > 1 && symbol[length - 1] == '_' && symbol[length - 2] != '_' &&
        is_lower_case(symbol, length))
        length--;
    return strndup(symbol, length);
}

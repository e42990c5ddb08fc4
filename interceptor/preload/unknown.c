/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/unknown.h"

#include "interceptor/preload/chosen.h"
#include "interceptor/preload/entries.h"
#include "interceptor/preload/symbols.h"

#include <ctype.h>
#include <link.h>
#include <string.h>

/* Functions of interceptor/spec/newer.mpi that do not pass through the tool. */
static const char *const left[] = {
#define ORK_LEFT(name) #name,
#include "left.def"
#undef ORK_LEFT
};

static bool is_left(const char *name)
{
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        if (strcmp(left[i], name) == 0)
            return true;
    }
    return false;
}

/* Is it the name of a function of C? RATIONALE: those of constants, callbacks and functions of
 * Fortran are in capitals; and the tool information interface (MPI-3.1 section 14.3) does not
 * communicate. */
static bool is_function(const char *name)
{
    const char *rest = strncmp(name, "MPI_", 4) == 0    ? name + 4
                       : strncmp(name, "MPIX_", 5) == 0 ? name + 5
                                                        : "";

    return isupper((unsigned char)rest[0]) && islower((unsigned char)rest[1]);
}

/* May it be one that the tool does not know? It also has to be one of the library. */
static bool is_candidate(const char *symbol)
{
    const char *name = symbol + (symbol[0] == 'P');

    return is_function(name) && !ork_has_entry(symbol) && !is_left(name);
}

/* Candidates of all files: what is left to skip, and then the next one. */
struct search {
    uint32_t skip;
    const char *name;
};

static void search_file(const struct ork_symbols *s, struct search *search)
{
    for (uint32_t i = 1; i < s->count && search->name == NULL; i++) {
        const char *name = ork_symbol_name(s, i);
        if (ork_symbol_is_undefined(s, i) && is_candidate(name) && search->skip-- == 0)
            search->name = name;
    }
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;

    (void)size;
    for (unsigned i = 0; ork_is_of_program(info) && i < info->dlpi_phnum; i++) {
        struct ork_symbols s;
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        ork_symbols_read((const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), &s);
        search_file(&s, search);
    }
    return search->name != NULL; /* ends the search */
}

/* RATIONALE: the library is asked outside of look_at(), because dlsym() takes a lock that dlopen()
 * in another thread has while it waits for that of dl_iterate_phdr(). */
const char *ork_preload_unknown(void)
{
    for (uint32_t i = 0;; i++) {
        struct search search = {.skip = i};
        dl_iterate_phdr(look_at, &search);
        if (search.name == NULL || ork_preload_library(search.name) != NULL)
            return search.name;
    }
}

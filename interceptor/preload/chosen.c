/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files do not tell an MPI library: libmpi.so.0 is one of several families, and there are
 * layers that translate between them. So the library is the file that has the functions, and its
 * family is told by what it exports and says. */
#include "interceptor/preload/chosen.h"

#include "interceptor/preload/real_dlsym.h"
#include "interceptor/preload/symbols.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What MPI_Get_library_version may need: MPICH's length is the longest one. */
enum { VERSION_MAX = 8192 };

static struct ork_chosen chosen;

const struct ork_chosen *ork_chosen(void)
{
    return &chosen;
}

struct link_map *ork_file_of(const void *address)
{
    Dl_info info;
    struct link_map *file = NULL;

    if (address == NULL || dladdr1(address, &info, (void **)&file, RTLD_DL_LINKMAP) == 0)
        return NULL;
    return file;
}

void *ork_symbol_of(const struct link_map *file, void *handle, const char *symbol)
{
    void *found = ork_dlsym(handle, symbol);

    return found != NULL && ork_file_of(found) == file ? found : NULL;
}

const struct link_map *ork_own_file(void)
{
    return ork_file_of(&chosen);
}

/* A handle of a loaded file, which stays loaded. NULL: of the tool's own. RATIONALE: the executable
 * has no name. */
static void *handle_of(const struct link_map *file)
{
    if (file == NULL || file == ork_own_file())
        return NULL;
    return dlopen(file->l_name[0] != '\0' ? file->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
}

void *ork_own_handle(void)
{
    return dlopen(ork_own_file()->l_name, RTLD_LAZY | RTLD_NOLOAD);
}

static ork_function to_function(void *symbol)
{
    ork_function function;

    memcpy(&function, &symbol, sizeof(function)); /* as POSIX has it for functions */
    return function;
}

ork_function ork_preload_next(const char *symbol)
{
    int saved = errno;
    void *found = ork_dlsym(RTLD_NEXT, symbol);

    errno = saved;
    return to_function(found);
}

static struct link_map *file_with(const char *symbol, const char *other);

/* RATIONALE: the library below a layer calls its own functions by such names. */
static void *below_layer(const char *symbol)
{
    struct link_map *file = chosen.is_layer ? file_with(symbol, symbol) : NULL;
    void *handle = file != NULL ? dlopen(file->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;

    return handle != NULL ? ork_dlsym(handle, symbol) : NULL;
}

/* RATIONALE: some libraries have few functions without their profiling names; then these are the
 * same function. */
ork_function ork_preload_library(const char *symbol)
{
    void *found = chosen.handle != NULL ? ork_dlsym(chosen.handle, symbol) : NULL;

    if (found == NULL && chosen.handle != NULL && ork_is_profiling_name(symbol)) {
        found = below_layer(symbol);
        if (found == NULL)
            found = ork_dlsym(chosen.handle, symbol + 1);
    }
    return to_function(found);
}

void *ork_preload_of_caller(const char *symbol, const void *caller)
{
    void *handle = handle_of(ork_file_of(caller));
    void *found = handle != NULL ? ork_dlsym(handle, symbol) : NULL;

    if (handle != NULL)
        dlclose(handle);
    return ork_file_of(found) != ork_own_file() ? found : NULL;
}

/* A function of this name in a file of the program; NULL: it is the library's, the tool's, or there
 * is none. */
static ork_function of_program(void *found)
{
    struct link_map *file = ork_file_of(found);

    return file == NULL || file == ork_own_file() || ork_preload_is_library(file)
               ? NULL
               : to_function(found);
}

ork_function ork_preload_of_program(const char *symbol, const void *caller)
{
    void *next = ork_dlsym(RTLD_NEXT, symbol);

    return of_program(next != NULL ? next : ork_preload_of_caller(symbol, caller));
}

bool ork_preload_is_library(const struct link_map *file)
{
    return file != NULL && file == chosen.file;
}

/* ---- the library ---- */

/* A function that each library has. RATIONALE: tools define MPI_X, and some of them also PMPI_X, of
 * functions that they measure. */
#define OF_LIBRARY "PMPI_Get_library_version"

static void *function_of_library(void *handle)
{
    void *symbol = handle != NULL ? ork_dlsym(handle, OF_LIBRARY) : NULL;

    return symbol != NULL && ork_file_of(symbol) != ork_own_file() ? symbol : NULL;
}

/* That of a file that was opened later (an extension of Python), among the files that it needs. The
 * executable's is what comes next in the search order. */
static struct link_map *library_of(const void *caller)
{
    const struct link_map *file = ork_file_of(caller);
    void *handle = file != NULL && file->l_name[0] != '\0' ? handle_of(file) : NULL;
    struct link_map *found = ork_file_of(function_of_library(handle));

    if (handle != NULL)
        dlclose(handle);
    return found;
}

/* The name of a loaded file: number i, from 0. */
struct search {
    unsigned i;
    char *path;
};

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;

    (void)size;
    if (search->i-- > 0)
        return 0;
    search->path = strdup(info->dlpi_name);
    return 1; /* ends the search */
}

bool ork_defines(const struct link_map *file, const char *symbol)
{
    void *handle = handle_of(file);
    bool found = handle != NULL && ork_symbol_of(file, handle, symbol) != NULL;

    if (handle != NULL)
        dlclose(handle);
    return found;
}

bool ork_is_mpi(const struct link_map *file)
{
    return ork_defines(file, "MPI_Init") && ork_defines(file, OF_LIBRARY);
}

/* The file, if it defines both symbols itself. */
static struct link_map *file_at(const char *path, const char *symbol, const char *other)
{
    void *handle = path[0] != '\0' ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    struct link_map *file = NULL;
    bool found = handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &file) == 0 &&
                 ork_defines(file, symbol) && ork_defines(file, other);

    if (handle != NULL)
        dlclose(handle);
    return found ? file : NULL;
}

/* The first loaded file of which this is true; NULL: none. */
static struct link_map *file_with(const char *symbol, const char *other)
{
    struct link_map *found = NULL;

    for (unsigned i = 0; found == NULL; i++) {
        struct search search = {.i = i};
        dl_iterate_phdr(look_at, &search);
        if (search.path == NULL)
            break;
        found = file_at(search.path, symbol, other);
        free(search.path);
    }
    return found;
}

static struct link_map *any_library(void)
{
    return file_with("MPI_Init", OF_LIBRARY);
}

bool ork_loaded_mpi_has(const char *symbol)
{
    const struct link_map *file = chosen.file != NULL ? chosen.file : any_library();
    void *handle = handle_of(file);
    bool found = handle != NULL && ork_dlsym(handle, symbol) != NULL;

    if (handle != NULL)
        dlclose(handle);
    return found;
}

/* A file that translates the calls of the program for the library of another ABI, which it opens
 * itself, also before its own MPI_Init. RATIONALE: a tool that profiles calls PMPI_X. */
static struct link_map *layer(void)
{
    struct link_map *file = ork_file_of(ork_dlsym(RTLD_NEXT, "MPI_Init"));

    return file != NULL && ork_symbols_name_profiling(file->l_ld) ? NULL : file;
}

static void read_soname(const struct link_map *file, char *out, size_t room)
{
    const char *strings = NULL;
    const ElfW(Dyn) *name = NULL;

    for (const ElfW(Dyn) *d = file->l_ld; d != NULL && d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_STRTAB) /* the dynamic linker has made an address of it */
            strings = (const char *)d->d_un.d_ptr;
        else if (d->d_tag == DT_SONAME)
            name = d;
    }
    snprintf(out, room, "%s", strings != NULL && name != NULL ? strings + name->d_un.d_val : "");
}

/* ---- the family ---- */

/* RATIONALE: the C functions have no other prototypes in any library. */
typedef int get_version(char *text, int *length);

void ork_preload_version(char *out, size_t room)
{
    static char text[VERSION_MAX + 1];
    get_version *get = (get_version *)ork_preload_library("MPI_Get_library_version");
    int length = 0;
    size_t n = 0;

    out[0] = '\0';
    if (get == NULL || get(text, &length) != 0)
        return;
    text[VERSION_MAX] = '\0';
    for (const char *c = text; *c != '\0' && *c != '\n' && *c != ',' && n + 1 < room; c++) {
        bool is_blank = *c == ' ' || *c == '\t';
        if (!is_blank || (n > 0 && out[n - 1] != ' '))
            out[n++] = is_blank ? ' ' : *c;
    }
    out[n] = '\0';
}

/* The version of the standard ABI that the library has; not above 0: none. RATIONALE: a library
 * with an ABI of its own may have this function and answer -1. */
static int standard_abi(void)
{
    typedef int get_abi(int *major, int *minor);
    get_abi *get = (get_abi *)ork_preload_library("MPI_Abi_get_version");
    int major = -1;
    int minor = -1;

    return get != NULL && get(&major, &minor) == 0 ? major : -1;
}

static enum ork_family find_family(void)
{
    static const struct {
        const char *begin;
        enum ork_family family;
    } known[] = {
        {"Open MPI", ORK_FAMILY_OPENMPI}, {"MPICH", ORK_FAMILY_MPICH},
        {"CRAY MPICH", ORK_FAMILY_MPICH}, {"Intel(R) MPI", ORK_FAMILY_MPICH},
        {"MVAPICH", ORK_FAMILY_MPICH},
    };
    char version[64];
    int abi = chosen.is_layer ? -1 : standard_abi();

    if (chosen.is_layer || abi > 1)
        return ORK_FAMILY_UNKNOWN;
    if (abi == 1)
        return ORK_FAMILY_ABI;
    ork_preload_version(version, sizeof(version));
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strncmp(version, known[i].begin, strlen(known[i].begin)) == 0)
            return known[i].family;
    }
    return ORK_FAMILY_UNKNOWN;
}

bool ork_chosen_find(const void *caller)
{
    struct link_map *file = library_of(caller);

    if (file == NULL)
        file = ork_file_of(ork_dlsym(RTLD_NEXT, OF_LIBRARY));
    if (file == NULL) {
        file = layer();
        chosen.is_layer = file != NULL;
    }
    if (file == NULL)
        file = any_library();
    if (file == NULL)
        return false;
    chosen.file = file;
    chosen.handle = handle_of(file);
    if (chosen.handle == NULL)
        return false;
    read_soname(file, chosen.soname, sizeof(chosen.soname));
    chosen.family = find_family();
    return true;
}

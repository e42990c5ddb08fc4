/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/library.h"

#include "interceptor/ring/attach.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"
#include "record/unseen.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* What MPI_Get_library_version may need: MPICH's length is the longest one. */
enum { VERSION_MAX = 8192 };

bool ork_library_is_other;

/* ---- which one ---- */

/* The file that contains this function or data; NULL: none. */
static struct link_map *file_of(const void *address)
{
    Dl_info info;
    struct link_map *map = NULL;

    if (address == NULL || dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
        return NULL;
    return map;
}

/* MPI_Init of the caller's library. RATIONALE: the executable's is what comes next in the search
 * order. A file that was opened later (a Python extension) has its own, among those that it needs,
 * and may be invisible in that order. */
static void *find_init(const void *address, void **handle)
{
    const struct link_map *caller = file_of(address);

    *handle = caller != NULL && caller->l_name[0] != '\0'
                  ? dlopen(caller->l_name, RTLD_LAZY | RTLD_NOLOAD)
                  : NULL;
    void *symbol = *handle != NULL ? dlsym(*handle, "PMPI_Init") : NULL;
    if (*handle != NULL)
        dlclose(*handle); /* it stays mapped: it calls us */
    if (symbol != NULL && file_of(symbol) != file_of(&ork_library_is_other))
        return symbol;
    *handle = NULL;
    return dlsym(RTLD_NEXT, "PMPI_Init");
}

bool ork_library_choose(const void *address)
{
    void *handle;
    const struct link_map *found = file_of(find_init(address, &handle));

    if (ork_library_is_other || found == NULL || ork_library_is_known(found->l_name))
        return ork_library_is_other;
    /* RATIONALE: what was found before, such as MPI_Initialized, may be of the library that this
     * file brings with it. */
    ork_next_use(handle);
    ork_library_is_other = true;
    return true;
}

/* ---- what the leaf is told ---- */

/* The first line of the version, with single blanks: "MPICH Version: 4.0.2". */
static void read_version(char *out, size_t room)
{
    static char text[VERSION_MAX + 1];
    typedef int get_version(char *, int *);
    get_version *get = (get_version *)ork_next_find("PMPI_Get_library_version");
    int length = 0;
    size_t n = 0;

    out[0] = '\0';
    if (get == NULL || get(text, &length) != MPI_SUCCESS)
        return;
    text[VERSION_MAX] = '\0';
    for (const char *c = text; *c != '\0' && *c != '\n' && *c != ',' && n + 1 < room; c++) {
        bool is_blank = *c == ' ' || *c == '\t';
        if (!is_blank || (n > 0 && out[n - 1] != ' '))
            out[n++] = is_blank ? ' ' : *c;
    }
    out[n] = '\0';
}

/* RATIONALE: handles are numbers in MPICH and the libraries made of it, and have these values in
 * all of them. Of others we know none. */
static bool find_world(const char *version, uintptr_t *world)
{
    static const char *const family[] = {"MPICH", "CRAY MPICH", "Intel(R) MPI", "MVAPICH"};

    if (!ork_library_is_other) {
        *world = (uintptr_t)MPI_COMM_WORLD;
        return true;
    }
    for (size_t i = 0; i < sizeof(family) / sizeof(family[0]); i++) {
        if (strncmp(version, family[i], strlen(family[i])) == 0) {
            *world = 0x44000000;
            return true;
        }
    }
    return false;
}

/* 0: unknown. */
static int size_of_world(const char *version)
{
    typedef int get_size(uintptr_t, int *);
    get_size *get = (get_size *)ork_next_find("PMPI_Comm_size");
    uintptr_t world;
    int size = 0;

    return get != NULL && find_world(version, &world) && get(world, &size) == MPI_SUCCESS ? size
                                                                                          : 0;
}

static bool is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;

    ORK_NEXT(MPI_Comm_get_parent)(&parent);
    return parent != MPI_COMM_NULL;
}

bool ork_library_started(void)
{
    struct ork_unseen what = {.why = ORK_UNSEEN_LIBRARY, .launched = ork_library_launched()};

    if (!ork_library_is_other) {
        if (what.launched <= 1 || size_of_world("") != 1 || is_spawned())
            return false;
        what.why = ORK_UNSEEN_ALONE;
    }
    read_version(what.library, sizeof(what.library));
    what.is_alone = what.launched > 1 && size_of_world(what.library) == 1;
    ork_attach_tell_unseen(&what);
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/other.h"

#include "interceptor/preload/attach.h"
#include "interceptor/preload/chosen.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef int init(int *argc, char ***argv);
typedef int init_thread(int *argc, char ***argv, int required, int *provided);

/* MPI_COMM_WORLD of the library, as an argument. RATIONALE: a number in the libraries made of
 * MPICH, and the same in all of them; another one in the standard ABI. Of unknown libraries we know
 * none. */
static bool find_world(uintptr_t *world)
{
    enum { WORLD_OF_MPICH = 0x44000000, WORLD_OF_ABI = 0x101 };

    *world = ork_chosen()->family == ORK_FAMILY_ABI ? WORLD_OF_ABI : WORLD_OF_MPICH;
    return ork_chosen()->family == ORK_FAMILY_ABI || ork_chosen()->family == ORK_FAMILY_MPICH;
}

/* 0: unknown. */
static int size_of_world(void)
{
    typedef int get_size(uintptr_t, int *);
    get_size *get = (get_size *)ork_preload_library("PMPI_Comm_size");
    uintptr_t world;
    int size = 0;

    return get != NULL && find_world(&world) && get(world, &size) == 0 ? size : 0;
}

/* RATIONALE: a library may make one of these calls in the other. */
static void tell(void)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;
    int saved = errno;

    if (!atomic_flag_test_and_set(&is_told)) {
        struct ork_unseen what = {.why = ORK_UNSEEN_LIBRARY, .launched = ork_preload_launched()};
        ork_preload_note_init();
        ork_preload_version(what.library, sizeof(what.library));
        what.is_alone = what.launched > 1 && size_of_world() == 1;
        ork_attach_tell_unseen(&what, 0);
    }
    errno = saved;
}

static int other_init(int *argc, char ***argv)
{
    init *real = (init *)ork_preload_library("MPI_Init");
    int result = real(argc, argv);

    if (result == 0)
        tell();
    return result;
}

static int other_init_thread(int *argc, char ***argv, int required, int *provided)
{
    init_thread *real = (init_thread *)ork_preload_library("MPI_Init_thread");
    int result = real(argc, argv, required, provided);

    if (result == 0)
        tell();
    return result;
}

ork_function ork_other_symbol(const char *symbol)
{
    const char *name = symbol + (symbol[0] == 'P');

    if (symbol != name && ork_chosen()->is_layer) /* of the library below it */
        return NULL;
    if (strcmp(name, "MPI_Init") == 0)
        return (ork_function)other_init;
    return strcmp(name, "MPI_Init_thread") == 0 ? (ork_function)other_init_thread : NULL;
}

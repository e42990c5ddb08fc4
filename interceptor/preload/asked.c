/* SPDX-License-Identifier: BSD-3-Clause */
/* mustrun --must:info asks what a rank would choose: in a process of its own that has the MPI
 * library of the program and this file, and nothing of the program. It describes the choice, and
 * ends. */
#include "common/session.h"
#include "interceptor/preload/backend.h"
#include "interceptor/preload/chosen.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *reason(enum ork_family family)
{
    switch (family) {
    case ORK_FAMILY_OPENMPI:
    case ORK_FAMILY_MPICH:
        return "MPI_Get_library_version names it";
    case ORK_FAMILY_ABI:
        return "MPI_Abi_get_version names the standard ABI";
    case ORK_FAMILY_UNKNOWN:
        break;
    }
    return "its ABI is not known";
}

static void describe(void)
{
    char version[64];

    ork_preload_version(version, sizeof(version));
    printf("MPI library: %s (%s): %s\n", ork_chosen()->file->l_name, ork_chosen()->soname, version);
    const char *file = ork_backend_open() ? ork_backend_file() : NULL;
    printf("its calls: %s, as %s\n", file != NULL ? file : "not observed",
           reason(ork_chosen()->family));
}

__attribute__((constructor)) static void answer(void)
{
    if (getenv(ORK_ENV_ASKED) == NULL)
        return;
    if (ork_chosen_find(NULL))
        describe();
    fflush(stdout);
    _exit(0);
}

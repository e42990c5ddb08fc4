/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/launcher.h"

#include <string.h>

static const struct ork_launcher *const launchers[] = {&ork_launcher_srun};

const struct ork_launcher *ork_launcher_of(const char *mpiexec)
{
    const char *slash = strrchr(mpiexec, '/');
    const char *name = slash != NULL ? slash + 1 : mpiexec;

    for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
        if (strcmp(launchers[i]->name, name) == 0)
            return launchers[i];
    }
    return &ork_launcher_mpirun;
}

size_t ork_launcher_appfile(const struct ork_launcher *launcher, const struct ork_argv *words,
                            struct ork_context context, const char *np)
{
    return launcher->appfile != NULL ? launcher->appfile(words, context, np) : 0;
}

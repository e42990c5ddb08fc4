/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/launcher.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ork_launcher *const launchers[] = {&ork_launcher_srun, &ork_launcher_hydra};

/* NULL: none has this name. */
static const struct ork_launcher *find_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;

    for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
        if (strcmp(launchers[i]->name, name) == 0)
            return launchers[i];
    }
    return NULL;
}

/* RATIONALE: mpirun and mpiexec are links to the launcher of the library that a site prefers. */
static const struct ork_launcher *find_file(const char *mpiexec)
{
    struct ork_executable file;
    char target[PATH_MAX];

    ork_executable_inspect(mpiexec, NULL, getenv("PATH"), &file);
    return realpath(file.path, target) != NULL ? find_name(target) : NULL;
}

const struct ork_launcher *ork_launcher_of(const char *mpiexec)
{
    static char asked[PATH_MAX];
    static const struct ork_launcher *known;

    if (known != NULL && strcmp(asked, mpiexec) == 0)
        return known;
    known = find_name(mpiexec);
    if (known == NULL)
        known = find_file(mpiexec);
    if (known == NULL)
        known = &ork_launcher_mpirun;
    snprintf(asked, sizeof(asked), "%s", mpiexec);
    return known;
}

size_t ork_launcher_appfile(const struct ork_launcher *launcher, const struct ork_argv *words,
                            struct ork_context context, const char *np)
{
    return launcher->appfile != NULL ? launcher->appfile(words, context, np) : 0;
}

char *ork_launcher_hint(const struct ork_launcher *launcher, const struct ork_argv *words,
                        const char *np)
{
    return launcher->hint != NULL ? launcher->hint(words, np) : strdup("");
}

/* RATIONALE: when a tool process has died, Open MPI 4.1's daemons complain about their own
 * notification; the root reports what matters. A Slurm without processor binding complains when it
 * is asked to bind to none. */
bool ork_launcher_is_noise(const char *line, size_t size)
{
    static const char *const noise[] = {"PMIX ERROR: ", "lacks support for cpu binding"};

    for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++) {
        if (memmem(line, size, noise[i], strlen(noise[i])) != NULL)
            return true;
    }
    return false;
}

void ork_launcher_learn_leftovers(const struct ork_launcher *launcher, struct ork_leftovers *l,
                                  pid_t pid)
{
    if (launcher->learn_leftovers != NULL)
        launcher->learn_leftovers(l, pid);
}

void ork_launcher_remove_leftovers(const struct ork_launcher *launcher, struct ork_leftovers *l,
                                   pid_t pid)
{
    if (launcher->remove_leftovers != NULL)
        launcher->remove_leftovers(l, pid);
}

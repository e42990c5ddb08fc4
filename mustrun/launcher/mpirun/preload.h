/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloads the interceptor into every process of a job: mpirun's options for that, in each
 * application context. */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_PRELOAD_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_PRELOAD_H

#include "mustrun/launcher/executable.h"
#include "mustrun/launcher/mpirun/mpiopts.h"

struct ork_preload {
    const char *interceptor;
    const char *own; /* the user's LD_PRELOAD, NULL: none */
    const struct ork_extras *extras;
    const char *path;         /* $PATH, to search for programs; NULL: no search */
    struct ork_argv settings; /* further variables, "NAME=value" */
};

/* Append to `out` the words of a command, with the interceptor preloaded in each context. `listed`:
 * the job gets its variables from mca_base_env_list (see ork_preload_is_listed()). */
void ork_preload_command(const struct ork_preload *preload, const struct ork_argv *words,
                         bool listed, struct ork_argv *out);

/* The file of a context's program; of kind ORK_EXECUTABLE_MISSING if the context names none. */
void ork_preload_inspect(const struct ork_argv *words, struct ork_context context,
                         const struct ork_extras *extras, const char *path,
                         struct ork_executable *program);

/* The value to preload if one value counts for all contexts: the interceptor, after the library of
 * AddressSanitizer if one of the programs needs it. The caller frees it; NULL: out of memory. */
char *ork_preload_front(const struct ork_preload *preload, const struct ork_argv *words);

/* Does an option of the command or the value `list` of the environment (NULL: not set) name
 * variables by mca_base_env_list? */
bool ork_preload_is_listed(const struct ork_argv *words, const struct ork_extras *extras,
                           const char *list);

/* The same for an appfile, line by line; returns a file descriptor of the new one, or -1 with errno
 * set. */
int ork_preload_appfile(const struct ork_preload *preload, const char *path, bool listed);

#endif

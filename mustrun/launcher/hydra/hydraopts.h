/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a command of hydra's mpiexec. Pure. */
#ifndef ORK_MUSTRUN_LAUNCHER_HYDRA_HYDRAOPTS_H
#define ORK_MUSTRUN_LAUNCHER_HYDRA_HYDRAOPTS_H

#include "mustrun/launcher/words.h"

/* An option with its arguments. NULL: that argument is missing. */
struct ork_hydra_option {
    const char *word;  /* as it is written: "-np", "--GENV=A=1" */
    const char *first; /* in the same word, behind '=', or the next one */
    const char *second;
    size_t words; /* that it consists of; at least 1 */
};

/* The option that words[0] is. NULL ends the words. */
struct ork_hydra_option ork_hydra_option_of(char *const *words, const struct ork_extras *extras);

/* Is it in the list, or in the other? */
bool ork_hydra_knows(const char *option, const struct ork_extras *extras);

/* Has it this name (without dashes)? */
bool ork_hydra_option_is(const struct ork_hydra_option *option, const char *name);

/* Append the words to `out`, "-np=4" as two. */
void ork_hydra_split(const struct ork_argv *words, const struct ork_extras *extras,
                     struct ork_argv *out);

/* The context that starts at item `first`; it ends at a separator or at the end. */
struct ork_context ork_hydra_context(const struct ork_argv *words, size_t first,
                                     const struct ork_extras *extras);

/* The argument of the last option of a context that has one of these names (NULL ends them), or
 * NULL. */
const char *ork_hydra_find(const struct ork_argv *words, struct ork_context context,
                           const struct ork_extras *extras, const char *const *names);

/* Has any context an option of one of these names? */
bool ork_hydra_has(const struct ork_argv *words, const struct ork_extras *extras,
                   const char *const *names);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands our variables to the ranks of a job of hydra. */
#ifndef ORK_MUSTRUN_LAUNCHER_HYDRA_VARIABLES_H
#define ORK_MUSTRUN_LAUNCHER_HYDRA_VARIABLES_H

#include "mustrun/launcher/words.h"

struct ork_hydra_variables {
    const char *front; /* what comes first in LD_PRELOAD */
    const char *own;   /* the user's LD_PRELOAD, NULL: none */
    const struct ork_extras *extras;
    bool is_kept; /* the environment is not passed on unless an option says so (HYDRA_ENV) */
};

/* Append to `out` the words of a command: first the options that set our variables, then the user's
 * own, in which LD_PRELOAD and lists of variables have ours, too. */
void ork_hydra_variables_command(const struct ork_hydra_variables *variables,
                                 const struct ork_argv *words, struct ork_argv *out);

/* The user's own options in a file of them (-configfile), with ours: the file descriptor of a new
 * file, or -1 with errno set. */
int ork_hydra_variables_file(const struct ork_hydra_variables *variables, const char *path);

#endif

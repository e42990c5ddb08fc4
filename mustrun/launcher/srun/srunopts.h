/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of srun's command line and environment that mustrun needs. Options are read as by
 * getopt_long(): "-n4", "-Qn 4", "--ntasks 4", "--ntasks=4", and unique prefixes of long names.
 * Pure. */
#ifndef ORK_MUSTRUN_LAUNCHER_SRUN_SRUNOPTS_H
#define ORK_MUSTRUN_LAUNCHER_SRUN_SRUNOPTS_H

#include "mustrun/launcher/words.h"

/* Number of words after `token` that belong to it. */
size_t ork_srun_option_args(const char *token, const struct ork_extras *extras);

/* Is it in the list, or in the other? Of letters, all are taken for it. */
bool ork_srun_knows(const char *option, const struct ork_extras *extras);

/* The part of the command up to a separator or the end; see launcher.h. */
struct ork_context ork_srun_context(const struct ork_argv *words, size_t first,
                                    const struct ork_extras *extras);

bool ork_srun_has_program(const struct ork_argv *words, const struct ork_extras *extras);

/* Argument of the last option of that long name; NULL: none has one. */
const char *ork_srun_find(const struct ork_argv *words, const struct ork_extras *extras,
                          const char *name);

/* Is there an option of that long name? */
bool ork_srun_has(const struct ork_argv *words, const struct ork_extras *extras, const char *name);

/* Append to `out` the options that also count for the tool's job. */
void ork_srun_copy_launch_options(const struct ork_argv *words, const struct ork_extras *extras,
                                  struct ork_argv *out);

/* Is this entry "NAME=value" of an environment an option that must not reach the tool's srun? */
bool ork_srun_is_option_variable(const char *entry);

#endif

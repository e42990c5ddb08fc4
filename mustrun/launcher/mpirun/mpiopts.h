/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of mpirun's command line that mustrun needs: the position of the program's name, and
 * the options that choose hosts and launcher. Pure. */
#ifndef ORK_MUSTRUN_LAUNCHER_MPIRUN_MPIOPTS_H
#define ORK_MUSTRUN_LAUNCHER_MPIRUN_MPIOPTS_H

#include "mustrun/launcher/words.h"

/* Number of arguments that option `token` ("-np", "--mca") takes; 0 for an unknown one. */
size_t ork_mpi_option_args(const char *token, const struct ork_extras *extras);

/* Is it in the list, or in the other? */
bool ork_mpi_knows(const char *option, const struct ork_extras *extras);

/* The context that starts at item `first`; it ends at a separator or at the end. */
struct ork_context ork_mpi_context(const struct ork_argv *words, size_t first,
                                   const struct ork_extras *extras);

/* Append the words to `out`, "--np=4" as two. */
void ork_mpi_split(const struct ork_argv *words, const struct ork_extras *extras,
                   struct ork_argv *out);

/* Does the command name a program, itself or in an appfile? */
bool ork_mpi_has_program(const struct ork_argv *words, const struct ork_extras *extras);

/* Append to `out` the options of a context that choose hosts and launcher. */
void ork_mpi_copy_launch_options(const struct ork_argv *words, struct ork_context context,
                                 const struct ork_extras *extras, struct ork_argv *out);

/* The value of the context's MCA parameter: item number, or 0 if it is not set. */
size_t ork_mpi_find_parameter(const struct ork_argv *words, struct ork_context context,
                              const struct ork_extras *extras, const char *parameter);

/* Item number of the argument of the context's last option of that name that `accept` takes (NULL:
 * any), or 0. */
size_t ork_mpi_find_option(const struct ork_argv *words, struct ork_context context,
                           const struct ork_extras *extras, const char *name,
                           bool (*accept)(const char *argument));

#endif

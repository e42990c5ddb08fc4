/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that MPI_Comm_spawn makes with a library that does not tell the names of processes
 * (interceptor/mpi/jobs.h). Two things must be known at both sides: the number of the new job, and
 * who its parents are. No message is sent for it, because nobody knows whether the new processes
 * are observed.
 *
 * The number is a hash of what all parents know: their own job, and the context number of their
 * communicator (interceptor/objects/context.h). The root passes number and parents on in the
 * environment of the new processes: instead of "command arguments" it starts "/usr/bin/env
 * VARIABLES command arguments", which becomes that command. It does so only where the command is
 * certainly found in the same way, else the new processes are not observed. */
#ifndef ORK_SPAWN_H
#define ORK_SPAWN_H

#include "interceptor/mpi/args.h"

#include <mpi.h>

/* What the call of the library gets, and what is known until it returns. */
struct ork_spawn {
    char **command; /* MPI_Comm_spawn: one of each */
    char ***argv;
    uint32_t job; /* its number; 0: none */
    int count;    /* of commands that were replaced; 0: both are the program's */
    char *one_command;
    char **one_argv;
    char variables[2][512];
};

/* Before the call; `a` as ork_before_constructor() leaves it. The other arguments are only looked
 * at where they are significant. */
void ork_spawn_begin(struct ork_spawn *spawn, const struct ork_args *a, const char *command,
                     char *argv[], MPI_Info info);
void ork_spawn_multiple_begin(struct ork_spawn *spawn, const struct ork_args *a, int count,
                              char *command[], char **argv[], const MPI_Info info[]);
/* After it, and before the new communicator is recorded. */
void ork_spawn_end(struct ork_spawn *spawn, const struct ork_args *a, int result);

#endif

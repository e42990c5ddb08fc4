/* SPDX-License-Identifier: BSD-3-Clause */
/* The command lines and environments of the application's job and of the tool's job. */
#ifndef ORK_MUSTRUN_COMMAND_H
#define ORK_MUSTRUN_COMMAND_H

#include "common/status.h"
#include "mustrun/env.h"
#include "mustrun/options.h"
#include "mustrun/paths.h"

struct ork_command {
    struct ork_argv argv;
    struct ork_argv environment;
};

/* Both jobs of a run. */
struct ork_commands {
    struct ork_command application;
    struct ork_command tool;
    struct ork_argv program; /* what the application is, without mpirun's options: "./a x : ./b" */
    unsigned leaves;         /* tool processes that say they are ready */
    int appfile;             /* file descriptor of the appfile with our options, -1: none */
};

/* How many processes the tool's job has. */
unsigned ork_tool_processes(const struct ork_options *options);

/* Build both jobs from the words that are mpirun's. A failure has been said on stderr: ORK_NOMEM,
 * or ORK_NOTFOUND for an appfile that cannot be read. Release in either case. */
enum ork_status ork_commands_init(struct ork_commands *commands, const struct ork_options *options,
                                  const struct ork_argv *words, const struct ork_paths *paths,
                                  const struct ork_session *session, char *const *environment);
void ork_commands_release(struct ork_commands *commands);

#endif

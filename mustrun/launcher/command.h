/* SPDX-License-Identifier: BSD-3-Clause */
/* The command lines and environments of the application's job and of the tool's job. */
#ifndef ORK_MUSTRUN_LAUNCHER_COMMAND_H
#define ORK_MUSTRUN_LAUNCHER_COMMAND_H

#include "common/status.h"
#include "mustrun/launcher/env.h"
#include "mustrun/launcher/paths.h"
#include "mustrun/options/options.h"

#define ORK_ORDER_NAME "MUST_Order"

struct ork_command {
    struct ork_argv argv;
    struct ork_argv environment;
};

/* The planned shape of the tool's job. On one node its first process starts the others; on several
 * the launcher starts and places them. */
struct ork_shape {
    unsigned nodes, leaves; /* tool processes of each node */
    unsigned processes, layers;
    bool is_here; /* the one node is this one: mustrun starts the first process itself */
};

/* Both jobs of a run. */
struct ork_commands {
    struct ork_command application;
    struct ork_command tool;
    struct ork_argv program; /* the application without options: "./a x : ./b" */
    struct ork_shape shape;
    unsigned ranks;        /* of the application's job; 0: unknown */
    bool recovers;         /* it is to go on when a rank has died */
    struct ork_argv words; /* of the launcher, as the user gave them */
    char *record;          /* absolute path of the order of the run; NULL: it is not recorded */
    int appfile;           /* file descriptor of the appfile with our options, -1: none */
};

/* Build both jobs from the launcher's words. Failures are reported on stderr: ORK_NOMEM, or
 * ORK_NOTFOUND for an appfile that cannot be read or a command that cannot run with a second job
 * beside it. Release in either case. */
enum ork_status ork_commands_init(struct ork_commands *commands, const struct ork_options *options,
                                  const struct ork_argv *words, const struct ork_paths *paths,
                                  const struct ork_session *session, char *const *environment);
/* The file of the order as the user would name it: --must:record, else MUST_Order in the output
 * folder. The caller's; NULL: out of memory. */
char *ork_record_path(const struct ork_options *options);
/* Parts of a command that a user can type: "mustrun" with the launcher, then options may be added;
 * the words of the launcher and the program. Both add to `argv`, which the second one releases. It
 * returns the text, the caller's; NULL: out of memory. */
void ork_command_begin(struct ork_argv *argv, const struct ork_options *options);
char *ork_command_end(struct ork_argv *argv, const struct ork_argv *words);
/* The command that replays the order in `path`; otherwise as ork_command_end(). */
char *ork_replay_command(const struct ork_argv *words, const struct ork_options *options,
                         const char *path);
/* The command that explores the orders of the program. */
char *ork_explore_command(const struct ork_argv *words, const struct ork_options *options);
void ork_commands_release(struct ork_commands *commands);

#endif

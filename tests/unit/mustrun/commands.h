/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands made of lists of words, of the tests of launchers. */
#ifndef ORK_TEST_MUSTRUN_COMMANDS_H
#define ORK_TEST_MUSTRUN_COMMANDS_H

#include "mustrun/launcher/command.h"

#include "words.h"

static const struct ork_paths paths = {.tool = "/t/must-tool", .interceptor = "/i.so"};
static const struct ork_session session = {.name = "7-abc", .token = "feed"};

/* The options that nobody gave, but for `folds`: --must:fold. leaf_ranks: ranks of a tool process.
 */
#define OPTIONS(launcher, ranks, folds)                                                            \
    {                                                                                              \
        .mpiexec = (launcher), .output_dir = "/o", .extras = {.np = "-np"}, .fanin = 16,           \
        .leaf_ranks = (ranks), .sends = "strict", .collectives = "strict", .probe = "end",         \
        .rma = "auto", .fold = (folds), .queue_limit = 1                                           \
    }

/* The caller releases them. */
static inline struct ork_commands commands_of(const struct ork_options *options, char *const *words,
                                              char *const *environment)
{
    struct ork_commands commands;
    struct ork_argv list = list_of(words);

    assert_int_equal(ork_commands_init(&commands, options, &list, &paths, &session, environment),
                     ORK_OK);
    ork_argv_release(&list);
    return commands;
}

static inline void check_application_of(const struct ork_options *options, char *const *words,
                                        char *const *environment, const char *expected)
{
    struct ork_commands commands = commands_of(options, words, environment);

    check_line(&commands.application.argv, expected);
    ork_commands_release(&commands);
}

#endif

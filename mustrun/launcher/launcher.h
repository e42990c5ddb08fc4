/* SPDX-License-Identifier: BSD-3-Clause */
/* What mustrun knows of the programs that start jobs. A kind is chosen by the name of the program
 * in
 * --must:mpiexec; what is not known by name is taken for Open MPI's mpirun. */
#ifndef ORK_MUSTRUN_LAUNCHER_LAUNCHER_H
#define ORK_MUSTRUN_LAUNCHER_LAUNCHER_H

#include "mustrun/launcher/command.h"
#include "mustrun/launcher/mpiopts.h"

/* What both command lines are made of. */
struct ork_launch {
    const struct ork_options *options;
    const struct ork_argv *words; /* of the launcher */
    const struct ork_paths *paths;
    const struct ork_session *session;
    char *const *environment;
    struct ork_shape shape;
};

struct ork_places {
    unsigned nodes; /* where the tool must be; at least 1 */
    unsigned ranks; /* of a node, as far as can be known */
};

struct ork_launcher {
    const char *name;
    /* It may be there for ever when its ranks have gone. */
    bool hangs;
    /* See mpiopts.h; `appfile` (NULL: there are none) gives the item with the appfile's name, or 0.
     */
    size_t (*option_args)(const char *token, const char *np);
    bool (*has_program)(const struct ork_argv *words, const char *np);
    struct ork_context (*context)(const struct ork_argv *words, size_t first, const char *np);
    size_t (*appfile)(const struct ork_argv *words, struct ork_context context, const char *np);
    /* A failure has been said on stderr. */
    enum ork_status (*places)(const struct ork_argv *words, const char *np,
                              char *const *environment, struct ork_places *places);
    enum ork_status (*application)(const struct ork_launch *launch, struct ork_commands *commands);
    /* Up to where the tool's own name comes. */
    void (*tool)(const struct ork_launch *launch, struct ork_command *tool);
};

extern const struct ork_launcher ork_launcher_mpirun;
extern const struct ork_launcher ork_launcher_srun;

/* The kind of a launcher, by its path. */
const struct ork_launcher *ork_launcher_of(const char *mpiexec);

/* Item number of the argument that names the context's appfile, or 0. */
size_t ork_launcher_appfile(const struct ork_launcher *launcher, const struct ork_argv *words,
                            struct ork_context context, const char *np);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What mustrun knows of the programs that start jobs: a folder for each kind (mpirun/, srun/),
 * whose table is here. A kind is chosen by the name of the program in --must:mpiexec; what is not
 * known by name is taken for Open MPI's mpirun. */
#ifndef ORK_MUSTRUN_LAUNCHER_LAUNCHER_H
#define ORK_MUSTRUN_LAUNCHER_LAUNCHER_H

#include "mustrun/launcher/command.h"
#include "mustrun/launcher/executable.h"
#include "mustrun/launcher/words.h"

#include <stdint.h>
#include <sys/types.h>

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

/* What a launcher leaves behind that crashes or is killed. */
struct ork_leftovers {
    bool is_known;
    uint32_t family; /* the number that the identifiers of all its jobs begin with */
};

/* A function that may be NULL is called by one of those below. */
struct ork_launcher {
    const char *name;
    /* It may be there for ever when its ranks have gone. */
    bool hangs;
    /* The number of words behind option `token` that belong to it. */
    size_t (*option_args)(const char *token, const char *np);
    /* Does the command name a program, itself or in an appfile? */
    bool (*has_program)(const struct ork_argv *words, const char *np);
    /* The context that starts at item `first`. */
    struct ork_context (*context)(const struct ork_argv *words, size_t first, const char *np);
    /* See ork_launcher_appfile(). Or NULL. */
    size_t (*appfile)(const struct ork_argv *words, struct ork_context context, const char *np);
    /* The file of a context's program; of kind ORK_EXECUTABLE_MISSING where the context names none.
     */
    void (*inspect)(const struct ork_argv *words, struct ork_context context, const char *np,
                    const char *path, struct ork_executable *program);
    /* A failure has been said on stderr. */
    enum ork_status (*places)(const struct ork_argv *words, const char *np,
                              char *const *environment, struct ork_places *places);
    enum ork_status (*application)(const struct ork_launch *launch, struct ork_commands *commands);
    /* Up to where the tool's own name comes. */
    void (*tool)(const struct ork_launch *launch, struct ork_command *tool);
    /* The variable of its environment that lists those of the application; NULL: there is none. */
    const char *list;
    /* See ork_launcher_hint() and ork_launcher_learn_leftovers(). Or NULL. */
    char *(*hint)(const struct ork_argv *words, const char *np);
    void (*learn_leftovers)(struct ork_leftovers *l, pid_t pid);
    void (*remove_leftovers)(struct ork_leftovers *l, pid_t pid);
};

/* Only launcher.c names them. */
extern const struct ork_launcher ork_launcher_mpirun;
extern const struct ork_launcher ork_launcher_srun;

/* The kind of a launcher, by its path. */
const struct ork_launcher *ork_launcher_of(const char *mpiexec);

/* Item number of the argument that names the context's appfile, or 0. */
size_t ork_launcher_appfile(const struct ork_launcher *launcher, const struct ork_argv *words,
                            struct ork_context context, const char *np);

/* Why this command, whose item 0 is the launcher, may have started nothing: a sentence behind a
 * full stop, or "". The caller frees it; NULL: out of memory. */
char *ork_launcher_hint(const struct ork_launcher *launcher, const struct ork_argv *words,
                        const char *np);

/* Is this line of a tool process's stderr a launcher's and of no interest? */
bool ork_launcher_is_noise(const char *line, size_t size);

/* Learn what the launcher with this process id will leave behind, as long as it lives. */
void ork_launcher_learn_leftovers(const struct ork_launcher *launcher, struct ork_leftovers *l,
                                  pid_t pid);
/* Remove what is there of the launcher that had this process id, which has been reaped. Nothing
 * that is not its own and this user's is touched. 0: it was never started. */
void ork_launcher_remove_leftovers(const struct ork_launcher *launcher, struct ork_leftovers *l,
                                   pid_t pid);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs that start jobs: a folder for each family (mpirun/, srun/, hydra/), which the list
 * kinds.def compares. What the program of --must:mpiexec answers to --version selects the kind, or
 * its name, if it is a program of that name; all others are treated as Open MPI 4's mpirun. */
#ifndef ORK_MUSTRUN_LAUNCHER_LAUNCHER_H
#define ORK_MUSTRUN_LAUNCHER_LAUNCHER_H

#include "mustrun/launcher/command.h"
#include "mustrun/launcher/executable.h"
#include "mustrun/launcher/identify.h"
#include "mustrun/launcher/words.h"

#include <stdint.h>
#include <sys/types.h>

struct ork_launcher;

/* The input for both command lines. */
struct ork_launch {
    const struct ork_launcher *launcher;
    const struct ork_options *options;
    const struct ork_argv *words; /* of the launcher */
    const struct ork_paths *paths;
    const struct ork_session *session;
    char *const *environment;
    struct ork_shape shape;
};

struct ork_places {
    unsigned nodes; /* where the tool must run; at least 1 */
    unsigned ranks; /* of a node, as far as is known */
    unsigned all;   /* ranks of the job; 0: unknown */
    bool is_here;   /* there is one node, and mustrun runs on it */
};

/* What a launcher leaves behind when it crashes or is killed. */
struct ork_leftovers {
    bool is_known;
    uint32_t family; /* the number that the identifiers of all its jobs begin with */
};

/* See kinds.def. */
struct ork_launcher_facts {
    const char *name, *family, *variable, *more, *rank, *size;
    int signal;
};

/* A function that may be NULL is only called by one of those below. */
struct ork_launcher {
    enum ork_launcher_kind kind;
    /* It may remain forever when its ranks have ended. */
    bool hangs;
    /* Asked to end its job, it sleeps before each signal that it sends to its ranks, for seconds in
     * all. SIGCHLD wakes it. */
    bool sleeps_to_end;
    /* Its ranks cannot tell whether its own standard input is a terminal or a pipe. */
    bool passes_input;
    /* Processes of this name, or whose names begin so, are between it and the ranks of its node;
     * NULL: there are none. */
    const char *helper;
    /* How many words after the first one of `words`, an option, belong to it. NULL ends them. */
    size_t (*option_args)(char *const *words, const struct ork_extras *extras);
    /* Is this option in its list, or in the other? */
    bool (*knows)(const char *option, const struct ork_extras *extras);
    /* Append the words as the functions below want them: each argument of an option is a word of
     * its own. Or NULL: they are so. */
    void (*split)(const struct ork_argv *words, const struct ork_extras *extras,
                  struct ork_argv *out);
    /* Does the command name a program, itself or in an appfile? */
    bool (*has_program)(const struct ork_argv *words, const struct ork_extras *extras);
    /* The context that starts at item `first`. */
    struct ork_context (*context)(const struct ork_argv *words, size_t first,
                                  const struct ork_extras *extras);
    /* See ork_launcher_appfile(). Or NULL. */
    size_t (*appfile)(const struct ork_argv *words, struct ork_context context,
                      const struct ork_extras *extras);
    /* The file of a context's program; of kind ORK_EXECUTABLE_MISSING if the context names none. */
    void (*inspect)(const struct ork_argv *words, struct ork_context context,
                    const struct ork_extras *extras, const char *path,
                    struct ork_executable *program);
    /* Failures are reported on stderr. */
    enum ork_status (*places)(const struct ork_argv *words, const struct ork_extras *extras,
                              char *const *environment, struct ork_places *places);
    enum ork_status (*application)(const struct ork_launch *launch, struct ork_commands *commands);
    /* Add the words before the tool's own name, and the environment. Not called if mustrun starts
     * the tool itself. */
    void (*tool)(const struct ork_launch *launch, struct ork_command *tool);
    /* How the tool's processes on several nodes are connected: see --transport of must-tool. NULL:
     * by Open MPI. */
    const char *transport;
    /* Add the words that write the output of each rank to a file of its own below `folder`, which
     * exists. The name of the file ends with "stdout" or "stderr". */
    void (*output)(const char *folder, struct ork_argv *words);
    /* See ork_launcher_recovers(). Or NULL. */
    bool (*recovers)(const struct ork_argv *words, const struct ork_extras *extras);
    /* The variable of its environment that lists variables for the application; NULL: none. */
    const char *list;
    /* See ork_launcher_hint() and ork_launcher_learn_leftovers(). Or NULL. */
    char *(*hint)(const struct ork_launcher *launcher, const struct ork_argv *words,
                  const struct ork_extras *extras, int code);
    void (*learn_leftovers)(struct ork_leftovers *l, pid_t pid);
    void (*remove_leftovers)(struct ork_leftovers *l, pid_t pid);
};

/* Only launcher.c uses them. */
extern const struct ork_launcher ork_launcher_hydra;
extern const struct ork_launcher ork_launcher_mpirun;
extern const struct ork_launcher ork_launcher_prterun;
extern const struct ork_launcher ork_launcher_srun;

/* The launcher of this path. The latest answer is kept. */
const struct ork_launcher *ork_launcher_of(const char *mpiexec);
/* Is this the name of a launcher, in whatever directory (mpirun, mpiexec.mpich, srun, ...)? A
 * program that is not called like one may be one, too. */
bool ork_launcher_is_name(const char *word);

const struct ork_launcher_facts *ork_launcher_facts(const struct ork_launcher *launcher);

/* For people: its file, what it is, and its version if it says so. It is asked for that. The caller
 * frees it; NULL: out of memory. */
char *ork_launcher_describe(const char *mpiexec);

/* Does the command ask that the job goes on when a rank has died? */
bool ork_launcher_recovers(const struct ork_launcher *launcher, const struct ork_argv *words,
                           const struct ork_extras *extras);

/* The signal that such an exit code of the launcher stands for, if it ended a rank; 0: none.
 * RATIONALE: where signals are not told from exit codes, only those that few programs exit with. */
int ork_launcher_signal(const struct ork_launcher *launcher, int code);

/* `words` begins with an option of the launcher, and NULL ends them. If it is not in the list of
 * that, the word behind it is no program, and one follows later, then that word is its argument,
 * and the option is added to `extras`. `path`: $PATH, or NULL. */
void ork_launcher_learn_option(const struct ork_launcher *launcher, char *const *words,
                               struct ork_extras *extras, const char *path);

/* Item number of the argument that names the context's appfile, or 0. */
size_t ork_launcher_appfile(const struct ork_launcher *launcher, const struct ork_argv *words,
                            struct ork_context context, const struct ork_extras *extras);

/* Why this command, whose item 0 is the launcher, may have started nothing and ended with `code`: a
 * sentence to follow a full stop, or "". The caller frees it; NULL: out of memory. */
char *ork_launcher_hint(const struct ork_launcher *launcher, const struct ork_argv *words,
                        const struct ork_extras *extras, int code);

/* Is this line of a tool process's stderr an irrelevant one of the launcher? */
bool ork_launcher_is_noise(const char *line, size_t size);

/* Find out what the launcher with this process id would leave behind, while it runs. */
void ork_launcher_learn_leftovers(const struct ork_launcher *launcher, struct ork_leftovers *l,
                                  pid_t pid);
/* Remove what the launcher that had this process id, and has been reaped, left behind. Only its own
 * files of this user are removed. 0: it was never started. */
void ork_launcher_remove_leftovers(const struct ork_launcher *launcher, struct ork_leftovers *l,
                                   pid_t pid);

#endif

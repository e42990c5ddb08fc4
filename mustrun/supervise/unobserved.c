/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/unobserved.h"

#include "mustrun/launcher/launcher.h"
#include "mustrun/launcher/own_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOTHING "nothing was observed: "

/* By kind of file: the text after its name. NULL: the file is not the reason. */
static const char *const reason_of[] = {
    [ORK_EXECUTABLE_MISSING] = "does not exist. Check its name and the folder",
    [ORK_EXECUTABLE_DENIED] = "may not be executed. Check its permissions (chmod +x)",
    [ORK_EXECUTABLE_FOLDER] = "is a folder. Name the program in it",
    [ORK_EXECUTABLE_SCRIPT] = NULL,
    [ORK_EXECUTABLE_FOREIGN] =
        "is built for another type of processor than the tool, so the tool's library cannot be "
        "loaded into it. Build it for this processor",
    [ORK_EXECUTABLE_STATIC] = "is linked statically, so the tool's library cannot be loaded into "
                              "it. Link it dynamically (without -static)",
    [ORK_EXECUTABLE_PRIVILEGED] = "runs with the rights of another user or with capabilities, so "
                                  "the loader ignores LD_PRELOAD. Run a copy without them",
    [ORK_EXECUTABLE_DYNAMIC] = NULL,
};

/* The first program whose file is a reason; false: none. */
static bool explain_by_file(const struct ork_options *options, const struct ork_commands *commands,
                            struct ork_unobserved *out)
{
    const struct ork_argv *words = &commands->application.argv;
    const struct ork_launcher *launcher = ork_launcher_of(options->mpiexec);
    const char *path = ork_env_get(commands->application.environment.item, "PATH");

    for (size_t first = 1; first < words->count;) {
        struct ork_context context = launcher->context(words, first, &options->extras);
        struct ork_executable program;

        launcher->inspect(words, context, &options->extras, path, &program);
        const char *text = reason_of[program.kind];
        if (program.kind == ORK_EXECUTABLE_DYNAMIC && ork_has_own_mpi(program.path))
            text = "contains its MPI library, so its calls do not pass through the tool's library. "
                   "Link it with the shared MPI library";
        if (context.program < context.last && text != NULL) {
            if (asprintf(&out->sentence, NOTHING "%.1000s %s", words->item[context.program], text) <
                0)
                out->sentence = NULL;
            return true;
        }
        first = context.last + 1;
    }
    return false;
}

enum { MEANING_MAX = 80 };

/* What an exit code of the launcher may mean besides: " (mpiexec.hydra's way to report SIGKILL,
 * too)", or "". */
static const char *explain_code(const struct ork_launcher *launcher, int status,
                                char meaning[MEANING_MAX])
{
    int signal = WIFSIGNALED(status) ? 0 : ork_launcher_signal(launcher, WEXITSTATUS(status));

    meaning[0] = '\0';
    if (signal != 0 && signal == WEXITSTATUS(status))
        snprintf(meaning, MEANING_MAX, " (%s's way to report SIG%s, too)",
                 ork_launcher_facts(launcher)->name, sigabbrev_np(signal));
    return meaning;
}

static char *explain_by_status(const struct ork_options *options,
                               const struct ork_commands *commands, int status)
{
    const struct ork_launcher *launcher = ork_launcher_of(options->mpiexec);
    char meaning[MEANING_MAX];
    char *text = NULL;

    if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) {
        int code = WIFSIGNALED(status) ? 0 : WEXITSTATUS(status);
        char *slots =
            ork_launcher_hint(launcher, &commands->application.argv, &options->extras, code);
        int n = slots == NULL
                    ? -1
                    : asprintf(&text,
                               NOTHING "the application ended with %s %d%s before MPI_Init had "
                                       "returned in any rank; its messages are on stderr%s",
                               WIFSIGNALED(status) ? "signal" : "exit code",
                               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                               explain_code(launcher, status, meaning), slots);
        free(slots);
        return n < 0 ? NULL : text;
    }
    return strdup(NOTHING "no rank called MPI_Init, or stderr shows why ranks ran unobserved");
}

struct ork_unobserved ork_unobserved_explain(const struct ork_options *options,
                                             const struct ork_commands *commands, int status,
                                             bool stopped, const char *unseen)
{
    struct ork_unobserved out = {.sentence = NULL};

    if (unseen != NULL) {
        if (asprintf(&out.sentence, NOTHING "%s", unseen) < 0)
            out.sentence = NULL;
        return out;
    }
    if (explain_by_file(options, commands, &out))
        return out;
    if (stopped)
        out.sentence =
            strdup(NOTHING "the run was stopped before MPI_Init had returned in any rank");
    else
        out.sentence = explain_by_status(options, commands, status);
    return out;
}

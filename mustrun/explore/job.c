/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/explore/job.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "common/output_file.h"
#include "common/text.h"
#include "mustrun/launcher/launcher.h"
#include "viz/viz.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the child owns until it ends. */
struct child {
    struct ork_options options;
    struct ork_argv words;
    char *record, *plan, *alternatives, *output;
};

/* Takes over `fd`; -1: leave `to` as it is. */
static void redirect(int fd, int to)
{
    if (fd >= 0)
        dup2(fd, to);
    if (fd >= 0 && fd != to)
        close(fd);
}

static bool redirect_all(const struct ork_job_setup *setup)
{
    char *messages = ork_text("%s/" ORK_JOB_MESSAGES, setup->folder);

    if (messages == NULL)
        return false;
    redirect(open(setup->input, O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    redirect(ork_output_new(AT_FDCWD, messages), STDOUT_FILENO);
    free(messages);
    return dup2(STDOUT_FILENO, STDERR_FILENO) >= 0;
}

/* The options of the one run. RATIONALE: other matches are not explored within a run, because each
 * of them is run. */
static bool choose_options(const struct ork_job_setup *setup, struct child *c)
{
    struct ork_options *o = &c->options;

    *o = *setup->options;
    c->record = ork_text("%s/" ORK_JOB_ORDER, setup->folder);
    c->plan = ork_text("%s/" ORK_JOB_PLAN, setup->folder);
    c->alternatives = ork_text("%s/" ORK_JOB_ALTERNATIVES, setup->folder);
    c->output = ork_text("%s/" ORK_JOB_OUTPUT, setup->folder);
    o->formats = ORK_VIZ_JSON;
    o->output_dir = setup->folder;
    o->record = c->record;
    o->replay = setup->has_plan ? c->plan : NULL;
    o->alternatives = c->alternatives;
    o->probe = "off";
    o->hang_after = setup->hang_after;
    o->errors = "errors";
    o->baseline = o->on_finding = NULL;
    o->annotates_github = o->annotates_gitlab = false;
    o->quiet = true;
    o->status = false;
    return c->record != NULL && c->plan != NULL && c->alternatives != NULL && c->output != NULL;
}

/* RATIONALE: lines of several ranks come in any order; a file for each rank is the same whenever
 * the ranks print the same. */
static bool choose_words(const struct ork_job_setup *setup, struct child *c)
{
    const struct ork_launcher *launcher = ork_launcher_of(setup->options->mpiexec);
    const struct ork_argv *words = setup->invocation->words;

    if (mkdir(c->output, 0777) != 0) {
        ork_error("cannot create the folder %s: %s", c->output, strerror(errno));
        return false;
    }
    launcher->output(c->output, &c->words);
    for (size_t i = 0; i < words->count; i++)
        ork_argv_add(&c->words, words->item[i]);
    return !c->words.failed;
}

static void become_child(const struct ork_job_setup *setup, pid_t parent)
{
    struct child c = {0};
    struct ork_run_end end;
    int code = ORK_EXIT_INTERNAL;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) /* it died before prctl() */
        _exit(code);
    if (redirect_all(setup) && choose_options(setup, &c) && choose_words(setup, &c)) {
        struct ork_invocation invocation = *setup->invocation;
        invocation.words = &c.words;
        code = ork_once_run(&invocation, &c.options, false, true, &end);
    }
    ork_argv_release(&c.words);
    free(c.record);
    free(c.plan);
    free(c.alternatives);
    free(c.output);
    _exit(code);
}

enum ork_status ork_job_start(const struct ork_job_setup *setup, pid_t *pid)
{
    fflush(stdout);
    fflush(stderr);
    pid_t parent = getpid();
    *pid = fork();
    if (*pid == 0)
        become_child(setup, parent);
    if (*pid > 0)
        return ORK_OK;
    ork_error("cannot start a run: %s", strerror(errno));
    return ORK_IO;
}

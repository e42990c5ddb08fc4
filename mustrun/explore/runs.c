/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs are started, and waited for. */
#include "common/log.h"
#include "common/text.h"
#include "mustrun/explore/exploring.h"
#include "mustrun/supervise/timers.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long to wait for a run, at most, until the progress is shown. */
enum { PROGRESS_MS = 250 };

double ork_exploring_seconds(const struct ork_exploring *x)
{
    return (double)(ork_now() - x->begun) / 1000.0;
}

bool ork_exploring_has_time(const struct ork_exploring *x)
{
    double seconds = x->options->explore.seconds;

    return !x->is_interrupted && (seconds <= 0 || ork_exploring_seconds(x) < seconds);
}

/* NULL: that failed, and was reported. */
static char *write_plan(struct ork_exploring *x, const char *folder, const struct ork_plan *plan,
                        uint32_t node)
{
    char *path = ork_text("%s/" ORK_JOB_PLAN, folder);
    struct ork_order_file *of = NULL;
    struct ork_order_header header;
    enum ork_status status =
        path == NULL ? ORK_NOMEM : ork_exploring_order(x, x->run_of_node[node], &of);

    if (status == ORK_NOTFOUND) {
        ork_exploring_header(x, &header);
        status = ORK_OK;
    } else if (status == ORK_OK) {
        header = of->header;
    }
    if (status == ORK_OK) {
        status = ork_plan_write(plan, &header, of, path);
        if (status != ORK_OK)
            ork_error("cannot write %s: %s", path, strerror(errno));
    }
    if (of != NULL)
        ork_order_file_destroy(of);
    if (status == ORK_OK)
        return path;
    free(path);
    return NULL;
}

enum ork_status ork_exploring_start(struct ork_exploring *x, struct ork_slot *slot,
                                    const struct ork_plan *plan, uint32_t node)
{
    struct ork_job_setup setup = {.invocation = x->invocation,
                                  .options = x->options,
                                  .input = x->input,
                                  .hang_after = x->hang_after,
                                  .has_plan = plan != NULL};
    char *path = NULL;

    slot->folder = ork_text("%s/work-%" PRIu64, x->absolute, ++x->started);
    bool done = slot->folder != NULL && ork_exploring_make_folder(x, slot->folder);
    if (done && plan != NULL)
        done = (path = write_plan(x, slot->folder, plan, node)) != NULL;
    free(path);
    setup.folder = slot->folder;
    if (done && ork_job_start(&setup, &slot->pid) == ORK_OK) {
        x->running++;
        return ORK_OK;
    }
    free(slot->folder);
    slot->folder = NULL;
    slot->pid = 0;
    return ORK_IO;
}

void ork_exploring_interrupt(struct ork_exploring *x)
{
    x->is_interrupted = true;
    for (unsigned i = 0; i < x->slots; i++) {
        if (x->slot[i].pid > 0)
            kill(x->slot[i].pid, SIGTERM);
    }
}

static void read_signals(struct ork_exploring *x)
{
    struct signalfd_siginfo info;

    while (read(x->invocation->signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        int signal = (int)info.ssi_signo;
        if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) {
            x->signal = signal;
            ork_exploring_interrupt(x);
        }
    }
}

static struct ork_slot *reap(struct ork_exploring *x)
{
    for (unsigned i = 0; i < x->slots; i++) {
        struct ork_slot *slot = &x->slot[i];
        if (slot->pid <= 0 || waitpid(slot->pid, &slot->status, WNOHANG) != slot->pid)
            continue;
        slot->pid = 0;
        x->running--;
        return slot;
    }
    return NULL;
}

struct ork_slot *ork_exploring_wait(struct ork_exploring *x)
{
    struct ork_slot *ended = reap(x);

    if (ended != NULL)
        return ended;
    struct pollfd fd = {.fd = x->invocation->signals->fd, .events = POLLIN};
    poll(&fd, 1, PROGRESS_MS);
    read_signals(x);
    return reap(x);
}

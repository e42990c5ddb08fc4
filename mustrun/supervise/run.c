/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of a run: see run_application.c, run_tool.c and run_live.c. */
#include "mustrun/supervise/run.h"

#include "common/log.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

double ork_run_seconds(const struct ork_run *run)
{
    return (double)(ork_now() - run->started) / 1000.0;
}

/* RATIONALE: while mustrun writes, it reads no findings, so the tool and then the application wait.
 * The whole report is written each time, and it grows with each finding. */
enum { PAUSE_FACTOR = 10 };

void ork_run_keep_report(struct ork_run *run)
{
    if (!run->outcome.is_stale || ork_timer_is_on(&run->timers, ORK_TIMER_REPORT))
        return;
    int64_t start = ork_now();
    ork_run_result_write(&run->outcome);
    int64_t took = ork_now() - start, pause = took * PAUSE_FACTOR;
    ork_debug("the report was written in %lld ms", (long long)took);
    ork_timer_start(&run->timers, ORK_TIMER_REPORT,
                    pause > ORK_REPORT_PAUSE ? pause : ORK_REPORT_PAUSE);
}

void ork_run_send(const struct ork_run *run, const char *line)
{
    int fd = run->direct >= 0 ? run->direct : run->tool.in;

    if (fd >= 0 && write(fd, line, strlen(line)) < 0)
        ork_debug("cannot write to the tool: %s", strerror(errno));
}

/* The order of a run that ended well is of no interest, unless the user asked for it. */
static void decide_order(struct ork_run *run)
{
    if (!run->outcome.has_order)
        return;
    run->outcome.keeps_order = run->options->record != NULL ||
                               ork_run_result_is_bad(&run->outcome, run->application.status);
    ork_run_send(run, run->outcome.keeps_order ? "keep\n" : "drop\n");
}

void ork_run_close_tool(struct ork_run *run)
{
    decide_order(run);
    run->phase = ORK_RUN_CLOSING;
    ork_child_close(&run->tool.in);
    if (run->direct >= 0)
        shutdown(run->direct, SHUT_WR);
    ork_timer_stop(&run->timers, ORK_TIMER_FINAL);
    ork_timer_start(&run->timers, ORK_TIMER_TOOL, ORK_TOOL_LIMIT);
}

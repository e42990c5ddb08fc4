/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:stop-at: the ranks of a replay are held until the user lets them go on. --must:on
 * deadlock=stop: a deadlocked job is kept until the user has seen enough of it. */
#include "common/log.h"
#include "common/text.h"
#include "mustrun/supervise/run.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEXT_SHOWN = 300 }; /* characters of a host or a call */

static void print_rank(const struct ork_paused_rank *r)
{
    fprintf(stderr, "    rank %" PRIu32 ": ", r->rank);
    if (r->host[0] != '\0') {
        fputs("host ", stderr);
        ork_escape_text(stderr, r->host, TEXT_SHOWN);
        fprintf(stderr, ", process %" PRIu32 "%s", r->pid, r->doing[0] != '\0' ? ", " : "");
    }
    ork_escape_text(stderr, r->doing, TEXT_SHOWN);
    fputc('\n', stderr);
}

static uint32_t process_of(const struct ork_paused *held)
{
    for (uint32_t i = 0; i < held->num_ranks; i++) {
        if (held->ranks[i].rank == held->rank)
            return held->ranks[i].pid;
    }
    return 0;
}

/* A deadlocked job is kept: its processes have come. */
static void print_stopped(struct ork_run *run, const struct ork_paused *held)
{
    for (uint32_t i = 0; i < held->num_ranks; i++)
        print_rank(&held->ranks[i]);
    fprintf(
        stderr,
        "orknot: to attach a debugger, on the host of a rank: gdb -p PROCESS; to end the job: kill "
        "-USR2 %d%s\n",
        (int)getpid(), run->application.in >= 0 ? ", or press Enter" : "");
}

void ork_run_leave_deadlocked(struct ork_run *run)
{
    char host[256] = "";
    char *note;

    if (run->phase != ORK_RUN_RUNNING || run->has_left_deadlock)
        return;
    run->has_left_deadlock = true;
    gethostname(host, sizeof(host) - 1);
    if (run->options->stops) {
        run->is_stopped = true;
        snprintf(run->ticker.held, sizeof(run->ticker.held), "a deadlock");
        fputs("orknot: the deadlocked job is kept for a debugger\n", stderr);
        ork_run_send(run, "processes\n");
        return;
    }
    note =
        ork_text("the job was deadlocked and was not ended (--must:on deadlock=continue): mustrun "
                 "is process %d on %s",
                 (int)getpid(), host);
    if (note != NULL)
        ork_run_result_note(&run->outcome, note);
    if (note != NULL && !run->options->quiet)
        fprintf(
            stderr,
            "orknot: note: the job still runs: mustrun is process %d on %s, and mustview --live %s "
            "shows where its ranks are\n",
            (int)getpid(), host, run->session);
    free(note);
}

void ork_run_take_still(struct ork_run *run, double seconds)
{
    run->ticker.still = seconds > 0;
    if (run->options->quiet || run->phase != ORK_RUN_RUNNING)
        return;
    if (seconds > 0)
        fprintf(stderr,
                "orknot: note: no rank has made progress for %.0f minutes; the run goes on, and "
                "mustview --live %s shows where its ranks are\n",
                seconds / 60, run->session);
    else
        fputs("orknot: note: the ranks make progress again\n", stderr);
}

void ork_run_take_paused(struct ork_run *run, const struct ork_paused *held)
{
    char *words = run->ticker.held;
    char thread[32] = "";

    if (run->phase != ORK_RUN_RUNNING)
        return;
    if (held->choice == 0) {
        print_stopped(run, held);
        return;
    }
    run->is_held = true;
    if (held->thread != 0)
        snprintf(thread, sizeof(thread), "thread %" PRIu32 " of ", held->thread);
    snprintf(words, sizeof(run->ticker.held), "choice %" PRIu64 " of %srank %" PRIu32, held->choice,
             thread, held->rank);
    fprintf(stderr, "orknot: the run is held before %s, in ", words);
    ork_escape_text(stderr, held->call, TEXT_SHOWN);
    fputc('\n', stderr);
    for (uint32_t i = 0; i < held->num_ranks; i++)
        print_rank(&held->ranks[i]);
    fprintf(stderr, "orknot: to attach a debugger: gdb -p %" PRIu32 "; to go on: kill -USR2 %d%s\n",
            process_of(held), (int)getpid(), run->application.in >= 0 ? ", or press Enter" : "");
}

void ork_run_go_on(struct ork_run *run)
{
    if (run->is_stopped) {
        run->is_stopped = false;
        run->ticker.held[0] = '\0';
        ork_run_end_job(run, false);
        return;
    }
    if (!run->is_held) {
        ork_error("SIGUSR2 has no effect now: the ranks are not held");
        return;
    }
    run->is_held = false;
    run->ticker.held[0] = '\0';
    if (!run->options->quiet)
        fputs("orknot: the run goes on\n", stderr);
    ork_run_send(run, "continue\n");
}

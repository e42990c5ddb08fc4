/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:stop-at: the ranks of a replay are held until the user lets them go on. */
#include "common/log.h"
#include "mustrun/supervise/run.h"
#include "report/escape.h"

#include <inttypes.h>
#include <unistd.h>

enum { TEXT_SHOWN = 300 }; /* characters of a host or a call */

static void print_rank(const struct ork_paused_rank *r)
{
    fprintf(stderr, "    rank %" PRIu32 ": ", r->rank);
    if (r->host[0] != '\0') {
        fputs("host ", stderr);
        ork_escape_text(stderr, r->host, TEXT_SHOWN);
        fprintf(stderr, ", process %" PRIu32 ", ", r->pid);
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

void ork_run_take_paused(struct ork_run *run, const struct ork_paused *held)
{
    char *words = run->ticker.held;
    char thread[32] = "";

    if (run->phase != ORK_RUN_RUNNING)
        return;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* One run while it lasts. supervise.c waits for events, run_application.c and run_tool.c handle
 * those of the two jobs, run_live.c answers requests. */
#ifndef ORK_MUSTRUN_SUPERVISE_RUN_H
#define ORK_MUSTRUN_SUPERVISE_RUN_H

#include "common/line_reader.h"
#include "mustrun/launcher/command.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/supervise/gone.h"
#include "mustrun/supervise/live.h"
#include "mustrun/supervise/run_result.h"
#include "mustrun/supervise/signals.h"
#include "mustrun/supervise/spawn.h"
#include "mustrun/supervise/status_line.h"
#include "mustrun/supervise/timers.h"

#include <poll.h>

/* Milliseconds. */
enum {
    ORK_READY_LIMIT = 30000,     /* for the tool to get ready, unless the user says otherwise */
    ORK_STATE_LIMIT = 5000,      /* for the tool to report where all ranks are */
    ORK_STATE_MORE = 7000,       /* and what they do there, with their call stacks */
    ORK_RANKS_LIMIT = 200,       /* for the ranks of a deadlocked job to end after SIGTERM */
    ORK_RANKS_AGAIN = 20,        /* between two steps of ending them, with a launcher that sleeps */
    ORK_DEADLOCK_LIMIT = 3000,   /* for mpirun of a deadlocked job */
    ORK_SIGNAL_AGAIN = 300,      /* in which the same signal counts once */
    ORK_INTERRUPT_LIMIT = 10000, /* for a job that was interrupted */
    ORK_GONE_LIMIT = 3000,       /* for mpirun when its ranks have ended */
    ORK_GONE_AGAIN = 500,        /* between two looks at mpirun after that */
    ORK_GONE_UNSEEN = 5000,      /* the same if the tool does not run any more */
    ORK_STOPPED_AGAIN = 4000,    /* between two looks at the tool's root */
    ORK_STOPPED_LOOKS = 3,       /* consecutive ones at which it is stopped: it is continued */
    ORK_ANSWER_LIMIT = 10000,    /* for the tool to report where the ranks are while they run */
    ORK_POSTPONED_MAX = 20,      /* such times by which killing an active mpirun is postponed */
    ORK_FINAL_LIMIT = 60000,     /* for the tool's final report */
    ORK_TOOL_LIMIT = 3000,       /* for the tool's mpirun after that */
    ORK_REPORT_PAUSE = 1000,     /* between two times that the report's files are written */
};

enum ork_phase {
    ORK_RUN_STARTING, /* the tool's job */
    ORK_RUN_RUNNING,  /* both jobs */
    ORK_RUN_STOPPING, /* we are ending the application's job */
    ORK_RUN_DRAINING, /* it has ended; the tool works on */
    ORK_RUN_CLOSING,  /* the tool's job has to end */
};

/* From the terminal to the application's launcher: run_input.c. */
struct ork_run_input {
    char text[4096];
    size_t size; /* not passed on yet */
    bool is_over;
};

struct ork_run {
    const struct ork_options *options;
    const struct ork_commands *commands;
    struct ork_run_result outcome;
    struct ork_child tool;
    struct ork_leftovers leftovers; /* of the application */
    struct ork_child application;
    int listener, direct; /* for the root of the tool, see common/control_socket.h; -1: none */
    struct ork_line_reader messages; /* from there, or else */
    struct ork_line_reader output;   /* from the tool's job */
    struct ork_line_reader errors;   /* its stderr */
    struct ork_timers timers;
    struct ork_live *live; /* NULL: none */
    struct ork_status_line ticker;
    const char *session;
    bool asked, asked_by_signal, figures_asked; /* not answered yet */
    const struct ork_signals *signals;
    enum ork_phase phase;
    bool is_announced;          /* a line says that the application starts */
    int64_t started, signalled; /* signalled: the latest signal that asked for an end */
    bool is_held;
    bool is_stopped;          /* deadlocked, and kept for a debugger */
    bool has_left_deadlock;   /* the user was told that the deadlocked job still runs */
    struct ork_finding state; /* where the ranks are, but not reported yet; id NULL: none */
    struct ork_run_input input;
    struct ork_gone gone;
    int64_t gone_at;   /* the latest look for it; 0: none yet */
    bool has_gone;     /* all ranks that the tool knows have hung up */
    bool had_helper;   /* the launcher has had a process between it and its ranks */
    pid_t root_pid;    /* of the tool's root; 0: it is on another node, or not known yet */
    int root_stopped;  /* the latest consecutive looks at which it was stopped */
    int ranks_waited;  /* of ORK_RANKS_LIMIT, for a launcher that sleeps */
    bool ranks_killed; /* the tool has been asked to kill them */
    int postponed;     /* how often killing an active mpirun was postponed */
    int exit_code;     /* of a run whose application did not start; 0: it did */
};

/* Since the application was started. */
double ork_run_seconds(const struct ork_run *run);
/* Write the report's files if they are stale, and were not written a moment ago. */
void ork_run_keep_report(struct ork_run *run);

/* --- the application's job --- */

void ork_run_start_application(struct ork_run *run);
/* End it: SIGTERM now; what is left is killed later, at once (a deadlock) or after some seconds. */
void ork_run_stop_application(struct ork_run *run, bool at_once);
/* The same after a signal that ended the run from outside: at once after SIGQUIT. */
void ork_run_interrupt_application(struct ork_run *run);
/* They have not ended in time. */
void ork_run_kill_ranks(struct ork_run *run);
void ork_run_kill_application(struct ork_run *run);
/* All ranks ended a while ago, and the launcher is still running; or the tool cannot say whether
 * they have: it does not run any more, or knows none of them. */
void ork_run_check_gone(struct ork_run *run);
/* The application has started: look for that now and then, if its launcher shows its ranks. */
void ork_run_watch_launcher(struct ork_run *run);
/* The tool has ended, the application goes on. */
void ork_run_go_on_unseen(struct ork_run *run);
/* Has the tool's root been stopped? Then continue it after a while. */
void ork_run_check_stopped(struct ork_run *run);
/* It has been reaped. */
void ork_run_application_ended(struct ork_run *run);

/* --- the tool's job --- */

/* Accept the connection of its root. */
void ork_run_meet_root(struct ork_run *run);
/* Send a line ("end
 * ") to its root; does nothing if the tool has ended. */
void ork_run_send(const struct ork_run *run, const char *line);
/* Its final report has come, or is not waited for any more: it has to end. */
void ork_run_close_tool(struct ork_run *run);
/* It did not start: end the run with this sentence. */
void ork_run_give_up(struct ork_run *run, const char *why);
/* It failed while the application runs; report it with this sentence. */
void ork_run_lose_tool(struct ork_run *run, const char *why);
void ork_run_read_errors(struct ork_run *run);
/* End the application's job because of a finding; `hangs`: for --must:on hang=abort. */
void ork_run_end_job(struct ork_run *run, bool hangs);
/* Read from the direct connection or the tool's output. ORK_CLOSED: the connection has ended. */
enum ork_status ork_run_read_direct(struct ork_run *run);
enum ork_status ork_run_read_output(struct ork_run *run);
/* It has been reaped. */
void ork_run_tool_ended(struct ork_run *run);

/* --- where the ranks were when the run was stopped --- */

/* The tool reports it as far as it is known at once: keep it. The complete one follows. */
void ork_run_keep_state(struct ork_run *run, struct ork_finding *finding);
/* It has come, or is not waited for any more: add the latest to the report. */
void ork_run_report_state(struct ork_run *run);

/* --- requests --- */

/* Listen for them. A failure is not an error. */
void ork_run_open_live(struct ork_run *run);
/* Ask where the ranks are. The answer goes to stderr. */
void ork_run_ask(struct ork_run *run);
/* Handle requests over the socket. */
void ork_run_serve_live(struct ork_run *run);
/* The tool's answer has come; no answer came in time. */
void ork_run_take_answer(struct ork_run *run, const struct ork_message *answer);
void ork_run_give_up_answer(struct ork_run *run);

/* --- --must:stop-at, --must:on deadlock=stop --- */

/* The ranks are held: print where, and how to go on. */
void ork_run_take_paused(struct ork_run *run, const struct ork_paused *held);
/* The job is deadlocked, and goes on to exist: say where; with `stop`, keep it for a debugger. */
void ork_run_leave_deadlocked(struct ork_run *run);
/* The user lets them go on, or has seen enough of a deadlocked job. */
void ork_run_go_on(struct ork_run *run);

/* May Enter on the terminal be the user's wish to go on? Then the application's launcher has to
 * start with a pipe as its input, and these functions fill it. */
bool ork_run_may_take_input(const struct ork_run *run);
void ork_run_input_fds(const struct ork_run *run, struct pollfd fds[2]);
/* For poll(), in milliseconds; -1: no limit. */
int ork_run_input_wait(const struct ork_run *run);
/* True: the user lets a run go on that is held, or has seen enough of a deadlocked job. */
bool ork_run_pass_input(struct ork_run *run, const struct pollfd fds[2]);

/* For --must:status: the application has started; the tool has to be asked again; it has answered;
 * do not write anything else for a while. */
void ork_run_start_ticker(struct ork_run *run);
void ork_run_want_figures(struct ork_run *run);
void ork_run_take_figures(struct ork_run *run, struct ork_message *message);
void ork_run_show_ticker(struct ork_run *run);

/* No rank has made progress for so many seconds; 0: some has again. */
void ork_run_take_still(struct ork_run *run, double seconds);

#endif

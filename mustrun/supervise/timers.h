/* SPDX-License-Identifier: BSD-3-Clause */
/* The times at which supervise.c acts without an event, in milliseconds of the monotonic clock. */
#ifndef ORK_MUSTRUN_SUPERVISE_TIMERS_H
#define ORK_MUSTRUN_SUPERVISE_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

struct ork_clock;

enum ork_timer {
    ORK_TIMER_READY,            /* the tool's job is not ready */
    ORK_TIMER_STATE,            /* the tool has not reported where all ranks are */
    ORK_TIMER_KILL_RANKS,       /* the ranks have not ended */
    ORK_TIMER_KILL_APPLICATION, /* the application's mpirun has not ended */
    ORK_TIMER_GONE,             /* all ranks have ended, or may have; mpirun has not */
    ORK_TIMER_STOPPED,          /* the tool's root may have been stopped */
    ORK_TIMER_ANSWER,           /* the tool has not reported where the ranks are while they run */
    ORK_TIMER_FIGURES,          /* the figures of the run have to be requested */
    ORK_TIMER_REPORT,           /* the report's files were just written */
    ORK_TIMER_FINAL,            /* the tool has not sent its final report */
    ORK_TIMER_TOOL,             /* the tool's mpirun has not ended */
    ORK_TIMER_MAX
};

/* Initialised to zero: 0 is a timer that is off. */
struct ork_timers {
    const struct ork_clock *clock; /* NULL: the machine's */
    int64_t at[ORK_TIMER_MAX];
    int extended[ORK_TIMER_MAX];
};

/* Of the machine. */
int64_t ork_now(void);

void ork_timer_start(struct ork_timers *timers, enum ork_timer timer, int64_t milliseconds);
/* It has expired after this time: start it again if the machine is so crowded that everything takes
 * longer, `slowness` times as long. False: this does not explain it any more. */
bool ork_timer_extend(struct ork_timers *timers, enum ork_timer timer, int64_t milliseconds,
                      int slowness);
/* How many times as long things take, 1 to 10, if so many processes want the processors. */
int ork_slowness(double running, long processors);
/* By the load of the last minute. */
int ork_slowness_now(void);
/* As ork_timer_start(), unless it would expire sooner. */
void ork_timer_hasten(struct ork_timers *timers, enum ork_timer timer, int64_t milliseconds);
void ork_timer_stop(struct ork_timers *timers, enum ork_timer timer);
bool ork_timer_is_on(const struct ork_timers *timers, enum ork_timer timer);

/* Turn off and return a timer that has expired; ORK_TIMER_MAX: none. */
enum ork_timer ork_timer_expired(struct ork_timers *timers);

/* Until the next one expires, for poll(); -1: all are off. */
int ork_timer_wait(const struct ork_timers *timers);

#endif

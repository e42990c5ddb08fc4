/* SPDX-License-Identifier: BSD-3-Clause */
/* The times at which supervise.c does something by itself, in milliseconds of the monotonic clock.
 */
#ifndef ORK_MUSTRUN_SUPERVISE_TIMERS_H
#define ORK_MUSTRUN_SUPERVISE_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

enum ork_timer {
    ORK_TIMER_READY,            /* the tool's job is not ready */
    ORK_TIMER_STATE,            /* the tool has not said where all ranks are */
    ORK_TIMER_KILL_RANKS,       /* the ranks have not obeyed */
    ORK_TIMER_KILL_APPLICATION, /* the application's mpirun has not ended */
    ORK_TIMER_GONE,             /* all ranks have gone, mpirun has not ended */
    ORK_TIMER_ANSWER,           /* the tool has not said where the ranks are while they run */
    ORK_TIMER_FIGURES,          /* the figures of the run are to be asked for */
    ORK_TIMER_FINAL,            /* the tool has not said its last word */
    ORK_TIMER_TOOL,             /* the tool's mpirun has not ended */
    ORK_TIMER_MAX
};

/* Starts from all zero: 0 is a timer that is off. */
struct ork_timers {
    int64_t at[ORK_TIMER_MAX];
};

int64_t ork_now(void);

void ork_timer_start(struct ork_timers *timers, enum ork_timer timer, int64_t milliseconds);
/* As ork_timer_start(), unless it would go off sooner. */
void ork_timer_hasten(struct ork_timers *timers, enum ork_timer timer, int64_t milliseconds);
void ork_timer_stop(struct ork_timers *timers, enum ork_timer timer);
bool ork_timer_is_on(const struct ork_timers *timers, enum ork_timer timer);

/* Turn off and return a timer that has gone off; ORK_TIMER_MAX: none. */
enum ork_timer ork_timer_expired(struct ork_timers *timers);

/* Until the next goes off, for poll(); -1: all are off. */
int ork_timer_wait(const struct ork_timers *timers);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The windows of this rank, MPI-3.1 chapter 11: their epochs, and checks of the calls that use
 * them. All functions are called with the recorder's lock held. */
#ifndef ORK_WINDOWS_H
#define ORK_WINDOWS_H

#include "interceptor/epochs.h"
#include "interceptor/site.h"

#include <mpi.h>

struct ork_window {
    struct ork_epochs epochs; /* epochs.rank: of this process in the window's group */
    MPI_Group group;
    uint32_t num_ranks; /* in it */
};

/* A window was made. */
void ork_window_add(MPI_Win win);
/* It is about to be freed: forget it. */
void ork_window_remove(MPI_Win win);

/* The latest one used. */
extern MPI_Win ork_last_win;
extern struct ork_window *ork_last_window;

struct ork_window *ork_window_find(MPI_Win win);
/* NULL: it was not made while this process was recorded. Valid until the next window is made or
 * freed. */
static inline struct ork_window *ork_window_of(MPI_Win win)
{
    return ORK_LIKELY(win == ork_last_win) ? ork_last_window : ork_window_find(win);
}

/* A call on a window, as far as it concerns epochs. */
struct ork_window_call {
    MPI_Win win;
    enum ork_epoch_event_kind kind;
    int target;      /* for the kinds that have one */
    int assertion;   /* FENCE */
    MPI_Group group; /* START */
};

/* Before the call: report what is wrong with it. */
void ork_window_check(const struct ork_call *call, const struct ork_window_call *what);
/* It has returned without an error. */
void ork_window_follow(const struct ork_call *call, const struct ork_window_call *what);

/* MPI_Finalize is called. */
void ork_windows_finish(const struct ork_call *call);

#endif

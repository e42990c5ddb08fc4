/* SPDX-License-Identifier: BSD-3-Clause */
/* The windows of this rank, MPI-3.1 chapter 11: their epochs and their memory, and checks of the
 * calls that use them. All functions are called with the recorder's lock held. */
#ifndef ORK_WINDOWS_H
#define ORK_WINDOWS_H

#include "interceptor/objects/epochs.h"
#include "interceptor/objects/regions.h"
#include "bytes/ranges/byteset.h"
#include "interceptor/site/site.h"
#include "interceptor/memory/watch.h"

#include <mpi.h>

struct ork_window {
    struct ork_epochs epochs; /* epochs.rank: of this process in the window's group */
    MPI_Group group;
    uint32_t num_ranks; /* in it */
    uint32_t id;        /* the number of the window (comms.h) */
    int flavor;         /* MPI_WIN_FLAVOR_... */
    int model;          /* MPI_WIN_SEPARATE or MPI_WIN_UNIFIED */
    const void *base;   /* of this process's memory in the window, */
    uint64_t bytes;     /* and its size; 0 if it is dynamic */
    int disp_unit;
    struct ork_epoch_place place; /* the call that made it */
    bool is_released; /* the program has given back some of its memory, or has left the frame that
                       * has it */
    struct ork_regions attached; /* if it is dynamic */
    bool is_watched;             /* loads and stores to its memory matter */
};

/* A window was made. */
void ork_window_add(const struct ork_call *call, MPI_Win win);
/* Loads and stores of the program to its memory matter. */
void ork_window_watch(MPI_Win win);
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

/* Cut the piece at the bounds of the memory of windows in it. */
void ork_windows_cut(struct ork_piece *piece, uint64_t address);

/* --must:rma off: nobody wants the records of accesses and flushes. */
extern bool ork_accesses_are_off;

/* Was a window made? */
extern bool ork_windows_exist;
/* The memory of all windows, also of freed ones, is from the first of these addresses on and before
 * the second one. */
extern uint64_t ork_windows_low, ork_windows_high;
/* So are these bytes. */
void ork_windows_cover(uint64_t base, uint64_t bytes);
/* Does the program own the memory of a window that has some of these bytes? */
bool ork_windows_use(uint64_t low, uint64_t high);
/* It has given them back: `how` ("free") and the site of `call`, which is none of MPI. Reports what
 * is wrong. */
void ork_windows_release(const struct ork_call *call, const char *how, uint64_t low, uint64_t high);
/* Say whether that matters (memory/releases.h). */
void ork_windows_want_releases(void);

/* The next window of the table, from number *next (at first 0) on; NULL: there are no more. */
struct ork_window *ork_windows_next(uint32_t *next);

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

/* An access to a target, before the call, unless ork_epochs_admit() says that it is right. */
void ork_window_check_access(const struct ork_call *call, MPI_Win win, int target, bool has_request)
    __attribute__((cold, noinline));
/* It has returned without an error. */
void ork_window_follow_access(const struct ork_call *call, MPI_Win win, int target)
    __attribute__((cold, noinline));

/* MPI_Finalize is called. */
void ork_windows_finish(const struct ork_call *call);

/* MPI_Win_attach, before and after the call; MPI_Win_detach and MPI_Win_shared_query, before. */
void ork_window_check_attach(const struct ork_call *call, MPI_Win win, const void *base,
                             MPI_Aint size);
void ork_window_attached(const struct ork_call *call, MPI_Win win, const void *base, MPI_Aint size);
void ork_window_detach(const struct ork_call *call, MPI_Win win, const void *base);
void ork_window_check_shared(const struct ork_call *call, MPI_Win win);

/* An access of this process to its own memory: `count` elements at a displacement in units. */
void ork_window_check_own(const struct ork_call *call, const struct ork_window *window,
                          MPI_Aint displacement, int count, MPI_Datatype type)
    __attribute__((cold, noinline));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The epochs of one window in one rank, MPI-3.1 section 11.5: which calls are right in which state.
 * Pure: no MPI, no I/O, no threads.
 *
 * A rank has at most one access epoch at a time: of MPI_Win_start, of MPI_Win_lock_all, of fences,
 * or one for each target that MPI_Win_lock has locked. Besides, it has at most one exposure epoch
 * of MPI_Win_post. A fence starts an access epoch only if accesses follow (section 11.5.1), so
 * after it an epoch is only *possible* until the first access. Whether a fence starts an exposure
 * epoch depends on other ranks, and is not followed. */
#ifndef ORK_EPOCHS_H
#define ORK_EPOCHS_H

#include "interceptor/site/map.h"

enum {
    ORK_EPOCH_POSSIBLE = 1 << 0, /* a fence was made that an access may follow, */
    ORK_EPOCH_FENCE = 1 << 1,    /* and an access has followed */
    ORK_EPOCH_START = 1 << 2,
    ORK_EPOCH_LOCK = 1 << 3, /* one or more targets are locked */
    ORK_EPOCH_LOCK_ALL = 1 << 4,
    ORK_EPOCH_POST = 1 << 5,
};

/* An epoch of MPI_Win_lock or MPI_Win_lock_all after a fence that may have started one. RATIONALE:
 * accesses in it start the epoch of the fence, too, if another fence follows (section 11.5.1); that
 * is known only then. */
enum ork_epoch_nested {
    ORK_EPOCH_NOT_NESTED,
    ORK_EPOCH_NESTED,      /* it is open, and has no access so far */
    ORK_EPOCH_NESTED_USED, /* it had one, since the latest fence */
};

/* A call, by its number and its site. */
struct ork_epoch_place {
    uint32_t site;
    uint16_t call;
};

/* All zero is a new window with `rank` 0. */
struct ork_epochs {
    uint32_t rank;       /* of the process in the window's group */
    uint8_t open;        /* ORK_EPOCH_... */
    uint8_t doubtful;    /* those of them of which a wrong call has left unclear if they are open */
    uint8_t nested;      /* enum ork_epoch_nested */
    uint32_t admitted;   /* 1 + the target that was locked last, if it still is; 0: none */
    uint32_t num_locked; /* by MPI_Win_lock */
    struct ork_map locked; /* by 1 + target; id: site, flags: call */
    uint32_t *member;      /* of the group of the start, ascending */
    uint32_t num_members, member_room;
    /* Calls that opened an epoch: */
    struct ork_epoch_place fence, start, lock_all, post;
    struct ork_epoch_place access; /* the first access after the fence */
    struct ork_epoch_place inside; /* ORK_EPOCH_NESTED_USED: the call that opened the epoch */
};

enum ork_epoch_event_kind {
    ORK_EPOCH_DO_FENCE,
    ORK_EPOCH_DO_START,
    ORK_EPOCH_DO_COMPLETE,
    ORK_EPOCH_DO_POST,
    ORK_EPOCH_DO_WAIT, /* or an MPI_Win_test that returns true */
    ORK_EPOCH_DO_LOCK,
    ORK_EPOCH_DO_UNLOCK,
    ORK_EPOCH_DO_LOCK_ALL,
    ORK_EPOCH_DO_UNLOCK_ALL,
    ORK_EPOCH_DO_ACCESS,
    ORK_EPOCH_DO_REQUEST_ACCESS, /* with a request, as MPI_Rput */
    ORK_EPOCH_DO_FLUSH,
    ORK_EPOCH_DO_FLUSH_ALL,
    ORK_EPOCH_DO_SYNC,
    ORK_EPOCH_DO_FREE, /* of the window, or MPI_Finalize */
};

/* The events of MPI_PROC_NULL as a target are none. */
struct ork_epoch_event {
    enum ork_epoch_event_kind kind;
    struct ork_epoch_place place;
    int target; /* LOCK, UNLOCK, ACCESS, REQUEST_ACCESS, FLUSH: rank in the window */
    bool no_precede, no_succeed; /* FENCE: MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED */
    const int *member;           /* START: the group, as ranks in the window; negative: none */
    uint32_t num_members;
};

/* What is wrong with an event. */
enum ork_epoch_misuse {
    ORK_EPOCH_RIGHT,
    ORK_EPOCH_ACCESS_IS_OPEN,   /* an access epoch is opened while `other` is open */
    ORK_EPOCH_EXPOSURE_IS_OPEN, /* an exposure epoch, likewise */
    ORK_EPOCH_IS_LOCKED,        /* the target is locked a second time */
    ORK_EPOCH_IS_EXPOSED,       /* the rank locks its own window, which it exposes */
    ORK_EPOCH_EXPOSES_LOCKED,   /* the rank exposes its own window, which it has locked */
    ORK_EPOCH_FENCE_INSIDE,     /* a fence is made inside the access epoch of `other` */
    ORK_EPOCH_DOES_PRECEDE,     /* MPI_MODE_NOPRECEDE after the access `other` */
    ORK_EPOCH_LOCK_INSIDE,      /* the epoch of `other` is between two fences */
    ORK_EPOCH_NOT_STARTED,      /* nothing to complete */
    ORK_EPOCH_NOT_POSTED,       /* nothing to wait for */
    ORK_EPOCH_NOT_LOCKED,       /* nothing to unlock */
    ORK_EPOCH_NOT_ALL_LOCKED,
    ORK_EPOCH_NONE,            /* an access outside of all epochs */
    ORK_EPOCH_NOT_ADMITTED,    /* an access to a target that is not in the epoch of `other` */
    ORK_EPOCH_NOT_PASSIVE,     /* an access with a request in the active epoch of `other` */
    ORK_EPOCH_NO_FLUSH,        /* a flush, and nothing is locked */
    ORK_EPOCH_NO_TARGET_FLUSH, /* a flush of a target that is not locked */
    ORK_EPOCH_NO_SYNC,         /* MPI_Win_sync, and nothing is locked */
    ORK_EPOCH_NOT_ENDED,       /* the window is freed, and the epoch of `other` is open */
};

/* Is the event right? If not and another call is named, sets *other. Changes nothing. */
enum ork_epoch_misuse ork_epochs_check(const struct ork_epochs *epochs,
                                       const struct ork_epoch_event *event,
                                       struct ork_epoch_place *other);

/* The event has happened, whether it was right or not. A wrong call is one mistake: if it leaves
 * unclear whether an epoch is open, later events are right if they would be so in one of the two
 * cases. False: out of memory; later answers may then be wrong. */
bool ork_epochs_apply(struct ork_epochs *epochs, const struct ork_epoch_event *event);

/* Is an access to this target right, and nothing to be remembered? The fast part of
 * ork_epochs_check() and ork_epochs_apply(). */
static inline bool ork_epochs_admit(const struct ork_epochs *epochs, int target, bool has_request)
{
    unsigned active = ORK_EPOCH_FENCE | ORK_EPOCH_START | ORK_EPOCH_LOCK;

    if ((epochs->open & ORK_EPOCH_LOCK_ALL) != 0)
        return epochs->nested != ORK_EPOCH_NESTED;
    if (epochs->admitted == (uint32_t)target + 1)
        return true;
    return !has_request && (epochs->open & active) == ORK_EPOCH_FENCE;
}

/* The same if several targets are in the epoch: a little slower. */
bool ork_epochs_contain(const struct ork_epochs *epochs, int target, bool has_request);

/* Frees what it has allocated. */
void ork_epochs_release(struct ork_epochs *epochs);

#endif

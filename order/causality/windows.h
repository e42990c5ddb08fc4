/* SPDX-License-Identifier: BSD-3-Clause */
/* Critical sections of window locks, and epochs of post and start. */
#ifndef ORK_CAUSALITY_WINDOWS_H
#define ORK_CAUSALITY_WINDOWS_H

#include "order/causality/clocks.h"
#include "order/comms/comms.h"

/* ---- window locks ---- */

/* From MPI_Win_lock to MPI_Win_unlock; or an ordered atomic (docs/explanation/order.md), which is a
 * section of its location that its call begins and ends. */
struct section {
    struct rank *rank;
    struct target *target; /* the sections that may conflict */
    struct ork_comm *comm; /* the window */
    uint32_t me, member;   /* of the window: the rank, and the target */
    bool is_exclusive;
    bool is_counted; /* it was granted after `before` conflicting sections */
    bool is_over;    /* MPI_Win_unlock was read */
    uint32_t before;
    /* Of the call, and the number of the choice that it makes; 0: not known */
    uint32_t site, place;
    uint64_t number;
    uint64_t requested_at, released_at; /* times of the rank; NEVER */
    const struct choice *choice;        /* NULL: it was not granted, or is not counted */
    bool is_moved;                      /* see alternatives_lock.c */
    uint64_t granted, released;         /* in the order of the target, from 1; 0: not yet */
    struct section *next;               /* of the target */
};

/* The latest Compare_and_swap of a rank that found another value, as long as it has made no other
 * call than flushes since. */
struct failed_swap {
    struct choice *choice; /* NULL: none */
    uint32_t site, comm, operands;
    int32_t peer;
    uint64_t displacement;
};

/* ---- epochs of post and start ---- */

/* Stamps with numbers from `first` on; the ones before are not needed any more. */
struct stamps {
    union stamp *item;
    uint64_t first;
    uint32_t count, room;
};

/* An origin and a target. The k-th post of the target towards the origin belongs to the k-th start
 * of the origin with this target. */
struct pair {
    uint32_t origin, target;      /* members */
    uint64_t exposures, accesses; /* that were begun, as far as they were read */
    struct stamps posts, completes;
    /* Times of the origin at which it ended its epochs, by their numbers; not for a summary. */
    uint64_t *completed;
    uint32_t num_completed, completed_room;
    struct pair *next; /* of the origin */
};

/* From MPI_Win_post to MPI_Win_wait, or from MPI_Win_start to MPI_Win_complete. */
struct epoch {
    struct ork_comm *comm; /* the window */
    bool is_exposure;
    uint64_t serial; /* as that of a request's operation */
    uint32_t partners;
    struct epoch *next; /* of the rank */
    struct partner {
        struct pair *pair;
        struct rank *rank;
        uint64_t number; /* of the epoch, for this pair */
        bool is_needed;  /* the epoch cannot end before the partner has begun, or ended, its own */
    } partner[];
};

#endif

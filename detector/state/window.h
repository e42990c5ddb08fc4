/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronisation of windows. */
#ifndef ORK_DETECTOR_WINDOW_H
#define ORK_DETECTOR_WINDOW_H

#include "detector/state/pool.h"
#include "record/record.h"

#include <stdbool.h>

struct lock_order;
struct proc;
struct mpi_thread;

enum { PAIR_BUCKETS = 4096 };

/* General active target: how often `target` has posted to `origin`, and how often `origin` has
 * started and completed towards `target`. */
struct pair {
    struct pair *next;
    uint32_t comm, target, origin;
    uint32_t posts, starts, completes;
};

/* The group of an open epoch of a process: access (start) or exposure (post). */
struct win_group {
    struct win_group *next;
    uint32_t comm;
    uint32_t count;
    bool access;
    bool is_deferred; /* the run passed MPI_Win_start before all targets had posted */
    uint32_t process[];
};

struct lock_name {
    uint32_t comm;   /* the window */
    uint32_t target; /* process; UINT32_MAX: all (MPI_Win_lock_all) */
    bool exclusive;
};

/* A passive target epoch, or the request for one. */
struct lock {
    struct lock *next;      /* of the window, oldest first */
    struct lock *held_next; /* of the same process */
    struct proc *proc;
    struct mpi_thread *thread; /* the thread that requested it */
    struct lock_name name;
    bool granted;
    bool is_latest;  /* the thread has requested no other lock since */
    bool in_doubt;   /* the run passed MPI_Win_lock, but another lock seems to exclude this one */
    bool is_counted; /* its place in the order of locks is known: */
    uint32_t before; /* conflicting ones that were released before it was granted */
    uint64_t learned, asked; /* when it was requested: see check/lock_order.c */
    struct ork_record call;
};

struct windows {
    struct pool pairs, locks;
    struct pair **pair_hash;       /* PAIR_BUCKETS; NULL: none yet */
    struct lock_order *lock_order; /* see check/lock_order.c */
    uint32_t num_lock_orders;
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Window locks as choice points: which conflicting critical sections were granted before each one
 * (docs/explanation/order.md). With the recorder's lock held, except ork_locks_leave(). */
#ifndef ORK_LOCKS_H
#define ORK_LOCKS_H

#include "interceptor/site/site.h"
#include "order/file/order.h"

#include <mpi.h>
#include <stdatomic.h>

/* A window was made on this communicator, or freed. */
void ork_locks_add_window(MPI_Win win, MPI_Comm comm);
void ork_locks_remove_window(MPI_Win win);

/* The arguments of a call that locks or unlocks. */
struct ork_lock_call {
    MPI_Win win;
    int rank; /* the target, or ORK_NO_RANK: all of them */
    int type; /* MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED */
    int assertion;
};

/* Its targets. */
struct ork_lock {
    _Atomic uint64_t *word; /* of the first target, as in record/sections.h */
    uint32_t stride;        /* from each word to that of the next target */
    uint32_t targets;       /* 1, or all of the window */
    bool is_exclusive;
    bool is_granted;  /* when the call that takes it returns; false: maybe later */
    uint32_t *latest; /* number of the latest lock of this kind; for locks.c */
};

/* False: no choice point, because nothing can conflict or the sections are not counted. */
bool ork_locks_find(const struct ork_lock_call *lock, struct ork_lock *found);

/* enum ork_lock_order of a call that locks. */
uint32_t ork_locks_order(const struct ork_lock_call *lock);

/* How many conflicting sections have been counted, modulo 2^31; of all targets, their sum. */
uint32_t ork_locks_number(const struct ork_lock *lock);
/* Is this at least `wanted`, which is near it? */
bool ork_locks_have_reached(const struct ork_lock *lock, uint32_t wanted);

/* A lock was taken: a choice of the calling thread. *since: what its EXIT record says
 * (record/lock_number.h). */
bool ork_locks_take(const struct ork_call *call, const struct ork_lock_call *lock, uint32_t *since);
/* The same for what was found before; no window has been freed since. False: out of memory. */
bool ork_locks_take_found(const struct ork_call *call, const struct ork_lock_call *lock,
                          const struct ork_lock *found, uint32_t *since);

/* It was not taken, because the call failed: this is a choice, too. */
void ork_locks_fail(const struct ork_call *call, const struct ork_lock_call *lock);

/* What names the memory of a target of a window in which atomics are ordered; 0: they are not, see
 * atomics.h. */
uint64_t ork_locks_key(MPI_Win win, int target);

/* Count a section like this one, which is held; returns the number before. */
uint32_t ork_locks_count(const struct ork_lock *lock);

/* The lock is about to be released. Waits until it is certainly granted, and counts the section;
 * makes a choice if more sections were before it than seemed to be when the lock was taken. */
void ork_locks_leave(const struct ork_call *call, const struct ork_lock_call *lock);

#endif

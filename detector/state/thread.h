/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of one thread of a process, and the call it is in. */
#ifndef ORK_DETECTOR_THREAD_H
#define ORK_DETECTOR_THREAD_H

#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>

struct id_counts;
struct op;
struct ork_detector;
struct proc;
struct wave;

/* made_on: no constructor was called, or one on an unknown communicator. */
#define MADE_ON_NONE    UINT32_MAX
#define MADE_ON_UNKNOWN (UINT32_MAX - 1)

struct record_queue {
    struct ork_record *slot;
    uint64_t *when; /* position in the order of the records of the process */
    size_t cap, first, count;
};

/* May the thread take the next record from its queue? See calls/order.c. */
enum thread_order {
    ORDER_FREE,
    ORDER_WAIT_PROGRAM,  /* another thread must make progress first, as the program ensures */
    ORDER_WAIT_ID_REUSE, /* the same, but only because a number is reused */
};

/* One thread of one process that called MPI. RATIONALE: the fields that nearly every record needs
 * come first, here and in struct proc: with thousands of ranks each cache line is fetched. */
struct mpi_thread {
    struct proc *proc;
    uint16_t thread;
    bool in_call;     /* inside `call` */
    bool blocks_bulk; /* see BULK_IN_CALL */
    bool exited;      /* the EXIT record of `call` was applied */
    bool returned;    /* the overlay saw that `call` returned */
    bool confirmed;   /* ork_call_confirm() was called */
    bool in_work;
    bool over;     /* the thread has ended: no more records come for it */
    uint32_t open; /* parts that are not complete */
    bool unknown;  /* what the call waits for is unknown: it returns when the run has continued */
    bool failed;   /* `call` returned an error */
    bool probes_matched; /* the latest call that has arrived is an MPI_Mprobe */
    uint32_t instance;   /* number among all threads of the process, from 1; never used again */
    uint64_t num_calls;
    struct op *send, *recv;
    uint64_t released; /* seq of the latest match of its operations */
    uint64_t sent;     /* seq of the latest send that was matched, when it was posted */
    struct wave *wave;
    struct mpi_thread *work_next;
    struct record_queue queue;
    struct id_counts *id_counts; /* of the queue; see calls/order.c */
    uint32_t *list;              /* of `call` */
    uint32_t list_cap;
    enum thread_order thread_order; /* not in a call, but records are queued: the reason */
    struct ork_record call;
    uint32_t *outcome; /* list of the EXIT record, kept for MPI_Waitany and similar calls */
    uint32_t outcome_cap, outcome_count;
    /* EXIT of a probe or wildcard receive; found_source ORK_NO_PEER: unknown */
    int32_t found_source, found_tag;
    uint32_t found_message;
    bool has_assumed;         /* the match of some member was assumed: the outcome will show it */
    bool has_cancelled;       /* some member is being cancelled */
    bool leaves_some;         /* a wait for all failed, and some members may still be pending */
    uint32_t members;         /* MPI_Waitany and similar calls: active members */
    uint32_t shared_needed;   /* MPI_Waitall: members that are shared handles */
    uint32_t unknown_handles; /* MPI_Wait and similar calls: handles of unknown requests */
    struct mpi_thread *wave_next, *wave_prev;
    struct mpi_thread *parked;     /* the next parked thread */
    struct mpi_thread *goes_after; /* must make progress first, up to `until`: see calls/order.c */
    uint64_t until;
    uint32_t made_on;    /* number of the latest constructor's communicator, or MADE_ON_... */
    uint32_t made_at;    /* index of its wave */
    struct wave *unsure; /* the arrival of `call` at this wave is taken back if the call fails */
    uint32_t unsure_member;
    /* enum ork_coll of the call by which another thread frees the communicator, window or file of
     * `call`: it is released when this thread leaves its call; ORK_COLL_NONE: none */
    uint16_t frees;
};

/* Threads that may be able to make progress, in order. */
struct ready {
    struct mpi_thread *head, *tail;
};

/* NULL: out of memory. */
struct mpi_thread *ork_thread_find(struct proc *p, uint16_t thread);
/* NULL: no such thread is alive. */
struct mpi_thread *ork_thread_find_live(const struct proc *p, uint16_t thread);
/* The thread has ended. */
void ork_thread_park(struct mpi_thread *th);
void ork_thread_destroy(struct mpi_thread *th);
/* Did the run continue after the call in which the thread is held? */
bool ork_thread_run_is_ahead(const struct mpi_thread *th);

/* ready_list.c */
void ork_ready_add(struct mpi_thread *th);
/* Examine its call again, if it is held. */
void ork_thread_wake(struct mpi_thread *th);
/* One of its `open` parts is complete. */
void ork_thread_part_done(struct mpi_thread *th);

#endif

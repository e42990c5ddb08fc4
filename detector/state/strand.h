/* SPDX-License-Identifier: BSD-3-Clause */
/* A strand is what one thread of a process does, record by record. */
#ifndef ORK_DETECTOR_STRAND_H
#define ORK_DETECTOR_STRAND_H

#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>

struct names;
struct op;
struct ork_detector;
struct proc;
struct wave;

/* made_on: no constructor was called, or one on a communicator that is not known. */
#define MADE_ON_NONE    UINT32_MAX
#define MADE_ON_UNKNOWN (UINT32_MAX - 1)

struct slots {
    struct ork_record *slot;
    uint64_t *when; /* place in the order of the records of the process */
    size_t cap, first, count;
};

/* May the strand take the next record from its queue? See calls/turn.c. */
enum turn {
    TURN_NOW,
    TURN_AFTER,  /* another strand has to go first: the program sees to it */
    TURN_NUMBER, /* the same, but only because a number is used again */
};

/* One thread of one process that called MPI. RATIONALE: what nearly every record needs comes first,
 * here and in struct proc: with thousands of ranks each cache line of it has to be fetched. */
struct strand {
    struct proc *proc;
    uint16_t thread;
    bool held;      /* inside `call` */
    bool is_odd;    /* see ODD_INSIDE */
    bool exited;    /* the EXIT record of `call` was applied */
    bool returned;  /* the overlay saw that `call` returned */
    bool confirmed; /* ork_call_confirm() was called */
    bool in_work;
    bool over;     /* the thread has ended: no more records come for it */
    uint32_t open; /* parts not complete */
    bool unknown;  /* nothing is known of what the call waits for: over when the run went on */
    struct op *send, *recv;
    uint64_t released; /* seq of the latest match of its operations */
    struct wave *wave;
    struct strand *work_next;
    struct slots queue;
    struct names *names; /* in the queue; see calls/turn.c */
    uint32_t *list;      /* of `call` */
    uint32_t list_cap;
    enum turn turn; /* not held, records are queued: why */
    struct ork_record call;
    uint32_t *outcome; /* list of the EXIT record, kept for MPI_Waitany and the like */
    uint32_t outcome_cap, outcome_count;
    /* EXIT of a probe or wildcard receive; found_source ORK_NO_PEER: not known */
    int32_t found_source, found_tag;
    uint32_t found_message;
    bool has_assumed;   /* which message some member took was assumed: the outcome will tell */
    bool has_cancelled; /* some member is to be cancelled */
    uint32_t members;   /* MPI_Waitany and the like: active ones */
    uint32_t bag_need;  /* MPI_Waitall: members that are shared handles */
    uint32_t strange;   /* MPI_Wait and the like: handles of no request that is known */
    struct strand *wave_next, *wave_prev;
    struct strand *parked; /* the next one that is not in use */
    struct strand *behind; /* another one has to go first; until when: see calls/turn.c */
    uint64_t until;
    uint32_t made_on; /* number of the communicator of the latest constructor call, MADE_ON_... */
    uint32_t made_at; /* and the index of its wave */
    struct wave *unsure; /* whose arrival by `call` is taken back if the call fails */
    uint32_t unsure_member;
};

/* Those that are worth a look, in the order in which they came. */
struct ready {
    struct strand *head, *tail;
};

/* NULL: out of memory. */
struct strand *ork_strand_find(struct proc *p, uint16_t thread);
/* NULL: there is none that lives. */
struct strand *ork_strand_find_live(const struct proc *p, uint16_t thread);
/* It has come to its end. */
void ork_strand_park(struct strand *st);
void ork_strand_destroy(struct strand *st);
/* Did the run go past the call in which it is held? */
bool ork_strand_has_moved(const struct strand *st);

/* ready_list.c */
void ork_ready_add(struct strand *st);
/* Let it look again, if it is held. */
void ork_strand_wake(struct strand *st);
/* One of `open` is complete. */
void ork_strand_part_done(struct strand *st);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random one-sided programs, and which of their accesses conflict, by reachability in the graph of
 * their events and by comparing all pairs of bytes. */
#ifndef FUZZ_ONESIDED_PROGRAM_H
#define FUZZ_ONESIDED_PROGRAM_H

#include "record/access.h"

#include <stdio.h>

enum { RANKS_MAX = 4, EVENTS_MAX = 80, ACCESSES_MAX = 192, WINDOWS = 3, SIZE = 10 };
enum { FENCED, STARTED, LOCKED }; /* how each window is synchronised */

/* All memory of a rank at the address BASE; the windows overlap. */
#define BASE UINT64_C(4096)

enum event_type {
    EVENT_SEND,
    EVENT_SSEND,
    EVENT_RECV,
    EVENT_RECV_ANY,
    EVENT_BARRIER,
    EVENT_BCAST,
    EVENT_REDUCE,
    EVENT_ALLREDUCE,
    EVENT_GATHER,
    EVENT_SCATTER,
    EVENT_ALLGATHER,
    EVENT_ALLTOALL,
    EVENT_FENCE,
    EVENT_POST,
    EVENT_START,
    EVENT_COMPLETE,
    EVENT_WAIT_WINDOW,
    EVENT_LOCK,
    EVENT_LOCK_ALL,
    EVENT_UNLOCK,
    EVENT_FLUSH,
    EVENT_FLUSH_LOCAL,
    EVENT_WAIT_REQUEST,
    EVENT_ACCESS,
    EVENT_TOUCH, /* loads or stores of the program to its own memory */
    EVENT_SYNC,  /* MPI_Win_sync */
};

struct event {
    enum event_type type;
    int window, peer; /* peer: destination, source, target, root; -1: all */
    int with;         /* number of the collective call, epoch or message: the same at all ranks */
    int tag;          /* of a message */
    bool is_exclusive;
    int request; /* EVENT_WAIT_REQUEST, EVENT_ACCESS, pending messages and collective calls: -1:
                  * none */
    int access;  /* EVENT_ACCESS: number of its first access */
    /* EVENT_ACCESS, EVENT_TOUCH */
    enum ork_access kind;
    bool is_store;
    int op, offset;
    /* Places of buffers in the own memory, -1: elsewhere. `sent`: the send buffer of a collective
     * call that has two. */
    int origin, sent;
    bool is_in_place;
    int length, copies, stride; /* of both sides: blocks, and bytes from one to the next; of a
                                 * message, and of the blocks of a collective call: `length` bytes
                                 */
    int site;
};

/* Is it a message, or a collective call with data? */
static inline bool event_has_data(const struct event *e)
{
    return e->type < EVENT_FENCE && e->type != EVENT_BARRIER;
}

/* Is it one with a buffer in the own memory? */
static inline bool event_has_buffer(const struct event *e)
{
    return event_has_data(e) && (e->origin >= 0 || e->sent >= 0);
}

/* Does it go on after its call, until a wait completes its request? */
static inline bool event_is_pending(const struct event *e)
{
    return event_has_data(e) && e->request >= 0;
}

/* From the first to the last byte of one side of an access. */
static inline int event_extent(const struct event *e)
{
    return (e->copies - 1) * e->stride + e->length;
}

struct program {
    int ranks;
    struct event event[RANKS_MAX][EVENTS_MAX];
    int events[RANKS_MAX];
    bool has_locks; /* of windows: some order of data may exist */
    bool has_touches;
    bool has_buffers; /* of messages and collective calls, in the memory of windows */
    bool is_separate; /* the windows are judged by the separate memory model */
    bool never_waits; /* no rank waits until a value shows in its memory */
};

/* *random: the state of the generator. few_sites: several accesses are by one call. */
void program_generate(struct program *p, uint64_t *random, bool few_sites);
/* One that the MPI library can execute: accesses are in epochs, and no lock can make ranks wait for
 * each other. */
void program_generate_real(struct program *p, uint64_t *random);
/* A short one of this kind, with any locks, after which nothing is open: a part of a loop. */
void program_generate_part(struct program *p, uint64_t *random);
/* As C, with each access on a line of its own: line[site]. */
void program_write(const struct program *p, FILE *out, int *line);
uint32_t program_random(uint64_t *random, uint32_t below);
void program_print(const struct program *p);

/* The records of a rank. Returns their number. */
enum { RECORDS_MAX = 8 + 16 * EVENTS_MAX + 3 * WINDOWS };
uint32_t program_records(const struct program *p, int rank, struct ork_record *record);

/* ---- uses.c: the buffers of messages and collective calls in the memory of windows ---- */

enum use_time { AT_BEGIN, AT_END, WHILE_PENDING };
struct use {
    enum use_time when;
    bool is_written;
    unsigned bytes; /* bit i: place i in the own memory */
};
enum { USES_MAX = 4 };
/* What event `index` of the rank uses, in this order. Returns their number. */
int program_uses(const struct program *p, int rank, int index, struct use use[USES_MAX]);
/* The event after which it is over: itself, or the wait that completes it; -1: there is none. */
int program_completion(const struct program *p, int rank, int index);
/* The bytes of an access or touch, from this place on. */
unsigned event_bytes(const struct event *e, int place);
/* The sizes of the buffers of a collective call. */
int program_sent_size(const struct program *p, const struct event *e);
int program_received_size(const struct program *p, const struct event *e);
/* Does the rank use its send buffer, or its receive buffer? */
bool event_sends(const struct event *e, int rank);
bool event_receives(const struct event *e, int rank);

/* Do these calls, by their sites, make accesses that conflict? */
enum { SITES_MAX = 256 };
struct expected {
    bool conflict[SITES_MAX][SITES_MAX];
};
void program_conflicts(const struct program *p, struct expected *e);
/* Does the call of the second site use a buffer that the pending one of the first site uses, in the
 * same rank, and one of them writes there? Loads and stores count, also with those of one-sided
 * calls. */
void program_overlaps(const struct program *p, struct expected *e);

/* Which events are complete before others begin, and which may have told others something before
 * those ended: by rank and index. */
enum { ORDER_EVENTS = RANKS_MAX * EVENTS_MAX };
struct program_order {
    bool before[ORDER_EVENTS][ORDER_EVENTS], before_at_origin[ORDER_EVENTS][ORDER_EVENTS];
    bool tells[ORDER_EVENTS][ORDER_EVENTS];
};
static inline int program_event(int rank, int index)
{
    return rank * EVENTS_MAX + index;
}
void program_order(const struct program *p, struct program_order *o);

#endif

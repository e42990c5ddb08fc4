/* SPDX-License-Identifier: BSD-3-Clause */
/* Random one-sided programs, and which of their accesses conflict, by reachability in the graph of
 * their events and by comparing all pairs of bytes. */
#ifndef FUZZ_ONESIDED_PROGRAM_H
#define FUZZ_ONESIDED_PROGRAM_H

#include "record/access.h"

#include <stdio.h>

enum { RANKS_MAX = 4, EVENTS_MAX = 64, ACCESSES_MAX = 128, WINDOWS = 3, SIZE = 10 };
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
    bool is_exclusive;
    int request; /* EVENT_WAIT_REQUEST, EVENT_ACCESS: -1: none */
    int access;  /* EVENT_ACCESS: number of its first access */
    /* EVENT_ACCESS, EVENT_TOUCH */
    enum ork_access kind;
    bool is_store;
    int op, offset, origin;     /* origin: place in the own memory, -1: elsewhere; also of a message
                                 * and of EVENT_BCAST, which have `length` bytes */
    int length, copies, stride; /* of both sides: blocks, and bytes from one to the next */
    int site;
};

/* Is it a message or a collective call with a buffer in the own memory? */
static inline bool event_has_buffer(const struct event *e)
{
    return e->type <= EVENT_BCAST && e->origin >= 0;
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
    bool has_buffers; /* messages, but no origins of accesses, are in the memory of windows */
    bool is_separate; /* the windows are judged by the separate memory model */
};

/* *random: the state of the generator. few_sites: several accesses are by one call. */
void program_generate(struct program *p, uint64_t *random, bool few_sites);
/* One that the MPI library can execute: accesses are in epochs, and no lock can make ranks wait for
 * each other. If it has loads and stores, no buffer is in the memory of a window: those are
 * compared elsewhere. */
void program_generate_real(struct program *p, uint64_t *random);
/* As C, with each access on a line of its own: line[site]. */
void program_write(const struct program *p, FILE *out, int *line);
uint32_t program_random(uint64_t *random, uint32_t below);
void program_print(const struct program *p);

/* The records of a rank. Returns their number. */
enum { RECORDS_MAX = 8 + 4 * EVENTS_MAX + 3 * WINDOWS };
uint32_t program_records(const struct program *p, int rank, struct ork_record *record);

/* Do these calls, by their sites, make accesses that conflict? */
enum { SITES_MAX = 256 };
struct expected {
    bool conflict[SITES_MAX][SITES_MAX];
};
void program_conflicts(const struct program *p, struct expected *e);

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

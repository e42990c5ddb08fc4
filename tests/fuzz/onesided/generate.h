/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is being made: see generate.c. */
#ifndef FUZZ_ONESIDED_GENERATE_H
#define FUZZ_ONESIDED_GENERATE_H

#include "tests/fuzz/onesided/program.h"

enum { MESSAGES_MAX = 8, EXPECTED_MAX = 4, LENGTHS = 4, OPEN_MAX = 8 };

struct message {
    int from, to, number, length, tag;
};

/* A request that no wait has completed. */
struct open {
    int request;
    int message; /* the number of the message without which it is not complete; -1: none */
    bool is_access;
};

struct state {
    struct program *p;
    uint64_t *random;
    int numbers;
    struct message message[MESSAGES_MAX]; /* sent and not received */
    int messages;
    struct message expected[EXPECTED_MAX]; /* received and not sent */
    int num_expected;
    int lock[RANKS_MAX][RANKS_MAX]; /* of the window LOCKED, by origin and target: 0: none, 1:
                                     * shared, 2: exclusive */
    bool has_all[RANKS_MAX];
    int posted[RANKS_MAX];  /* by target: origin of its epoch; -1: none */
    int started[RANKS_MAX]; /* by origin: target */
    int epoch[RANKS_MAX];   /* by target: number of the epoch */
    bool is_complete[RANKS_MAX];
    struct open open[RANKS_MAX][OPEN_MAX];
    int opened[RANKS_MAX];
    int accesses, sites;
    bool few_sites, may_lock, may_touch;
    bool has_no_groups; /* no epochs of MPI_Win_post and MPI_Win_start */
    bool has_no_messages;
    bool is_unified;      /* it is not judged by the separate memory model */
    bool may_pend;        /* messages and collective calls may be nonblocking */
    bool is_real;         /* the MPI library executes it */
    bool has_exclusive;   /* is_real: locks may be exclusive */
    bool is_part;         /* of a loop: all requests are waited for, */
    bool is_synchronized; /* and it ends with a fence */
    int most_steps;       /* 0: any */
    bool keeps_distance;  /* a buffer is not placed where a pending one of its rank is */
};

/* ---- generate.c ---- */
int any(struct state *s, int below);
struct event *add_event(struct state *s, int rank, enum event_type type, int window, int peer,
                        int with);
int any_site(struct state *s);
/* Give the event a request. False: there are too many. `message`: see struct open. */
bool open_request(struct state *s, struct event *e, int rank, int message);
/* Complete a request of the rank, if one can be. */
void wait_request(struct state *s, int rank);
/* Is there room for the uses of one more event? */
bool has_room(const struct state *s);

/* ---- generate_messages.c ---- */
void send(struct state *s, int from, int to);
void send_synchronous(struct state *s, int from, int to);
void receive(struct state *s);
/* Post a receive before its message is sent; send such a message. */
void expect(struct state *s, int from, int to);
void send_expected(struct state *s);

/* ---- generate_collective.c ---- */
void collective(struct state *s, enum event_type type, int window, int root);
/* A call with data, at all ranks. */
void exchange(struct state *s, int root);

/* ---- generate_epochs.c ---- */
void start(struct state *s, int target, int origin);
void complete(struct state *s, int origin);
void wait_window(struct state *s, int target);
void lock(struct state *s, int origin, int target, bool exclusive);
void lock_all(struct state *s, int origin);
void unlock(struct state *s, int origin, int target);
void flush(struct state *s, int origin, int target);

/* ---- generate_accesses.c ---- */
void make_access(struct state *s, int rank, int window, int target);
/* Loads or stores of the rank itself. */
void make_touch(struct state *s, int rank);
void sync_window(struct state *s, int rank);

/* ---- place.c ---- */
/* Where a buffer of `size` bytes of the rank is; -1: not in the memory of windows. `taken`: bytes
 * that it must not use. */
int place_buffer(struct state *s, int rank, int size, unsigned taken, bool is_written);

#endif

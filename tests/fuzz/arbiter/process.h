/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank: its program, and what the interceptor does with its calls in a deterministic run
 * (docs/explanation/deterministic.md), or in a free one, where the library decides. */
#ifndef ORK_FUZZ_ARBITER_PROCESS_H
#define ORK_FUZZ_ARBITER_PROCESS_H

#include "record/upcoming.h"
#include "tests/fuzz/arbiter/library.h"

enum { MAX_RECORDS = 1024, MAX_INBOX = 512 };

struct slot {
    bool active;
    uint32_t op;
};

/* A target that the rank has locked, by this step. */
struct held {
    bool is;
    struct step by;
};

struct process {
    struct library *library;
    struct wfg_random *random;
    uint32_t rank;
    bool is_free;
    bool initialised, ended;
    uint32_t pc, phase, polls, row;
    struct slot slot[SLOTS];
    uint32_t receive, send; /* operations of the call */
    uint32_t wildcards;
    uint32_t calls[COMMS]; /* collective ones */
    uint32_t probed;       /* message of a matched probe */
    uint32_t messages;     /* numbers of those */
    int32_t latest;        /* source of the latest message; NOBODY */
    uint64_t hash;         /* of all outcomes */
    uint64_t skip_hash;
    struct held held[MAX_RANKS];
    uint64_t one_sided, told; /* calls; those that the tool knows */
    /* the question */
    uint32_t asks;
    bool answered;
    struct ork_decision answer;
    bool ending, ended_test; /* its test is over; it has said that it knows */
    struct ork_decision inbox[MAX_INBOX];
    uint32_t inbox_count;
    /* messages that it was told of, and the receive that is being posted */
    struct ork_upcoming told_of;
    bool post_is, post_is_any;
    uint32_t post_place;
    int32_t post_source, post_tag;
    /* records */
    struct ork_record record[MAX_RECORDS];
    uint32_t records, fed;
    const char *problem; /* static storage; NULL: none */
};

void process_init(struct process *p, struct library *l, struct wfg_random *random, uint32_t rank,
                  bool is_free);
/* Go on. False: it cannot. */
bool process_step(struct process *p);
/* Does it, in a run that has stopped, wait although a message has arrived for it? *is_known: for
 * one of the reasons of deterministic.md: the message is for a receive that names its source and is
 * held behind a receive from any source, or the rank was let into a blocking collective call. */
bool process_is_starved(const struct process *p, bool *is_known);
/* Does it wait for a lock that the library would grant, or for the turn of an atomic? */
bool process_is_locked_out(const struct process *p);

#endif

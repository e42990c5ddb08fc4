/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of the exploration. A state is the step of each rank and the set of matched operations.
 * It is changed in place, and a journal records every change, so that it can be undone. */
#ifndef ORK_INTERLEAVE_INTERNAL_H
#define ORK_INTERLEAVE_INTERNAL_H

#include "common/assert.h"
#include "common/hash.h"
#include "common/hash_map.h"
#include "detector/interleave/interleave.h"

#define NIL UINT32_MAX
/* Instead of a component: decide nothing, examine all ranks. */
#define NOWHERE (UINT32_MAX - 1)

enum { ANY_TAG = -1 };

/* --- the program --- */

struct posting {
    struct ork_interleave_op is;
    uint32_t dest, chan; /* chan: NIL for a receive from any source */
    uint32_t step;       /* the step of its rank that posts it */
    uint32_t shown;      /* the first step after which the rank may know its message; NIL: none */
    uint32_t same;       /* next send, or next receive, of the channel in program order */
    uint32_t component;
    uint32_t partner; /* filter: step that posts the certain match, at the other rank; NIL: none */
    /* state */
    uint32_t next, prev; /* posted and unmatched operations: receives of dest, sends of chan */
    uint32_t mate;
    bool posted, matched, released;
    bool telling;          /* send: its rank knew of a message that differs from the run */
    uint32_t differs_next; /* earlier receive of this rank whose message differs from the run */
};

/* Messages of one communicator to one rank. */
struct dest {
    uint32_t comm, rank;
    uint32_t first, last; /* posted and unmatched receives, in order */
    uint32_t first_chan;
    uint32_t num_receives, num_wildcards, num_sends;
    uint32_t *receive; /* filter: the steps that post receives, if `uniform` */
    bool uniform;      /* any receive may take any message, all are wildcard receives */
    uint32_t besides;  /* filter: as rank[].point, for calls other than receives here */
    bool dirty;
    uint32_t dirty_next;
};

struct chan {
    uint32_t dest, src;
    uint32_t next;                        /* next channel of the dest */
    uint32_t first, last;                 /* posted and unmatched sends */
    uint32_t all, all_last;               /* sends in program order, by `same` */
    uint32_t all_receives, receives_last; /* receives from this source, likewise */
    uint32_t unposted;                    /* the first send that is not posted */
    uint32_t besides; /* filter: as rank[src].point, for calls other than sends to dest */
};

struct group {
    uint32_t *rank;
    uint32_t count;
    uint32_t *index;        /* by rank; NIL: not a member */
    uint64_t bits, doubled; /* filter: of the ranks, modulo 64; and those of several ranks */
};

struct collective {
    uint32_t group, info;
    bool is_last;
    uint32_t *arrival; /* by member: the step + 1; NIL: never */
    uint32_t callers;  /* filter: members that call it; */
    uint32_t arrived;  /* state */
    uint32_t tellers;  /* ranks among them that knew of a message that differs from the run */
    uint32_t component;
};

enum step_type { STEP_POST, STEP_ARRIVE, STEP_RELEASE, STEP_AWAIT, STEP_PEEK };

struct step {
    uint8_t type, mode;
    uint32_t number; /* number of an operation (PEEK: of one that is never posted) or wave */
    uint32_t part, parts, took;
    uint32_t info;
};

struct rank {
    struct step *step;
    uint32_t steps, cap;
    uint64_t *suffix; /* by step: hash of it and all later ones, without the rank's number */
    /* filter, by step: bits of the ranks, modulo 64, for whose messages it or a later one may wait
     */
    uint64_t *waits_for;
    uint64_t groups; /* hash of its groups */
    bool named;      /* other ranks name it as destination or source */
    bool ended;
    uint32_t component;
    /* state */
    uint32_t pc;
    uint32_t pending; /* operations posted and unmatched */
    uint32_t differs;
    uint32_t missed; /* receives that took its message in the run but another message now */
    bool told;       /* it may know of a message that differs from the run, from another rank */
    bool stopped;    /* its further steps are unknown */
    bool ready;
    uint32_t ready_next;
    uint32_t point; /* filter: the first step in which it may be stuck */
};

/* --- the search --- */

struct key {
    uint64_t a, b;
};

enum change { DID_POST, DID_MATCH, DID_STEP, DID_ARRIVE, DID_RELEASE, DID_HEAR, DID_STOP };

struct entry {
    enum change change;
    uint32_t a, b;
};

struct frame {
    uint32_t mark;        /* position in the journal before the decision that led here */
    uint32_t first, next; /* decisions */
    struct key key;
};

struct match {
    uint32_t send, receive;
};

struct vector {
    void *item;
    uint32_t count, cap;
};

struct ork_interleave {
    uint32_t ranks;
    enum ork_status status;
    struct ork_interleave_op nothing; /* returned after an error, for the caller to change */
    bool is_ready;
    bool has_ended;  /* some rank ends without MPI_Finalize */
    bool waves_pass; /* filter: see do_waves_pass() */
    struct rank *rank;
    struct vector op, dest, chan, group, wave, part;
    struct ork_hash_map by_key; /* dests and channels, by a hash of their keys: number + 1 */
    struct vector journal, frame, choice, path;
    struct key state;
    uint32_t root; /* journal position of the state after all certain steps at the start */
    uint32_t dirty_first, dirty_last, ready_first, ready_last;
    uint32_t component; /* the one being searched; NIL: decisions are taken as in the run */
    struct key *memo;
    uint64_t memo_size, memo_count;
    struct ork_interleave_options options;
    struct ork_interleave_statistics statistics;
    uint64_t stop_at, ask_at; /* of statistics.steps: the search stops; it asks whether to stop */
    struct ork_interleave_graph found;
};

/* An invariant of the state. When memory runs out, the journal lacks changes, so an undo leaves an
 * invalid state: the search draws no conclusion from it. */
#define STATE_ASSERT(p, condition) ORK_ASSERT((p)->status != ORK_OK || (condition))

#define AT(p, what, type, i) (&((type *)(p)->what.item)[i])
static inline struct posting *posting_at(const struct ork_interleave *p, uint32_t i)
{
    return AT(p, op, struct posting, i);
}
static inline struct dest *dest_at(const struct ork_interleave *p, uint32_t i)
{
    return AT(p, dest, struct dest, i);
}
static inline struct chan *chan_at(const struct ork_interleave *p, uint32_t i)
{
    return AT(p, chan, struct chan, i);
}
static inline struct collective *collective_at(const struct ork_interleave *p, uint32_t i)
{
    return AT(p, wave, struct collective, i);
}
static inline struct group *group_at(const struct ork_interleave *p, uint32_t i)
{
    return AT(p, group, struct group, i);
}
static inline struct ork_interleave_part *part_at(const struct ork_interleave *p, uint32_t i)
{
    return AT(p, part, struct ork_interleave_part, i);
}

/* program.c */
/* A new last element, zeroed; NULL: out of memory, and p->status is set. */
void *ork_vector_add(struct ork_interleave *p, struct vector *v, uint32_t size);
uint32_t ork_chan_find(const struct ork_interleave *p, uint32_t dest, uint32_t src); /* NIL: none */

static inline bool is_wildcard(const struct posting *op)
{
    return !op->is.is_send && op->is.peer == ORK_INTERLEAVE_ANY;
}

static inline bool tags_fit(const struct posting *receive, const struct posting *send)
{
    return receive->is.tag <= ANY_TAG || receive->is.tag == send->is.tag;
}

/* state.c */
/* Make every step and match that is certain. */
void ork_state_run(struct ork_interleave *p);
void ork_state_start(struct ork_interleave *p);
void ork_state_match(struct ork_interleave *p, uint32_t send, uint32_t receive);
uint32_t ork_state_mark(const struct ork_interleave *p);
void ork_state_undo(struct ork_interleave *p, uint32_t mark);
/* May `receive` take `send`, with no earlier receive that could take it? Both are posted and
 * unmatched. NIL as `receive`: one that is not posted. */
bool ork_state_is_legal(const struct ork_interleave *p, uint32_t send, uint32_t receive);
/* The first message of the channel that `receive` could take; NIL: none. */
uint32_t ork_state_first_fit(const struct ork_interleave *p, const struct chan *c,
                             const struct posting *receive);
bool ork_state_is_complete(const struct ork_interleave *p, const struct ork_interleave_part *part);
bool ork_state_has_arrived(const struct ork_interleave *p, const struct collective *w,
                           uint32_t member);
/* Does it wait until another rank acts? */
bool ork_state_is_blocked(const struct ork_interleave *p, uint32_t rank);
bool ork_is_allowed(const struct posting *receive, const struct posting *send);
bool ork_is_different(const struct posting *receive, const struct posting *send);

/* filter.c */
void ork_filter_prepare(struct ork_interleave *p);
/* May some rank be stuck in a state that follows the current one? If so, rank[].point is where. */
bool ork_filter_may_deadlock(struct ork_interleave *p);

/* choices.c */
void ork_choices_prepare(struct ork_interleave *p);
/* Add the decisions that are possible now to p->choice. */
void ork_choices_add(struct ork_interleave *p);
/* A match outside the component that is searched, as in the run if possible; false: none. */
bool ork_choices_default(struct ork_interleave *p, struct match *pair);

/* terminal_state.c */
/* In a state without progress: is it a deadlock? If so, p->found has the graph. */
bool ork_terminal_is_deadlock(struct ork_interleave *p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Conflicts of one-sided accesses: follows the records of all ranks, and finds accesses to the same
 * bytes that nothing orders, of which at least one is an update (MPI-3.1 section 11.7), and
 * accesses outside the memory of a window. docs/explanation/one-sided.md describes how. Pure: no
 * MPI, no I/O, no clock, no threads, no globals. */
#ifndef ORK_ONESIDED_H
#define ORK_ONESIDED_H

#include "common/status.h"
#include "common/words.h"
#include "record/access.h"

struct ork_onesided;

/* For ranks 0 to `nprocs` - 1 of one MPI_COMM_WORLD. The caller owns *out. ORK_NOMEM. */
enum ork_status ork_onesided_create(uint32_t nprocs, struct ork_onesided **out);
/* The events of the run, for who writes them down with their stamps: accesses, the calls that
 * synchronise windows, and all others by which a rank tells others or learns from them.
 * docs/explanation/one-sided.md says what a stamp means. Events of a rank have numbers from 1. */
struct ork_stamped {
    uint32_t rank, site;
    uint64_t number;
    uint16_t call;         /* enum ork_call_id; 0: a load or store */
    const uint32_t *clock; /* by rank: what it knew when the event began */
};

struct ork_onesided_listener {
    void *context;
    void (*event)(void *context, const struct ork_stamped *event);
    /* The latest event of the rank is an access to the memory of `target` with this window, by the
     * rank's number; `reads`: it changes nothing there. Or it is a load or store, and so complete
     * at once. */
    void (*access)(void *context, uint32_t rank, uint32_t window, uint32_t target, bool reads);
    void (*touch)(void *context, uint32_t rank, uint32_t window, bool reads);
    /* It is a load from or store to the private copy of the separate memory model. It sees what
     * others had updated before event `seen` of its rank was over (0: nothing); and a store is
     * complete at the origin at once, but everywhere from the value of `complete` on. */
    void (*private_copy)(void *context, uint32_t rank, uint64_t seen);
    /* From this value of the rank's own component on, an access is complete: at the target, or only
     * at the origin. */
    void (*complete)(void *context, uint32_t rank, uint64_t number, bool at_target, uint32_t value);
    /* The event learned what this other one knew when it began; `at_start`: before the event did
     * anything, else before it ended. */
    void (*learn)(void *context, uint32_t rank, uint64_t number, uint32_t from, uint64_t mark,
                  bool at_start);
    /* The latest event of the rank is part of a collective call; it learned what all of them knew
     * when they began. */
    void (*arrive)(void *context, uint32_t rank, uint64_t wave);
    void (*learn_all)(void *context, uint32_t rank, uint64_t wave);
};
/* Before the first record. *listener must outlive it. ORK_NOMEM. */
enum ork_status ork_onesided_listen(struct ork_onesided *o,
                                    const struct ork_onesided_listener *listener);

/* Before the first record: also find racing calls (ork_onesided_racing()). ORK_NOMEM. */
enum ork_status ork_onesided_follow_racing(struct ork_onesided *o);

/* May the program wait for a value with the load of this call site of a rank? `is_element`: the
 * load is of at most 8 bytes. The same answer each time. */
typedef bool ork_onesided_may_wait(void *context, uint32_t rank, uint32_t site, bool is_element);
/* Before the first record. Without it, every load may wait. */
void ork_onesided_ask(struct ork_onesided *o, ork_onesided_may_wait *may_wait, void *context);

/* NULL is allowed. */
void ork_onesided_destroy(struct ork_onesided *o);

/* The next records of `rank`, in the order in which it wrote them; a batch may end between a record
 * and its continuation. They are untrusted. ORK_NOMEM: unusable from now on. */
enum ork_status ork_onesided_feed(struct ork_onesided *o, uint32_t rank,
                                  const struct ork_record *record, size_t n);
/* After the last record of `rank`. ORK_NOMEM. */
enum ork_status ork_onesided_end(struct ork_onesided *o, uint32_t rank);

/* Write all that later records depend on: two states with equal words that get the same records
 * lead to such states and the same conflicts. False: something is not compared, there are more than
 * `limit` words, or memory ran out. */
bool ork_onesided_state(struct ork_onesided *o, size_t limit, struct ork_words *state);

/* Has a rank made a window? */
bool ork_onesided_has_windows(const struct ork_onesided *o);
/* When no more records come: why some accesses were not compared (static storage); NULL: all
 * were. */
const char *ork_onesided_lost(const struct ork_onesided *o);

/* The same for the order of events: why it is not known for all (static storage); NULL: it is. */
const char *ork_onesided_unfollowed(const struct ork_onesided *o);

/* What an access does to the bytes. */
enum ork_touch {
    ORK_TOUCH_GET,
    ORK_TOUCH_PUT,
    ORK_TOUCH_ACCUMULATE, /* and its variants that return the old value */
    ORK_TOUCH_READ,       /* of a buffer of the calling rank, by a call */
    ORK_TOUCH_WRITE,
    ORK_TOUCH_LOAD, /* of a rank's own memory in a window, by its program */
    ORK_TOUCH_STORE,
};

static inline bool ork_touch_is_plain(enum ork_touch touch)
{
    return touch == ORK_TOUCH_LOAD || touch == ORK_TOUCH_STORE;
}

/* Why the rank may access the window (MPI-3.1 section 11.5). */
enum ork_epoch_type {
    ORK_IN_FENCE,
    ORK_IN_START,
    ORK_IN_LOCK,
    ORK_IN_LOCK_ALL,
    ORK_IN_NONE, /* a load or store of a rank that has not locked its own memory */
};

/* One access of a conflict. */
struct ork_touched {
    uint32_t rank, site; /* of the call, by the rank's numbers */
    uint16_t call;       /* enum ork_call_id; 0: none, it is a load or store; of ORK_TOUCH_LOAD or
                          * _STORE: the pending operation that makes it */
    enum ork_touch touch;
    enum ork_epoch_type epoch;
    bool is_exclusive; /* of ORK_IN_LOCK */
    bool is_over;      /* the rank completed it at the target */
    bool is_known;     /* of a conflict: the other rank knew that the call was made, though not that
                        * it was complete */
    bool is_read;      /* it changes nothing there */
    bool is_choice;    /* of ORK_TOUCH_ACCUMULATE: its place among others is one of the order */
    uint32_t op, type; /* of ORK_TOUCH_ACCUMULATE, as in the record */
    /* Its bytes low .. high - 1: from the start of the memory of the window if the memory has one,
     * else an address. */
    int64_t low, high;
    bool is_address;
    bool has_gaps; /* not all of them */
};

/* The graver ones first. */
enum ork_conflict_kind {
    ORK_CONFLICT_NONE,      /* it is allowed */
    ORK_CONFLICT_UNORDERED, /* nothing orders the accesses */
    ORK_CONFLICT_BY_NAME,   /* the same, but they are accumulates that are allowed except for the
                             * names of their datatypes */
    ORK_CONFLICT_SEPARATE,  /* only in the separate memory model (separate.c); no call orders the
                             * accesses */
    ORK_CONFLICT_UNSYNCED,  /* the same, but one is complete before the other: in between, the owner
                             * of the memory does not make its copies equal */
};

/* Accesses of two calls to the memory of one rank. */
struct ork_conflict {
    struct ork_touched first, second; /* an example; by rank, then in the order of the calls */
    uint32_t target;                  /* whose memory it is */
    uint32_t window;                  /* number of the window at the rank of `second` */
    enum ork_conflict_kind kind;
    bool is_second_earlier; /* ORK_CONFLICT_UNSYNCED: the second access comes first */
    bool has_flags;         /* ORK_CONFLICT_SEPARATE: data may order the accesses */
    bool is_portable;       /* of these two kinds: the model of the window is the unified one */
    uint64_t times;
};

/* All conflicts so far, each pair of calls once, by rank and call site; `take` returns false to
 * stop. Only when no more records come: what they may order is not known before. ORK_NOMEM. */
typedef bool ork_conflict_take(void *context, const struct ork_conflict *conflict);
enum ork_status ork_onesided_conflicts(struct ork_onesided *o, ork_conflict_take *take,
                                       void *context);

/* A call that another rank makes, too, or a load or store: outcomes depend on which comes first,
 * and neither messages nor choice points say it. It updates or fetches an element, in any epoch
 * (one that is in a conflict of the unified memory model counts, too), or uses the shared pointer
 * of a file, or is a window lock that is not counted. */
struct ork_racing_call {
    uint32_t rank, site;
    uint16_t call;        /* enum ork_call_id; 0: a load or store */
    enum ork_touch touch; /* of an access */
};

/* All of them, by rank and call site; at least the first ones of each rank. As
 * ork_onesided_conflicts(). */
typedef bool ork_racing_take(void *context, const struct ork_racing_call *call);
enum ork_status ork_onesided_racing(struct ork_onesided *o, ork_racing_take *take, void *context);

/* Accesses of one call that are not inside the memory of the target. */
struct ork_outside {
    struct ork_touched access; /* the first one */
    uint32_t target, window;
    uint64_t size;   /* of the window there */
    bool is_dynamic; /* the window: the memory is not attached to it */
    bool is_failed;  /* the call returned an error */
    uint64_t times;
};
/* Before it, when no more records come: find the accesses to memory that is not attached.
 * ORK_NOMEM. */
enum ork_status ork_onesided_judge(struct ork_onesided *o);
typedef bool ork_outside_take(void *context, const struct ork_outside *outside);
void ork_onesided_outside(struct ork_onesided *o, ork_outside_take *take, void *context);

#endif

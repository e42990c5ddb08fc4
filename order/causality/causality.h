/* SPDX-License-Identifier: BSD-3-Clause */
/* Which outcomes of a run's choice points could have been otherwise (docs/explanation/
 * alternatives.md): follows the records of all ranks, orders their events by causality, and finds
 * the messages that a receive or probe could have taken instead, and the requests that a call could
 * have completed instead. Pure: no MPI, no I/O, no clock, no threads, no globals. */
#ifndef ORK_CAUSALITY_H
#define ORK_CAUSALITY_H

#include "common/status.h"
#include "order/file/order.h"
#include "record/record.h"

struct ork_causality;

/* For ranks 0 to `nprocs` - 1 of one MPI_COMM_WORLD. The caller owns *out. ORK_NOMEM. */
enum ork_status ork_causality_create(uint32_t nprocs, struct ork_causality **out);
/* Before the first record: vector clocks that need more bytes than that are replaced by one number
 * for each rank, which finds fewer alternatives, and no infeasible ones either; see ORK_GAP_CLOCKS.
 * A summary of races ends there: ork_causality_lost(). */
void ork_causality_set_limit(struct ork_causality *c, uint64_t bytes);
/* NULL is allowed. */
void ork_causality_destroy(struct ork_causality *c);

/* The next records of `rank`, in the order in which it wrote them; a batch may end between a record
 * and its continuation. They are untrusted: from an invalid one on, the rank is not followed, see
 * ork_causality_lost(). ORK_NOMEM: unusable from now on. */
enum ork_status ork_causality_feed(struct ork_causality *c, uint32_t rank,
                                   const struct ork_record *record, size_t n);
/* How a rank ended. */
enum ork_causal_end {
    ORK_CAUSAL_OWN,     /* by itself: it finished, crashed, aborted */
    ORK_CAUSAL_OUTSIDE, /* it was ended from outside, when it was in no call that can block */
    ORK_CAUSAL_INSIDE,  /* the same, inside such a call */
};
/* After the last record of `rank`. */
void ork_causality_end(struct ork_causality *c, uint32_t rank, enum ork_causal_end how);
/* Why the rank was not followed to its end (static storage); NULL: it was. */
const char *ork_causality_lost(const struct ork_causality *c, uint32_t rank);

/* A choice point, with its number in the stream of its rank (order/file/order.h), from 1: only
 * ranks with one thread are followed. 0: a receive that had taken a message, but was not complete
 * when the rank ended; `post` names it. */
struct ork_causal_choice {
    uint8_t kind; /* enum ork_choice_kind */
    uint32_t rank;
    uint64_t number;
    uint64_t post; /* as in struct ork_choice */
    uint32_t site, post_site;
    uint16_t post_call;         /* enum ork_call_id, at post_site; 0: it is no receive or probe */
    int32_t source, tag;        /* RECEIVE and PROBE: of the message that it took */
    uint32_t sender, send_site; /* world rank, UINT32_MAX: unknown; the call that sent it */
    uint16_t send_call;         /* enum ork_call_id, at send_site; 0: unknown */
};

/* All choices of the run so far that a record shows, by rank and number: all but window locks, and
 * tests that completed nothing. Of a WAIT, TEST or CANCEL, source, tag and sender mean nothing.
 * `take` returns false to stop. */
typedef bool ork_choice_take(void *context, const struct ork_causal_choice *choice);
void ork_causality_choices(const struct ork_causality *c, ork_choice_take *take, void *context);
/* The same with the calls that decided them, for drawings. `post_call` and `post_site` of a WAIT,
 * TEST or LOCK are those of its call; `sender`, `send_call` and `send_site` are those of a message
 * whose receive the WAIT or TEST completed, one after the other, or of the latest conflicting
 * section of another rank before the LOCK: MPI_Win_lock, or an ordered atomic. A choice without
 * such a call comes once, with `send_call` 0. */
void ork_causality_deciders(const struct ork_causality *c, ork_choice_take *take, void *context);

enum { ORK_SET_MAX = 6 };

/* Another outcome of a choice. */
struct ork_alternative {
    struct ork_causal_choice choice;
    /* RECEIVE, PROBE: the other message. LOCK: `source` is the target, `tag` the other number of
     * sections before it, see struct ork_choice; `sender` is unknown. */
    int32_t source, tag;
    uint32_t sender, send_site;
    /* WAIT, TEST: the other indices, as in struct ork_choice. Of calls for some requests these are
     * all other sets, if there are at most ORK_SET_MAX possible indices; else each of them alone,
     * and all together. LOCK: the sections before it, as in struct ork_locked_choice. */
    const uint32_t *index;
    uint32_t count;
    /* TEST, and PROBE of MPI_Iprobe and MPI_Improbe. ONE_MORE: the choice is made after one more
     * unsuccessful poll, if it is made at all. FEWER: the choice is another test or probe, which
     * was unsuccessful in this run, after so many unsuccessful ones. choice.kind is its kind, and
     * choice.number that of the choice that the rank made then, or would have made. AGAIN: the
     * same, but the poll is equal to one that was unsuccessful before, and the first such one after
     * at least so many unsuccessful ones; it need not come. ALL_ABANDONED: all polls that are equal
     * to those before the choice are unsuccessful, until the rank makes another one, or another
     * choice; it need not. ABANDONED: only until it makes another call. */
    enum {
        ORK_POLLS_SAME,
        ORK_POLLS_FEWER,
        ORK_POLLS_ONE_MORE,
        ORK_POLLS_AGAIN,
        ORK_POLLS_ABANDONED,
        ORK_POLLS_ALL_ABANDONED
    } polls;
    struct {
        /* enum ork_call_id, and as in struct ork_choice. Also of a LOCK that was not granted in
         * this run: choice.number is then that of the choice that the rank would have made. */
        uint16_t call;
        uint32_t place;
        uint64_t polls; /* ORK_POLLS_ALL: as many as there were before the choice */
        /* As in struct ork_polled_choice, of the choice with its other outcome: FEWER */
        uint64_t different, same;
        /* The same: FEWER, AGAIN; `num_distinct` of those that are abandoned. */
        uint64_t num_distinct, poll_index;
        uint64_t first; /* AGAIN: the equal one was made after so many */
    } poll;
    /* What does not depend on this choice: the first keep[r] choices of each rank r, and of further
     * ones the receives of the list (RECEIVE with `post`): they were posted, and matched, without
     * it. Its `number` may be 0, see above. */
    const uint64_t *keep;
    const struct ork_causal_choice *ahead;
    uint32_t num_ahead;
    /* By rank: so many polls are unsuccessful after its choice number keep[r]; ORK_POLLS_ALL: as
     * many as there were before its next choice, or its end. Of the rank of the choice, unless the
     * choice has a `post`, `poll` says it, or that there are as many as before the choice. */
    const uint64_t *keep_polls;
};
#define ORK_POLLS_ALL UINT64_MAX

/* All alternatives of the run so far, by rank, number, and then source or indices; the ranks have
 * ended, or are not going to write more. `take` gets memory that is valid during the call, and
 * returns false to stop. ORK_NOMEM. */
typedef bool ork_alternative_take(void *context, const struct ork_alternative *alternative);
enum ork_status ork_causality_alternatives(struct ork_causality *c, ork_alternative_take *take,
                                           void *context);

/* The unsuccessful polls of a rank before a choice. RATIONALE: a loop that polls makes any number
 * of equal ones, so two runs that differ only in that are alike. */
struct ork_polled_choice {
    uint32_t rank;
    uint64_t number; /* of the choice; of the last one of the rank + 1: it made none after them */
    uint64_t polls;  /* at least so many, as far as a record shows */
    uint64_t different; /* the same without equal ones: of polls between which the rank makes no
                         * other call, each one that is equal to an earlier one */
    uint64_t same;      /* the choice is a test or probe that is equal to that one of the different
                         * ones, from 1, and the rank made no other call since; 0: it is equal to
                         * none of them, or no test or probe */
    /* Different polls, whatever other calls the rank made between them. */
    uint64_t num_distinct;
    uint64_t poll_index; /* the choice is equal to that one of these, from 1; 0: to none */
    /* So many of these were abandoned: all, if the choice is equal to none of them, or the rank
     * ended without one; else the first ones that were not polled any more since the first poll of
     * another one, which is not later than that of the choice, or of the last poll. The second
     * number: also those of a series, between which the rank made no other call, if it made one
     * then. */
    uint64_t all_abandoned, series_abandoned;
    /* Of the last one of these polls, as far as a record shows; as in struct ork_choice. */
    uint16_t call; /* enum ork_call_id; 0: it is not known */
    uint32_t place;
};
/* All of them, by rank and number. */
typedef bool ork_polls_take(void *context, const struct ork_polled_choice *polled);
void ork_causality_polled_choices(const struct ork_causality *c, ork_polls_take *take,
                                  void *context);

/* Whose conflicting sections came before a window lock that was granted: pairs of a rank, in
 * ascending order, and how many of its sections of this target. So of any number of ranks. Or whose
 * ordered atomics of its location came before such an atomic. */
struct ork_locked_choice {
    uint32_t rank;
    uint64_t number;  /* of the choice */
    bool is_repeated; /* a Compare_and_swap that failed, and that the rank made again at once */
    const uint32_t *before;
    uint32_t count;
};
/* All of them, by rank and number. ORK_NOMEM. */
typedef bool ork_locked_take(void *context, const struct ork_locked_choice *locked);
enum ork_status ork_causality_locked_choices(struct ork_causality *c, ork_locked_take *take,
                                             void *context);

/* The receives that had taken a message, but were not complete when their rank ended: choices with
 * number 0, by rank and `post`. */
typedef bool ork_pending_take(void *context, const struct ork_causal_choice *receive);
void ork_causality_pending(const struct ork_causality *c, ork_pending_take *take, void *context);

/* What the records do not show, or what alternatives are not made of: some may be missing. */
enum ork_gap {
    ORK_GAP_RECEIVE, /* a wildcard receive may have taken a message, but no record shows which: it
                      * was freed, failed, or was not complete */
    ORK_GAP_CUT,     /* the rank was ended when it could have gone on */
    ORK_GAP_CANCEL,  /* an operation for which MPI_Cancel was called could have ended otherwise */
    ORK_GAP_LOCK,    /* a window lock conflicts with others, and their order is not known */
    ORK_GAP_SET,     /* a call for some requests could complete more than ORK_SET_MAX of them */
    ORK_GAP_CLOCKS,  /* its vector clocks needed too much memory: see ork_causality_set_limit() */
    ORK_GAP_POLL,    /* an unsuccessful poll is not followed: MPI_Win_test, one of what is not
                      * known, or one of more than ORK_POLLS_MAX */
    ORK_GAPS
};
/* For each of them, in how many ranks of the run it occurred. Call as
 * ork_causality_alternatives(). */
void ork_causality_gaps(const struct ork_causality *c, uint32_t ranks[ORK_GAPS]);

#endif

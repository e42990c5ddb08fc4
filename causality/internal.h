/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of causality. The records of a rank are read ahead into steps, which know the outcome
 * of each receive (read.c); the steps of all ranks are followed in an order in which each message
 * is sent before a call that depends on it returns (follow.c). */
#ifndef ORK_CAUSALITY_INTERNAL_H
#define ORK_CAUSALITY_INTERNAL_H

#include "causality/events.h"
#include "common/assert.h"
#include "common/vec.h"
#include "comms/comms.h"

#define NEVER UINT64_MAX

/* ---- clocks ---- */

/* What a rank knows of the others at one time. */
union stamp {
    struct vector *vector;
    uint64_t scalar;
};

/* `time`: of the step of the rank, see struct rank. */
struct clocks {
    bool (*create)(struct ork_causality *c);
    void (*destroy)(struct ork_causality *c);
    /* A choice of the rank is made, or its first effect on others begins. Returns the new value of
     * its own component; 0: out of memory. */
    uint64_t (*tick)(struct ork_causality *c, uint32_t rank, uint64_t time);
    union stamp (*take)(struct ork_causality *c, uint32_t rank);
    void (*release)(union stamp stamp);
    /* What it knows of the component of a rank. */
    uint64_t (*component)(const struct ork_causality *c, union stamp stamp, uint32_t rank);
    /* False: out of memory. */
    bool (*join)(struct ork_causality *c, uint32_t rank, union stamp stamp, uint64_t time);
    /* Add one stamp to another. False: out of memory. */
    bool (*merge)(union stamp *to, union stamp from);
    /* Call before `after`, when something has changed. */
    void (*sort)(struct ork_causality *c);
    /* The time from which on rank `of` depends on that value of the component of `rank`. */
    uint64_t (*after)(const struct ork_causality *c, uint32_t of, uint32_t rank, uint64_t value);
    /* Lazy clocks join a message only when its receive is complete. */
    bool joins_early;
};
extern const struct clocks ork_clocks_exact, ork_clocks_scalar, ork_clocks_vector;

/* ---- messages and receives ---- */

struct message {
    struct channel *channel;
    struct message *next; /* of the channel, in the order in which they were sent */
    int32_t tag;
    uint32_t site;
    uint16_t call; /* at that site: enum ork_call_id */
    uint32_t receiver;
    bool sent, failed, is_synchronous;
    bool is_over;         /* its receive is complete */
    uint64_t watched;     /* see watch.h: this is the number of its receive, from 1; 0: none */
    bool may_know_more;   /* its sender had locked a window: see ork_watch_take() */
    bool is_awaited;      /* synchronous: its sender has not learned yet that it was received */
    union stamp received; /* and then: of the call that posted the receive, once that is over */
    uint64_t time;        /* of the sender */
    /* Of the sender's component from the return of a synchronous send on; 0: it did not return. */
    uint64_t returned;
    union stamp stamp;
    struct receive *taker;
    uint64_t mark, received_mark; /* see events.h: of the send, and of the post of its receive */
};

/* Messages of one member to one member. */
struct channel {
    uint32_t member, rank; /* of the sender */
    struct message *first, *last;
    struct message *open;                         /* all before it are taken */
    struct receive *first_waiting, *last_waiting; /* posted, without a message */
    /* For ork_causality_alternatives(): all before it are taken by receives before a position. */
    struct message *cursor;
    uint64_t cursor_position;
};

/* Messages of one communicator to one member. */
struct mailbox {
    struct ork_comm_ref ref;
    struct channel **channel; /* by member number, ascending */
    uint32_t channels, room;
    struct receive *first_unforced, *last_unforced;
};

enum known {
    KNOWN_LATER,
    KNOWN,
    KNOWN_NEVER, /* takes no message, or it is unknown which one */
};

/* A receive, or a probe. */
struct receive {
    struct rank *rank;
    struct mailbox *box; /* NULL: not followed */
    uint32_t from;       /* member; UINT32_MAX: any */
    int32_t tag;
    bool is_wildcard, is_probe, takes, posted, forced, is_cancelled;
    bool is_nonblocking;
    bool is_void;       /* the call failed, and posted nothing */
    bool was_to_cancel; /* MPI_Cancel was called for it */
    bool is_after;      /* see after.h */
    enum known known;
    uint32_t got_from;
    int32_t got_tag;
    uint32_t site;
    uint16_t call;     /* at that site: enum ork_call_id */
    uint64_t post;     /* as in struct ork_choice */
    uint32_t slot;     /* in the rank's receive[] */
    uint64_t position; /* among the receives and probes of the rank, in the order of the calls */
    uint64_t posted_at, done_at; /* times of the rank; NEVER */
    uint64_t value;              /* of the rank's component when its match is certain; NEVER */
    union stamp stamp;           /* of the call that posted it */
    uint64_t mark;               /* the same: see events.h */
    struct message *message;
    struct choice *choice;
    struct receive *next_waiting;
    struct receive *prev_unforced, *next_unforced; /* of the mailbox */
};

/* ---- collective calls ---- */

enum merges { MERGES_NOTHING, MERGES_ROOT, MERGES_LOWER, MERGES_LISTED, MERGES_REMOTE, MERGES_ALL };

/* The call of one member. */
struct part {
    struct wave *wave;
    uint32_t member;
    enum merges merges;
    uint32_t root;   /* MERGES_ROOT: member */
    uint8_t *needed; /* MERGES_LISTED: members, a bit each */
    struct rank *rank;
    uint64_t time;
    union stamp stamp;
    uint64_t mark; /* see events.h */
    bool arrived, is_retracted;
    struct part *next; /* of the retracted ones */
};

/* The collective calls of a communicator that its members make in the same order. */
struct series {
    uint32_t *calls; /* by member: so many were made */
    struct wave *first, *last;
    uint32_t end; /* index after that of the latest wave */
    /* Of the starts of a persistent operation: it was made as this one; members that freed it. */
    uint32_t made, freed;
    struct series *next;
};

/* The k-th call of all members. */
struct wave {
    uint64_t number; /* of all waves */
    struct ork_comm *comm;
    struct series *series;
    uint32_t index;
    uint32_t arrived, left;
    uint32_t arrived_before; /* all members below this have arrived */
    bool is_awaited;         /* a member waits for some of the others */
    bool is_kept;            /* a request may name it until the end */
    union stamp all;
    struct part **part; /* by member; NULL: has not arrived */
    struct part *retracted;
    struct crossing *crossing; /* of MPI_Intercomm_create, when its leader was read; NULL: none */
    unsigned side;             /* of the crossing */
    struct wave *next;
};

/* State of a communicator. */
struct place {
    struct mailbox **mailbox; /* by member; NULL: none yet */
    struct series calls;
    uint32_t *persistent;   /* by member: so many persistent collective operations were made */
    struct series *started; /* their starts; the latest one first */
    struct target *target;  /* of a window's locks, by member; NULL: none yet */
    struct pair **pairs;    /* of a window's post and start, by origin; NULL: none yet */
    bool is_locked_whole;   /* MPI_Win_lock_all was called */
    bool is_locked_alone;   /* an exclusive lock was requested */
};

/* ---- window locks ---- */

/* From MPI_Win_lock to MPI_Win_unlock. */
struct section {
    struct rank *rank;
    struct ork_comm *comm; /* the window */
    uint32_t member;       /* the target */
    bool is_exclusive;
    bool is_counted; /* it was granted after `before` conflicting sections */
    bool is_over;    /* MPI_Win_unlock was read */
    uint32_t before;
    /* Of the call, and the number of the choice that it makes; 0: not known */
    uint32_t site, place;
    uint64_t number;
    uint64_t requested_at, released_at; /* times of the rank; NEVER */
    const struct choice *choice;        /* NULL: it was not granted, or is not counted */
    bool is_moved;                      /* see alternatives_lock.c */
    uint64_t granted, released;         /* in the order of the target, from 1; 0: not yet */
    struct section *next;               /* of the target */
};

/* ---- epochs of post and start ---- */

/* Stamps with numbers from `first` on; the ones before are not needed any more. */
struct stamps {
    union stamp *item;
    uint64_t first;
    uint32_t count, room;
};

/* An origin and a target. The k-th post of the target towards the origin belongs to the k-th start
 * of the origin with this target. */
struct pair {
    uint32_t origin, target;      /* members */
    uint64_t exposures, accesses; /* that were begun, as far as they were read */
    struct stamps posts, completes;
    /* Times of the origin at which it ended its epochs, by their numbers; not for a summary. */
    uint64_t *completed;
    uint32_t num_completed, completed_room;
    struct pair *next; /* of the origin */
};

/* From MPI_Win_post to MPI_Win_wait, or from MPI_Win_start to MPI_Win_complete. */
struct epoch {
    struct ork_comm *comm; /* the window */
    bool is_exposure;
    uint64_t serial; /* as that of a request's operation */
    uint32_t partners;
    struct epoch *next; /* of the rank */
    struct partner {
        struct pair *pair;
        struct rank *rank;
        uint64_t number; /* of the epoch, for this pair */
        bool is_needed;  /* the epoch cannot end before the partner has begun, or ended, its own */
    } partner[];
};

/* ---- operations and choices ---- */

enum op_type { OP_NONE, OP_DONE, OP_SEND, OP_RECEIVE, OP_COLL, OP_LOCK, OP_ACCESS, OP_EPOCH };

struct op {
    enum op_type type;
    struct message *message; /* OP_SEND; NULL: unknown */
    struct receive *receive; /* NULL: not followed */
    struct part *part;       /* NULL: not followed */
    struct section *section; /* OP_LOCK */
    struct epoch *epoch;     /* OP_EPOCH: the call that ends it */
    uint32_t request;        /* OP_ACCESS, or has_buffer */
    bool stays_active;       /* it is complete, but MPI_Request_get_status does not complete it */
    bool has_buffer;         /* in the memory of a window: for the user of events.h */
    uint64_t serial;         /* of its rank, from 1; 0: no request names it */
};

/* A persistent operation. */
struct made {
    struct ork_record record; /* of the call that made it */
    struct ork_comm_ref ref;  /* COLL; comm NULL: not followed */
    uint32_t index;           /* COLL: among those of its communicator that the rank made */
    uint32_t list[];          /* of the record */
};

struct request {
    bool used, is_cancelled; /* MPI_Cancel was called */
    struct op op;            /* OP_NONE: not active */
    struct made *made;       /* of a persistent request; NULL: of no other */
};

struct choice {
    uint8_t kind; /* enum ork_choice_kind */
    uint64_t number, post;
    uint32_t site;
    int32_t source, tag;     /* RECEIVE, PROBE: as in the record */
    struct receive *receive; /* RECEIVE, PROBE */
    struct section *section; /* LOCK */
    bool is_test;            /* it could have been unsuccessful */
    bool was_polled;         /* it has been so, since the choice before, .. */
    uint64_t same;           /* .. and the rank did nothing since: as in struct ork_polled_choice */
    bool is_in_row;          /* a poll after unsuccessful ones in the rank's first row, see there */
    const struct tried *equal, *last_tried; /* the equal one; the latest one of all. NULL: none */
    bool has_array;                         /* its outcome is indices of an array */
    bool is_some;  /* and these can be several: of MPI_Waitsome and MPI_Testsome */
    struct op *op; /* of the array; without one, those that a test completed */
    uint32_t ops;
    uint32_t *index; /* the outcome */
    uint32_t count;
    uint64_t time;  /* of its return; NEVER: not followed so far */
    uint64_t value; /* of the rank's component from then on */
};

/* What an unsuccessful test or probe could have completed or found. */
struct tried {
    uint8_t kind; /* ORK_CHOICE_TEST, ORK_CHOICE_PROBE */
    uint16_t call;
    uint32_t site, place;
    bool has_array, is_some; /* as in struct choice */
    struct op *op;           /* TEST: of its array */
    uint32_t ops;
    struct receive *receive; /* PROBE: never posted */
    struct tried *earlier;   /* another one since the same choice */
    uint64_t row, counted;   /* the row (see struct rank) in which it was counted, as that one */
    uint64_t which;          /* as in struct ork_polled_choice */
    uint64_t first, last;    /* unsuccessful polls before the first and the latest equal one */
    uint64_t kinds;          /* those before the latest one */
};

/* An unsuccessful poll. */
struct poll {
    uint64_t number;     /* of the choice that comes next */
    uint64_t polls;      /* unsuccessful ones before it, since the choice before */
    uint64_t different;  /* of these and it, without equal ones of a row */
    uint64_t time;       /* of the rank; NEVER: not followed so far */
    uint64_t value;      /* of the rank's component from then on */
    uint64_t acted_at;   /* time of what others can depend on, before the next poll; NEVER */
    struct tried *tried; /* NULL: the same as an earlier one since that choice, or unknown */
    /* That earlier one, if no equal one was made since all `kinds` were: else NULL. */
    const struct tried *again;
    uint64_t kinds; /* as in struct ork_polled_choice */
    bool is_in_row; /* the first one since the choice before */
};

/* ---- steps ---- */

enum step_type {
    STEP_SEND,
    STEP_POST,
    STEP_ARRIVE,
    STEP_LOCK,
    STEP_UNLOCK,
    STEP_POST_EPOCH,
    STEP_CALL,
    STEP_POLL,
    STEP_RETURN,
};

/* For the user of events.h. */
struct call {
    struct ork_comm_ref ref;
    struct ork_record record;
    uint32_t list[];
};

struct step {
    enum step_type type;
    struct ork_event_call at;
    struct message *message;
    struct receive *receive;
    struct part *part;
    struct section *section;
    struct epoch *epoch;
    struct call *call;
    /* STEP_RETURN */
    struct op *op;
    uint32_t ops;
    uint32_t first_choice, choices;
    uint32_t poll; /* STEP_POLL: its place in the rank's poll[] */
    struct step *next;
};

/* ---- ranks ---- */

/* Of a rank in the topology of a communicator. */
struct neighbors {
    uint32_t comm; /* the number in its records */
    uint32_t sources, destinations;
    struct neighbors *next;
    uint32_t source[]; /* members */
};

struct rank {
    struct ork_causality *causality;
    uint32_t number;
    const char *lost;
    bool ended;
    enum ork_causal_end how;
    bool has_finished;     /* it called MPI_Finalize */
    bool has_other_cancel; /* MPI_Cancel was called for an operation that is no receive */
    bool has_unknown_lock; /* ORK_GAP_LOCK */
    bool has_untried_poll; /* ORK_GAP_POLL */
    /* reading */
    struct ork_record *queue; /* not read yet: one record whose list is incomplete */
    uint32_t queued, queue_room;
    uint32_t *list, list_room;
    struct ork_record call; /* the latest call */
    uint64_t calls;         /* see struct ork_event_call */
    uint32_t *call_list, call_list_room;
    struct neighbors *neighbors;    /* the latest first */
    uint32_t *tests, tests_room;    /* the list of the latest TESTS, until its TESTED; */
    uint32_t num_tests, num_tested; /* 0: none; and how many of its words are indices */
    struct poll *poll;              /* in the order of the calls */
    uint32_t polls, poll_room;
    struct tried *tried; /* the latest one of those before choice number `tries`; NULL: none */
    uint32_t num_tried;
    uint64_t tries;
    /* A row: polls between which it makes no other call. */
    uint64_t row, row_deeds; /* its number; `deeds` at the latest poll */
    uint64_t first_row;      /* the first one before choice number `tries` */
    uint64_t different;      /* of the latest poll */
    uint64_t deeds;          /* calls, without OPAQUE, which a waiting test may write */
    bool inside;             /* it may not have returned */
    bool has_window;         /* for the user of events.h */
    bool has_locked;         /* a window, at some time */
    struct receive *receiving;
    struct part *part;
    struct message *sending;
    struct section *locking;
    struct epoch
        *epoch; /* those that were not over when they were followed; the latest one first */
    struct epoch *old_epoch; /* the others, which a poll may name; not for a summary */
    struct op *completed;    /* of a return */
    uint32_t completions, completed_room;
    struct request *request;
    uint32_t requests, request_room;
    uint64_t serials; /* of operations that requests name */
    uint64_t posts;
    uint64_t positions;
    struct receive **receive; /* by position; for a summary the incomplete ones, by slot */
    uint32_t receives, receive_room;
    struct choice **choice; /* by number */
    uint32_t choices, choice_room;
    uint64_t named; /* the number of the first choice that the latest record with one names */
    /* following */
    struct step *first_step, *last_step;
    uint32_t steps;           /* not followed yet */
    uint64_t learned;         /* how often it learned something of others */
    uint64_t time;            /* steps followed so far */
    uint64_t mark;            /* of the call that it is in, see events.h */
    struct receive **forcing; /* by the return that is the first step; the first `forced` ones */
    uint32_t forcings, forcing_room, forced; /* are complete */
    uint32_t polled;                         /* polls that were followed */
    bool ready;
    struct rank *ready_next;
    struct watch *watch; /* see watch.h; NULL: no receive from any source was matched yet */
    /* alternatives: the greatest done_at of the receives up to each one */
    uint64_t *done_before;
};

struct ork_causality {
    uint32_t nprocs;
    bool failed;     /* out of memory */
    bool is_summary; /* keep only what races.h and events.h need: what is over is freed */
    const struct ork_events_user *user; /* of events.h; NULL: there is none */
    bool ticks_sends;                   /* for it: see there */
    const char *lost;                   /* why the first rank was lost; NULL: none */
    bool is_uncertain;                  /* for it: the order is not known completely */
    uint64_t waves;                     /* so far */
    struct crossing *crossings;
    const struct clocks *clocks;
    void *clock_state;
    struct ork_comms *comms;
    struct rank *rank;
    struct rank *ready;
};

/* ---- match.c ---- */
/* struct ork_comm_user; context: the struct ork_causality. */
bool ork_causality_place_make(void *context, struct ork_comm *comm);
void ork_causality_place_destroy(void *context, struct ork_comm *comm);
/* NULL: out of memory. */
struct mailbox *ork_causality_mailbox(struct ork_comm_ref ref);
struct channel *ork_causality_channel(struct mailbox *box, uint32_t member);
/* Takes this receive messages like this one? */
bool ork_causality_fits(const struct receive *r, uint32_t member, int32_t tag);
/* The message is sent. */
void ork_causality_send(struct message *m);
void ork_causality_post(struct receive *r);
/* It is complete, without a message. */
void ork_causality_withdraw(struct receive *r);
/* Is the match of `first` before that of the later receive `second` of the mailbox? */
bool ork_causality_is_match_before(const struct receive *first, const struct receive *second);
void ork_causality_force(struct receive *r);
/* Free the first messages of the channel, as far as their receives are complete and no sender waits
 * for them. */
void ork_causality_drop_taken(const struct clocks *clocks, struct channel *c);

/* ---- wave.c ---- */
bool ork_causality_series_init(struct series *series, uint32_t members);
/* The starts of the persistent operation that is number `made` at all members. NULL: out of
 * memory. */
struct series *ork_causality_starts(struct ork_comm *comm, uint32_t made);
/* A member makes no further starts. */
void ork_causality_starts_end(struct ork_comm *comm, struct series *starts);
/* The call of a rank on a communicator that is followed, the next one of the series. NULL: out of
 * memory. */
struct part *ork_causality_part(struct rank *p, struct ork_comm_ref ref, struct series *series,
                                const struct ork_record *call, const uint32_t *list);
/* NULL is allowed. */
void ork_causality_part_destroy(struct part *part);
/* The call failed. */
void ork_causality_part_retract(struct part *part);
void ork_causality_arrive(struct part *part);
/* Can the call have returned, as far as this is known? */
bool ork_causality_part_is_over(const struct part *part);
/* What the member learns. False: out of memory. */
bool ork_causality_part_join(struct part *part, uint64_t time);
/* It needs the wave no more. */
void ork_causality_part_leave(struct part *part);
/* Depends the member on the call of this other one? */
bool ork_causality_part_needs(const struct part *part, uint32_t member);
void ork_causality_waves_destroy(struct ork_causality *c, struct place *place);

/* ---- intercomm.c ---- */
/* If the part is that of a local leader, its wave has a crossing from now on. */
void ork_causality_cross(struct part *part, const struct ork_record *call);
/* The wave of the other group; NULL: there is none, or it is not known. */
struct wave *ork_causality_other_side(const struct wave *w);
/* Have all members of both groups made the call, as far as this will be known? Then they know of
 * each other. `w` is complete. */
bool ork_causality_is_crossed(struct ork_causality *c, struct wave *w);
/* The wave is over. */
void ork_causality_crossing_leave(struct ork_causality *c, struct wave *w);

/* ---- needs.c ---- */
/* Set merges, root and needed of the part. */
void ork_causality_find_needs(struct part *part, const struct ork_record *call,
                              const uint32_t *list);
void ork_causality_read_neighbors(struct rank *p, const struct ork_record *record,
                                  const uint32_t *list);
void ork_causality_neighbors_destroy(struct rank *p);

/* ---- listen.c ---- */
/* Hand the record to the user of events.h, if there is one. */
void ork_causality_listen(struct rank *p, const struct ork_record *record, const uint32_t *list);
/* False: the rank has to wait. */
bool ork_causality_follow_call(struct rank *p, const struct call *call);
/* The functions of events.h that tell a user why events are ordered. */
void ork_causality_act(struct rank *p, const struct step *s);
/* The rank learns what its sender knew; NULL: none. */
void ork_causality_learn_message(const struct rank *p, const struct message *m);
void ork_causality_learn(const struct rank *p, uint32_t from, uint64_t mark);
/* `wave`: its number. */
void ork_causality_learn_all(const struct rank *p, uint64_t wave);
void ork_causality_tell_arrival(const struct rank *p, uint64_t wave);
/* What a member may know of the others when it leaves a collective call. */
enum merges ork_causality_may_merge(struct ork_comm_ref ref, const struct ork_record *call);

/* ---- exact.c ---- */
/* One more reference to it; NULL is allowed. */
void ork_vector_share(struct vector *v);

/* ---- events.c ---- */
const struct ork_causality *ork_events_causality(const struct ork_events *e);

/* ---- request.c ---- */
/* NULL: no number of a request, or not in use. */
struct request *ork_causality_request(const struct rank *p, uint32_t id);
/* NULL: no number of a request, or out of memory. */
struct request *ork_causality_new_request(struct rank *p, uint32_t id);
void ork_causality_request_free(struct request *r);
/* The request is that of this operation, or of what this call has made. */
void ork_causality_make_request(struct rank *p, uint32_t id, struct op op);
/* NULL: not followed, or out of memory. */
struct made *ork_causality_make_persistent(struct rank *p, const struct ork_record *call);
/* The operation of an element of an array of requests. */
struct op ork_causality_op(const struct rank *p, uint32_t id);

/* ---- read_coll.c ---- */
void ork_causality_read_coll(struct rank *p, const struct ork_record *call);
/* MPI_Start, and MPI_Request_free of what it starts. */
struct op ork_causality_start_coll(struct rank *p, const struct made *made);
void ork_causality_free_coll(struct rank *p, const struct made *made);

/* ---- read.c, return.c ---- */
/* Read a record with its list. */
void ork_causality_read(struct rank *p, const struct ork_record *record, const uint32_t *list);
/* p->call has returned; exit NULL: without that record. */
void ork_causality_return(struct rank *p, const struct ork_record *exit, const uint32_t *list);

/* ---- poll.c ---- */
/* Its latest call has returned. */
void ork_causality_read_poll(struct rank *p, const struct ork_record *poll, const uint32_t *list);
/* Set was_polled and same of the choice, a successful test or probe. Its array is known. */
void ork_causality_compare_polls(const struct rank *p, struct choice *c);
void ork_causality_tried_destroy(struct tried *t);
/* So many polls failed after the rank's choice number *keep and before that time, up to the last
 * one that could have been successful instead, or on which what it did then depends; ORK_POLLS_ALL:
 * all before its next choice. *keep may increase: a poll can tell of further choices. */
uint64_t ork_causality_polls_before(const struct rank *p, uint64_t time, uint64_t *keep);

/* ---- touch.c ---- */
void ork_causality_read_touch(struct rank *p, const struct ork_record *record,
                              const uint32_t *list);

/* ---- receive.c ---- */
/* A probe that was unsuccessful: no receive of the rank, and owned by the caller. NULL: out of
 * memory. */
struct receive *ork_causality_unsuccessful_probe(struct rank *p, const struct ork_record *call);
/* A receive or probe of this call. NULL: out of memory. */
struct receive *ork_causality_receive(struct rank *p, const struct ork_record *call, int32_t peer,
                                      int32_t tag);
/* It took a message of this source and tag, which only count if it has a wildcard. */
void ork_causality_outcome(struct receive *r, int32_t source, int32_t tag);

/* ---- rank.c ---- */
void ork_causality_lose(struct rank *p, const char *why);
struct step *ork_causality_step(struct rank *p, enum step_type type);
/* The first step is over. */
void ork_causality_step_end(struct rank *p);
void ork_causality_wake(struct rank *p);
void ork_causality_wake_all(struct ork_causality *c);
/* It is not known when the operation is complete: from now on, nothing is said of its buffer. */
void ork_causality_free_buffer(struct rank *p, const struct op *op);
/* It will send and call nothing more than was followed. */
bool ork_causality_is_silent(const struct rank *p);

/* ---- choices.c ---- */
struct ork_causal_choice ork_causality_describe_receive(const struct receive *r);
struct ork_causal_choice ork_causality_describe_choice(const struct rank *p,
                                                       const struct choice *c);

/* ---- follow.c ---- */
void ork_causality_follow(struct ork_causality *c);

/* ---- epoch.c ---- */
/* A call for an epoch of the rank has returned without an error; or accesses a window. RATIONALE:
 * only without a user of events.h, which follows epochs itself. */
void ork_causality_read_epoch(struct rank *p, const struct ork_record *call, const uint32_t *list,
                              struct op *op);
void ork_causality_read_access(struct rank *p, const struct ork_record *call);
/* What ends the exposure epoch that the rank is in, also for what is read later. OP_NONE: none that
 * is followed. */
struct op ork_causality_exposure(const struct rank *p, const struct ork_record *poll);
/* Could an exposure epoch have been over by these times of all ranks? Each time itself does not
 * count. */
bool ork_causality_epoch_is_before(const struct epoch *epoch, const uint64_t *time);
/* What others may learn when it begins. False: out of memory. */
bool ork_causality_epoch_begin(struct rank *p, const struct epoch *epoch);
/* Can it have ended, as far as this is known? */
bool ork_causality_epoch_is_over(const struct epoch *epoch);
/* The rank learns what its partners knew, and is free of it. False: out of memory. */
bool ork_causality_epoch_end(struct rank *p, struct epoch *epoch);
void ork_causality_epochs_destroy(struct rank *p);
void ork_causality_pairs_destroy(const struct clocks *clocks, const struct ork_comm *window);

/* ---- lock.c ---- */

/* The section that WIN_LOCK requests, a step of the rank. NULL: not followed, or out of memory. */
struct section *ork_causality_section(struct rank *p, const struct ork_record *call);
/* The one that WIN_UNLOCK ends. NULL: it is not followed. */
struct section *ork_causality_open_section(const struct rank *p, const struct ork_record *call);
/* WIN_LOCK of all targets is no section, but it conflicts with exclusive ones. */
void ork_causality_lock_all(struct rank *p, const struct ork_record *call);
/* The lock was taken, but the sections before it were not counted. */
void ork_causality_section_is_uncounted(struct section *s);
/* Can a lock of this section have to wait for another one? */
bool ork_causality_section_is_held(const struct section *s);
/* Were all sections released that were counted before it, as far as this will be known? */
bool ork_causality_section_is_granted(const struct section *s);
/* The lock returns, or is released: what is known then passes to later sections. False: out of
 * memory. */
bool ork_causality_section_grant(struct section *s, uint64_t time);
bool ork_causality_section_release(struct section *s);
/* The conflicting sections of other ranks that were granted before this one, or so far, if it was
 * not granted: the first one after `after`, NULL: of all. */
struct section *ork_causality_section_before(const struct section *s, const struct section *after);
/* How many sections a lock like this one would count now. */
uint32_t ork_causality_sections_so_far(const struct section *s);
void ork_causality_targets_destroy(const struct clocks *clocks, struct ork_comm *comm);

#endif

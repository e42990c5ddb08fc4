/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of the arbiter. Each rank is followed through its records like a coroutine: a call is
 * entered with its record, and has returned when the next record is read. */
#ifndef ORK_ARBITER_INTERNAL_H
#define ORK_ARBITER_INTERNAL_H

#include "order/arbiter/arbiter.h"
#include "common/assert.h"
#include "common/table.h"
#include "common/vec.h"
#include "order/comms/comms.h"
#include "record/upcoming.h"

#define NEVER UINT64_MAX
#define LAST  UINT64_MAX /* position after all posted receives */

/* ---- times ---- */

/* Of an event: by the clock of messages, and by that of locks, which also counts one-sided calls.
 */
struct times {
    uint64_t message, lock;
};

static inline uint64_t ork_arbiter_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t ork_arbiter_after(uint64_t time, uint64_t steps)
{
    return time == NEVER ? NEVER : time + steps;
}

static inline struct times ork_times_later(struct times a, struct times b)
{
    return (struct times){ork_arbiter_later(a.message, b.message),
                          ork_arbiter_later(a.lock, b.lock)};
}

static inline struct times ork_times_earlier(struct times a, struct times b)
{
    return (struct times){a.message < b.message ? a.message : b.message,
                          a.lock < b.lock ? a.lock : b.lock};
}

static inline struct times ork_times_after(struct times t, uint64_t steps)
{
    return (struct times){ork_arbiter_after(t.message, steps), ork_arbiter_after(t.lock, steps)};
}

/* ---- communicators ---- */

struct wave {
    uint32_t index;
    uint32_t arrived, left;
    struct times latest; /* the greatest clocks of the members that have arrived */
    struct times first;  /* those of the first one */
    struct times *entry; /* those of all that have arrived, by member; NULL: only one has */
    uint32_t first_member;
    bool is_awaited; /* the records of some member cannot be followed before others arrive */
    struct wave *next;
};

/* A critical section of a window, whose lock has been granted. */
struct section {
    uint32_t member; /* that has taken it */
    uint32_t target; /* UINT32_MAX: all */
    bool is_exclusive;
    struct section *next;
};

/* Sections that are over: how many, modulo 2^32, and the time of the latest end. */
struct sections {
    uint32_t number;
    uint64_t end;
};

/* The atomics of a location that were granted. */
struct atomics {
    struct sections reads, updates;
};

/* The locks of a window, and its sections that are over. */
struct locks {
    struct section *first;
    struct ork_table atomics; /* struct atomics each */
    struct sections all_shared, all_exclusive;
    struct sections *shared, *exclusive; /* by target; shared: without those of all */
};

/* State of a communicator, window or file. */
struct place {
    struct mailbox **mailbox; /* by member; NULL: none yet */
    uint32_t *calls;          /* by member: collective calls that it made */
    struct wave *first_wave, *last_wave;
    struct locks *locks; /* of a window; NULL: none was asked for yet */
};

/* ---- messages and receives ---- */

/* Messages are ordered by (time, sender). */
struct stamp {
    uint64_t time;
    uint32_t sender; /* world rank */
    uint64_t lock;   /* by the clock of locks; not compared */
};

struct message {
    uint64_t time, lock; /* by both clocks */
    int32_t tag;
    struct message *next;
};

struct receive {
    struct mailbox *box;  /* NULL: matched or withdrawn */
    struct channel *from; /* NULL: MPI_ANY_SOURCE */
    int32_t tag;
    uint32_t number;   /* see struct ork_decision; 0: none */
    uint32_t comm;     /* the number of the communicator at the rank */
    uint64_t position; /* in the order in which receives were posted */
    bool matched, cancelling;
    bool owned; /* by a request or a call: it is freed there */
    struct stamp took;
    struct receive *prev, *next;
};

struct receives {
    struct receive *first, *last;
};

/* Messages of one member to one member. */
struct channel {
    struct mailbox *box;
    uint32_t member, rank; /* of the sender */
    struct message *first, *last;
    struct receives named; /* posted and unmatched receives that name the sender */
};

/* Messages of one communicator to one member. */
struct mailbox {
    struct ork_comm *comm;
    uint32_t rank;            /* the receiver */
    uint32_t first, sources;  /* the members that may send: first .. first + sources - 1 */
    struct channel **channel; /* by member number, ascending */
    uint32_t channels, room;
    struct receives any; /* posted and unmatched receives from MPI_ANY_SOURCE */
    uint64_t posted;
    struct mailbox *next; /* of all mailboxes */
    struct mailbox **link;
};

/* ---- ranks ---- */

struct request {
    bool used, active;
    struct receive *receive; /* NULL: not a receive that is followed */
    struct ork_record *made; /* of a persistent request; NULL: of no other */
};

enum answer {
    ANSWER_NONE,
    ANSWER_TRIED, /* INDEX of a request that is no receive: it may turn out not to be complete */
    ANSWER_FINAL, /* INDEX of a receive, or PROBE: the outcome is `took`; or LOCK */
};

struct ask {
    bool open;
    bool expired; /* answered with NOTHING, but the caller does not know it yet */
    enum { ENDING_NOT, ENDING_DUE, ENDING_TOLD } ending; /* before that, if the rank looks itself */
    struct ork_record record;
    uint32_t *list, room;
    enum answer answer;
    uint32_t index, start; /* TRIED: the present one, and the first of this round */
    uint64_t round;        /* events of the quiescent state in which the round was started */
    struct stamp took;
    struct stamp at; /* LOCK, ATOMIC: of the request */
};

struct rank {
    struct ork_arbiter *arbiter;
    uint32_t number;
    struct times clock;
    uint64_t steps; /* one-sided calls that are known, see record/decision.h */
    bool ended, lost;
    bool inside;  /* in the call `call`, or its return has not been followed yet */
    bool is_over; /* that is certain: only what it completed may be unknown */
    struct ork_record call;
    uint32_t *list, list_room;
    bool probed;              /* it has found the message that was decided for its probe */
    struct receive *receive;  /* of a blocking call */
    struct ork_comm_ref coll; /* of a collective call that counts; comm NULL: of none */
    struct wave *wave;
    bool has_lock; /* the lock of the call was granted */
    struct ask ask;
    /* records that have not been followed yet */
    struct ork_record *queue;
    uint32_t queued, queue_room, queue_first;
    uint32_t *outcome, outcome_room; /* list of an EXIT record */
    struct request *request;
    uint32_t requests, request_room;
    uint32_t wildcards; /* receives from MPI_ANY_SOURCE that were posted */
    uint32_t undecided; /* of these */
    bool ready;
    struct rank *ready_next;
};

/* Decisions for one rank that belong together: a list of messages, and the answer to its question.
 */
struct upcoming {
    struct ork_decision decision[ORK_UPCOMING_MAX + ORK_UPCOMING_REQUESTS + 3];
    uint32_t num, given, rank;
    struct message **next; /* scratch: by channel */
    uint32_t room;
};

struct ork_arbiter {
    uint32_t nprocs;
    bool failed; /* out of memory */
    struct rank *rank;
    struct rank *ready; /* whose records may be followed further */
    struct ork_comms *comms;
    struct mailbox *mailbox;
    struct times *bound; /* see ork_arbiter_bound_update() */
    bool bound_is_old;
    uint64_t events;    /* records followed and decisions taken */
    uint32_t finalized; /* ranks in MPI_Finalize */
    uint32_t expired;   /* asks */
    uint32_t ending;    /* those of them that are not ENDING_NOT */
    struct upcoming upcoming;
};

static inline bool ork_arbiter_stamp_is_less(struct stamp a, struct stamp b)
{
    return a.time != b.time ? a.time < b.time : a.sender < b.sender;
}

/* Was it answered with a message? */
static inline bool ork_arbiter_ask_has_message(const struct ask *ask)
{
    return ask->answer == ANSWER_FINAL && ask->record.mode != ORK_ASK_CANCEL &&
           ask->record.mode != ORK_ASK_LOCK && ask->record.mode != ORK_ASK_ATOMIC;
}

/* Nothing can end its silence: it writes no record any more, or none that is followed. */
static inline bool ork_arbiter_rank_is_silent(const struct rank *p)
{
    return p->lost || (p->ended && p->queued == 0);
}

/* ---- rank.c ---- */
void ork_arbiter_rank_init(struct ork_arbiter *a, uint32_t number);
/* Follow its records later. */
void ork_arbiter_rank_wake(struct rank *p);
void ork_arbiter_rank_wake_all(struct ork_arbiter *a);
/* Its records are invalid: ignore it from now on. */
void ork_arbiter_rank_lose(struct rank *p);
/* The rank looks no more, or its test is over in another way. */
void ork_arbiter_ask_ended(struct rank *p);
/* It has received a message of that time, or knows of it. */
void ork_arbiter_rank_merge(struct rank *p, struct times at);
void ork_arbiter_rank_take(struct rank *p, struct stamp took);

/* ---- comm.c ---- */
bool ork_arbiter_comm_init(struct ork_arbiter *a);
/* comm NULL: not arbitrated. */
struct ork_comm_ref ork_arbiter_comm_ref(const struct rank *p, uint32_t id);
/* The rank that this member is. */
struct rank *ork_arbiter_member(const struct ork_arbiter *a, const struct ork_comm *comm,
                                uint32_t member);
/* COMM_DEF */
void ork_arbiter_comm_define(struct rank *p, const struct ork_record *record, const uint32_t *list);
/* The rank has freed it. */
void ork_arbiter_comm_drop(struct rank *p, uint32_t id);

/* ---- request.c ---- */
/* NULL: no number of a request, or not in use. */
struct request *ork_arbiter_rank_request(const struct rank *p, uint32_t id);
/* An operation that was in use under this number goes on without a request. NULL: no number of a
 * request, or out of memory. */
struct request *ork_arbiter_rank_new_request(struct rank *p, uint32_t id);
void ork_arbiter_request_free(struct request *r);
/* Give back the memory of the rank. */
void ork_arbiter_rank_destroy(struct rank *p);

/* ---- match.c ---- */
/* Messages that this member gets. NULL: out of memory. */
struct mailbox *ork_arbiter_mailbox_of(struct ork_arbiter *a, struct ork_comm_ref ref);
void ork_arbiter_mailbox_destroy(struct mailbox *box);
bool ork_arbiter_mailbox_is_empty(const struct mailbox *box);
/* NULL: there was neither a message nor a receive. */
struct channel *ork_arbiter_channel_find(const struct mailbox *box, uint32_t member);
/* The member sends a message at that time. */
void ork_arbiter_match_send(struct ork_arbiter *a, struct mailbox *box, uint32_t member,
                            int32_t tag, struct times at);
/* The send failed. */
void ork_arbiter_match_unsend(struct mailbox *box, uint32_t member, uint64_t time);
/* Post a receive; member UINT32_MAX: from any source. NULL: out of memory. */
struct receive *ork_arbiter_match_post(struct ork_arbiter *a, struct mailbox *box, uint32_t member,
                                       int32_t tag);
/* It takes no message any more. */
void ork_arbiter_match_withdraw(struct ork_arbiter *a, struct receive *r);
/* Its owner does not need it any more; an unmatched one stays posted. NULL is allowed. */
void ork_arbiter_match_release(struct receive *r);

enum known {
    KNOWN_NOTHING,
    KNOWN_MAYBE, /* an earlier receive may take the message: then it is a later one */
    KNOWN_SURE,
};
/* The first message in the channel (NULL is allowed) for a receive or probe at that position. */
enum known ork_arbiter_match_first(const struct channel *c, int32_t tag, uint64_t position,
                                   struct message **message);
/* A matched probe takes the message. */
void ork_arbiter_match_take(struct ork_arbiter *a, struct channel *c, struct message *message);
/* An undecided receive takes that message. */
void ork_arbiter_match_decide(struct ork_arbiter *a, struct receive *r, struct channel *c,
                              struct message *message);

/* ---- wave.c ---- */
/* The rank of p->call calls a collective operation. */
void ork_arbiter_wave_arrive(struct rank *p, struct ork_comm_ref ref);
/* It was not made. */
void ork_arbiter_wave_retract(struct rank *p);
/* The call has returned: merge its clock. False: an entry that it needs is not known yet. */
bool ork_arbiter_wave_merge(struct rank *p);
void ork_arbiter_wave_leave(struct rank *p);
bool ork_arbiter_wave_is_complete(const struct rank *p);
/* Lower bound of the times of the next message of this rank, from those of all; at least `least`.
 */
struct times ork_arbiter_wave_bound(const struct rank *p, const struct times *bound,
                                    struct times least);
void ork_arbiter_waves_destroy(struct place *place);

/* ---- lock.c ---- */
/* A lock or an atomic that a rank asks for. */
struct lock {
    struct ork_comm_ref window;
    uint32_t target; /* UINT32_MAX: all */
    bool is_exclusive;
    struct atomics *atomics; /* of its location; NULL: it is a lock */
};
/* The lock of p->call, or the atomic of p->ask. False: it is not decided, because the window is not
 * followed, or the rank has that lock already. */
bool ork_arbiter_lock_of(struct rank *p, struct lock *lock);
bool ork_arbiter_locks_conflict(const struct lock *a, const struct lock *b);
/* Does no section conflict with it? */
bool ork_arbiter_lock_is_free(const struct lock *lock);
/* How many conflicting sections were over, modulo 2^31. */
uint32_t ork_arbiter_lock_number(const struct lock *lock);
/* It is granted to the rank. An atomic is over at once. */
void ork_arbiter_lock_grant(struct rank *p, const struct lock *lock);
/* When it is granted, the rank knows the ends of all sections before it that conflict: the latest
 * of these ends, no earlier than that. RATIONALE: of those that are over, too; else the bound would
 * fall when one ends before the lock is granted. */
uint64_t ork_arbiter_lock_bound(const struct lock *lock, const struct times *bound);
/* The section of p->call, an unlock, is over. */
void ork_arbiter_lock_end(struct rank *p);
/* The lock of p->call failed. */
void ork_arbiter_lock_fail(struct rank *p);
void ork_arbiter_locks_destroy(struct place *place);

/* ---- call.c ---- */
/* p->call has begun. */
void ork_arbiter_call_enter(struct rank *p);

/* ---- outcome.c ---- */
/* p->call has returned; exit NULL: without that record. False: what it completed is not known yet,
 * nothing has changed. */
bool ork_arbiter_call_leave(struct rank *p, const struct ork_record *exit, const uint32_t *outcome);
/* The same for p->ask. */
bool ork_arbiter_ask_leave(struct rank *p);
/* A receive from any source (NULL is allowed) that is not decided took the first message of this
 * source and tag, by a list of upcoming ones. False: the message is not known yet. */
bool ork_arbiter_receive_took(struct rank *p, struct receive *r, int32_t source, int32_t tag);

/* ---- follow.c ---- */
/* Follow all ranks as far as their records go. */
void ork_arbiter_follow(struct ork_arbiter *a);

/* ---- bound.c ---- */
/* Messages for a receive or probe. */
struct choice {
    struct stamp best; /* the earliest one that it can take; time NEVER: none */
    struct channel *channel;
    struct message *message;
    struct stamp limit; /* no other one will be earlier than this */
    uint64_t lock;      /* by the clock of locks, none of all is earlier than this */
};
/* `member`: the source, UINT32_MAX: any. */
struct choice ork_arbiter_choice_of(const struct ork_arbiter *a, const struct mailbox *box,
                                    uint32_t member, int32_t tag, uint64_t position);
/* The same for an unmatched receive. */
struct choice ork_arbiter_choice_of_receive(const struct ork_arbiter *a, const struct receive *r);
/* For a PROBE or ASK record. False: the communicator is not arbitrated, or there is no source. */
bool ork_arbiter_choice_of_probe(const struct rank *p, const struct ork_record *record,
                                 struct choice *choice);
/* Compute a->bound: for each rank, a lower bound of the times of the next message that it sends,
 * and of the next lock that it asks for. */
void ork_arbiter_bound_update(struct ork_arbiter *a);
struct times ork_arbiter_greatest_clock(const struct ork_arbiter *a);

#endif

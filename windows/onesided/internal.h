/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of onesided: windows and the memory of ranks, accesses and their intervals, conflicts.
 * docs/explanation/one-sided.md describes how they fit together. */
#ifndef ORK_ONESIDED_INTERNAL_H
#define ORK_ONESIDED_INTERNAL_H

#include "order/causality/events.h"
#include "common/assert.h"
#include "common/hash_map.h"
#include "common/vec.h"
#include "windows/onesided/onesided.h"
#include "windows/onesided/open.h"
#include "bytes/ranges/index.h"
#include "bytes/ranges/words.h"
#include "record/reductions.h"

/* Further to enum ork_reduction: that of MPI_Compare_and_swap. */
enum { REDUCTION_SWAP = ORK_REDUCTIONS };

/* ---- windows ---- */

/* What a member told of its memory. */
struct place {
    bool is_known, is_dynamic, is_unordered;
    bool has_regions; /* what is attached is known */
    bool is_separate; /* loads and stores are judged by the rules of separate.c, */
    bool is_portable; /* although the model of the window is the unified one */
    uint64_t base, size;
    uint32_t unit;
};

/* What an event told another rank. */
struct told {
    struct ork_stamp stamp;
    uint64_t mark; /* of the event: stamp.c */
};

/* First in, first out. */
struct queue {
    struct told *told;
    uint32_t first, count, room;
};

/* MPI_Win_post and MPI_Win_complete between two ranks. */
struct pair {
    uint32_t target, origin; /* ranks */
    struct queue posts, completes;
    uint32_t skipped_posts, skipped_completes; /* of epochs that ended without them */
    struct pair *next;
};

/* A target of an access epoch of MPI_Win_start, or an origin of an exposure epoch. */
struct partner {
    uint32_t rank;
    bool has_posted;
    bool is_accessed; /* the end of the epoch waits for its post */
    struct told posted;
};

struct partners {
    struct partner *item; /* NULL: there is no epoch */
    uint32_t count;
};

/* What a member does with the window. */
struct member {
    uint32_t number;                       /* of the window at this rank; as last used */
    struct partners start, post;           /* the epochs of MPI_Win_start and MPI_Win_post */
    struct open_set open;                  /* accesses that are not complete everywhere; */
    struct open_set stamped;               /* the same for a listener: stamp_access.c, */
    struct open_event *unpublished;        /* and stores to the private copy */
    struct access *first_held, *last_held; /* they wait for the MPI_Win_post of their target */
    bool waits;                            /* for a record of another rank */
    /* a dynamic window: what was ever attached, except what was left out */
    struct region *region;
    uint32_t regions, region_room;
    bool has_lost_regions;
    /* the separate memory model */
    struct access *stored;       /* not published yet */
    uint32_t stores, store_room; /* their number; when to forget some */
    struct ork_stamp acquired;   /* what the rank knew when its private copy was up to date, */
    uint64_t acquired_at;        /* after this event: stamp.c */
    bool is_acquiring;           /* it is again, as soon as this call has returned: */
    uint64_t call;
};

struct window {
    uint32_t refs;
    struct ork_comm *comm;
    struct place *place;   /* by member */
    struct member *member; /* by member */
    struct pair *pair;
    uint32_t freed; /* members that freed it */
    struct window *next;
};

/* ---- locks ---- */

struct lock {
    const struct window *window;
    uint32_t target; /* rank; UINT32_MAX: all */
    bool is_exclusive;
};

/* Locks that a rank held at the same time; never changed. */
struct lockset {
    uint32_t refs, count;
    struct lock lock[];
};

/* ---- accesses ---- */

enum { LOOKS_MOST = 4 };

struct access {
    struct open_item item; /* of member.open */
    uint32_t refs;
    struct ork_touched seen;
    struct window *window;
    uint32_t member;             /* of the rank */
    uint32_t target;             /* rank whose memory it is */
    uint32_t partner;            /* rank that the call names as its target, */
    uint32_t partner_member;     /* and its member */
    uint64_t op_id;              /* the same for all accesses of one call */
    uint64_t low, high;          /* addresses there */
    struct ork_pattern *pattern; /* of its bytes; NULL: they have no gaps */
    struct ork_stamp start;
    uint32_t issued;        /* the rank's own component at the call */
    uint32_t end;           /* the one from which on it is complete; 0: it is not */
    uint32_t request;       /* ORK_REQUEST_NULL: none */
    bool is_read_back;      /* complete when it is complete at the origin */
    struct lockset *locks;  /* NULL: none */
    bool fetches;           /* the call returns what was there */
    bool is_live;           /* in the index */
    bool is_message;        /* by a pending operation that is no one-sided one */
    uint64_t gap;           /* a load or store: the call that it comes after */
    struct look_before {    /* a store: loads of its rank of some of the bytes before, */
        uint32_t site, end; /* and the component that completed them; */
        bool is_element;
    } look[LOOKS_MOST];
    uint32_t looks, other_looks;  /* of others, the last component */
    bool is_separate;             /* a load or store of the separate memory model: */
    struct ork_stamp acquired;    /* what it sees, */
    uint32_t published;           /* and from which component on others see it; 0: they do not */
    uint32_t entry;               /* of the index */
    struct access *older, *newer; /* of the same memory, live */
    struct access *next_stored, *next_held;
};

/* The memory of a rank. */
struct memory {
    struct ork_index index;
    struct access *oldest, *newest;
    struct window **window; /* with memory of this rank at fixed addresses */
    uint32_t windows, window_room;
};

/* ---- conflicts ---- */

struct key {
    uint32_t rank[2], site[2], touch[2], target;
    uint32_t kind; /* enum ork_conflict_kind */
};

/* Two accesses that neither messages nor calls order. */
struct candidate {
    struct access *first, *second;
};

/* What the two are: which pair is the example of a conflict depends on that, and not on the order
 * in which they come. The smallest one is. */
enum { LIKENESS_VALUES = 7 }; /* of each access */
struct likeness {
    uint64_t value[2 * LIKENESS_VALUES];
};

enum { PENDING_MAX = 8 };
struct conflict {
    struct key key;
    struct ork_conflict found;             /* times 0: not confirmed */
    struct likeness example;               /* confirmed */
    struct candidate pending[PENDING_MAX]; /* undecided, the smallest first */
    uint32_t num_pending, excused;
};

struct spin_waits;
struct racing;

struct ork_onesided {
    uint32_t nprocs;
    bool failed; /* out of memory */
    bool has_overflowed;
    bool has_shared;    /* windows of MPI_Win_allocate_shared */
    bool has_touches;   /* loads and stores to the memory of some window have records */
    bool has_scattered; /* and some were left out */
    bool has_gets;      /* in passive epochs, of which some may not be noted in spin_waits.c */
    const char *lost;
    struct ork_events *events;
    struct window *window;
    struct memory *memory;          /* by rank */
    struct lockset **locks;         /* by rank: held now; NULL: none */
    struct open_requests *requests; /* by rank: of accesses and of pending buffers */
    bool *is_member;                /* by rank: of any window */
    uint64_t *call;                 /* by rank: number of its latest call, see events.h, */
    uint64_t *gap;                  /* and of the latest that is no load or store */
    bool has_separate;              /* windows that are judged by separate.c */
    uint64_t ops;
    uint32_t live, live_limit; /* accesses in the indices; when to retire some */
    uint32_t held;             /* accesses that wait for MPI_Win_post */
    struct conflict **conflict;
    struct ork_hash_map conflict_of; /* by the hash of its key: its number, from 1 */
    uint32_t conflicts, conflict_room;
    uint32_t candidates; /* that are pending */
    struct ork_outside *outside;
    uint32_t outsides, outside_room;
    struct stray *stray; /* accesses that no region excuses so far: regions.c */
    uint32_t strays, stray_room;
    struct spin_waits *spin_waits;
    struct racing *racing;           /* NULL: nobody wants to know them */
    struct stamps *stamps;           /* NULL: nobody listens */
    ork_onesided_may_wait *may_wait; /* NULL: every load may */
    void *may_wait_context;
};

/* ---- window.c ---- */
/* NULL: out of memory. */
struct window *ork_window_get(struct ork_onesided *o, struct ork_comm *comm);
void ork_window_ref(struct window *w);
void ork_window_unref(struct ork_onesided *o, struct window *w);
void ork_window_memory(struct ork_onesided *o, struct window *w, struct ork_comm_ref ref,
                       const struct ork_record *record);
/* The member freed it. */
void ork_window_free(struct ork_onesided *o, struct window *w, uint32_t member);
/* Does a window of the rank, or any, with memory at fixed addresses contain some of these bytes? */
bool ork_window_has(const struct window *w, uint32_t rank, uint64_t low, uint64_t high);
bool ork_window_contains(const struct memory *m, uint32_t rank, uint64_t low, uint64_t high);
/* The member of a rank; UINT32_MAX, NULL: none. */
uint32_t ork_window_member(const struct window *w, uint32_t rank);
struct member *ork_window_member_of(const struct window *w, uint32_t rank);
void ork_partners_release(struct partners *p);
void ork_window_wake(struct ork_onesided *o, const struct window *w);

/* ---- group.c ---- */
/* Now, by this rank. False: out of memory. */
bool ork_queue_push(const struct ork_onesided *o, struct queue *q, uint32_t rank);
/* False: it is empty. */
bool ork_queue_pop(struct queue *q, struct told *told);
/* NULL: out of memory. */
struct pair *ork_group_pair(struct ork_onesided *o, struct window *w, uint32_t target,
                            uint32_t origin);
void ork_group_post(struct ork_onesided *o, struct window *w, uint32_t rank,
                    const struct ork_record *record, const uint32_t *list);
void ork_group_start(struct ork_onesided *o, struct window *w, uint32_t rank,
                     const struct ork_record *record, const uint32_t *list);
/* Has the target of an access epoch posted by now? */
void ork_group_ask(struct ork_onesided *o, struct window *w, uint32_t rank, struct partner *target);
/* The target of the access epoch, if it is one. Asks whether it has posted. */
struct partner *ork_group_target(struct ork_onesided *o, struct window *w, uint32_t rank,
                                 uint32_t target);

/* ---- group_end.c ---- */
/* False: the rank has to wait. */
bool ork_group_end_access(struct ork_onesided *o, struct window *w, uint32_t rank);
bool ork_group_end_exposure(struct ork_onesided *o, struct window *w, uint32_t rank);

/* ---- life.c ---- */
void ork_access_unref(struct ork_onesided *o, struct access *a);
/* Add it to the index, or remove it. */
void ork_access_insert(struct ork_onesided *o, struct access *a);
void ork_access_retire(struct ork_onesided *o, struct access *a);
/* Put one in the place of a live one of the same call and bytes. */
void ork_access_replace(struct ork_onesided *o, struct access *old, struct access *a);
/* Its bytes. */
struct ork_span ork_access_span(const struct access *a);
/* Those by which it is found in the index. */
struct ork_span ork_access_index_span(const struct ork_onesided *o, const struct access *a);
/* Have they a common byte? Undecided: no. */
bool ork_access_overlaps(const struct access *a, const struct access *b);
/* NULL is allowed. */
void ork_pattern_free(struct ork_pattern *pattern);
/* Is it a load or store of the program? */
static inline bool ork_access_is_plain(const struct access *a)
{
    return ork_touch_is_plain(a->seen.touch);
}
/* Is it in an epoch of a lock? */
static inline bool ork_access_is_passive(const struct access *a)
{
    return a->seen.epoch == ORK_IN_LOCK || a->seen.epoch == ORK_IN_LOCK_ALL;
}
/* Does it only read? */
bool ork_access_reads(const struct access *a);
static inline bool ork_access_is_complete_before(const struct ork_onesided *o,
                                                 const struct access *a, const struct access *b)
{
    return a->end != 0 && ork_events_component(o->events, b->start, a->seen.rank) >= a->end;
}

/* ---- lock.c ---- */
void ork_lock_add(struct ork_onesided *o, uint32_t rank, const struct lock *lock);
void ork_lock_remove(struct ork_onesided *o, uint32_t rank, const struct window *w,
                     uint32_t target);
/* The lock by which the rank may access the target; NULL: none. */
const struct lock *ork_lock_find(const struct ork_onesided *o, uint32_t rank,
                                 const struct window *w, uint32_t target);
void ork_lockset_unref(struct lockset *set);
/* Do they exclude each other? */
bool ork_lockset_excludes(const struct lockset *a, const struct lockset *b);
bool ork_lockset_is_same(const struct lockset *a, const struct lockset *b);

/* ---- epoch.c ---- */
enum { EPOCH_ALL_TARGETS = UINT32_MAX };
/* Which of the open accesses are complete, and where? */
struct selection {
    uint32_t target; /* member; EPOCH_ALL_TARGETS */
    bool only_origin;
    bool only_started; /* those of MPI_Win_start */
};
/* All accesses of the rank to this target are complete; `only_origin`: at the origin. */
void ork_epoch_end(struct ork_onesided *o, struct window *w, uint32_t rank, uint32_t target,
                   bool only_origin);
/* That of MPI_Win_start. */
void ork_epoch_complete(struct ork_onesided *o, struct window *w, uint32_t rank);
void ork_epoch_completed(struct ork_onesided *o, uint32_t rank, uint32_t request);
/* Of the open accesses to a target; NULL: there are none. */
struct access *ork_epoch_any(const struct member *m);

/* ---- access.c ---- */
/* One by a rank, now. NULL: out of memory. */
struct access *ork_access_new(struct ork_onesided *o, struct window *w, uint32_t rank,
                              const struct ork_touched *seen);
/* Compare it with the live ones, and make it one of them. */
void ork_access_enter(struct ork_onesided *o, struct access *a);
/* It is complete from now on, before it is entered. False: out of memory. */
bool ork_access_complete(struct ork_onesided *o, struct access *a);
/* Is it complete when it is complete at the origin? It is none of a message. */
bool ork_access_ends_at_origin(const struct access *a);
/* False: the rank has to wait. */
bool ork_access_make(struct ork_onesided *o, struct window *w, uint32_t rank,
                     const struct ork_record *record, const uint32_t *list);
/* The epoch of MPI_Win_start ends: make the accesses that wait for MPI_Win_post. */
void ork_access_release_held(struct ork_onesided *o, struct window *w, uint32_t member);

/* ---- touch.c ---- */
void ork_touch_make(struct ork_onesided *o, struct window *w, uint32_t rank,
                    const struct ork_record *record, const uint32_t *list);

/* ---- rules.c ---- */
enum { ELEMENT_MOST = 8 /* bytes of an element that a rank can wait for */ };
/* What two accesses with common bytes are, if nothing orders or excludes them: none
 * of the kinds of the separate memory model. */
enum ork_conflict_kind ork_rules_judge(const struct access *a, const struct access *b);
/* A pair that is allowed only because a load may wait for the update: the load; else NULL. */
const struct access *ork_rules_waiting(const struct access *a, const struct access *b);
static inline bool ork_access_is_element(const struct access *a)
{
    return a->high - a->low <= ELEMENT_MOST;
}
static inline bool ork_load_may_wait(const struct ork_onesided *o, uint32_t rank, uint32_t site,
                                     bool is_element)
{
    return o->may_wait == NULL || o->may_wait(o->may_wait_context, rank, site, is_element);
}

/* ---- conflict.c ---- */
/* Is the older access complete before the newer one, or the pair allowed? If not, it is a
 * candidate. */
void ork_conflict_check(struct ork_onesided *o, struct access *older, struct access *newer);
/* Confirm candidates, or drop them; `all`: unconditionally. `known`: by rank, the component that
 * all know. */
void ork_conflict_decide(struct ork_onesided *o, const uint32_t *known);
void ork_conflict_destroy(struct ork_onesided *o);
/* Was it confirmed, and is it not told as one of a graver kind? */
bool ork_conflict_is_told(const struct ork_onesided *o, const struct conflict *c);
/* ---- racing.c; without ork_onesided_follow_racing(), these functions do nothing ---- */
/* Two accesses with a byte in common, which do not exclude each other: are they racing? */
void ork_racing_check(struct ork_onesided *o, const struct access *older,
                      const struct access *newer);
/* They are. */
void ork_racing_mark(struct ork_onesided *o, const struct access *a, const struct access *b);
/* The rank uses the shared file pointer; locks a target; is about to release it. */
void ork_racing_use_file(struct ork_onesided *o, const struct ork_comm *file, uint32_t rank,
                         const struct ork_record *record);
void ork_racing_lock(struct ork_onesided *o, const struct ork_comm *window, uint32_t rank,
                     uint32_t member, const struct ork_record *record);
void ork_racing_unlock(struct ork_onesided *o, const struct ork_comm *window, uint32_t rank,
                       uint32_t member);
/* As ork_onesided_racing(), after ork_conflict_decide(). */
void ork_racing_list(struct ork_onesided *o, ork_racing_take *take, void *context);
/* May states be compared? */
bool ork_racing_is_comparable(const struct ork_onesided *o);
void ork_racing_destroy(struct ork_onesided *o);
/* ---- regions.c ---- */
/* A WIN_REGION record of the member. */
void ork_region_change(struct ork_onesided *o, struct window *w, uint32_t member,
                       const struct ork_record *record);
/* An access to the memory of the member of a dynamic window. `start`: what the origin knew. */
void ork_region_look(struct ork_onesided *o, struct window *w, uint32_t member,
                     const struct ork_outside *outside, struct ork_stamp start);
/* The last member frees the window. */
void ork_region_end(struct ork_onesided *o, const struct window *w);
/* For the comparison of states; false: it is incomparable. */
bool ork_region_write(const struct ork_onesided *o, const struct window *w,
                      struct ork_words_writer *to);
/* ---- result.c ---- */
/* An access is outside of the window. */
void ork_conflict_outside(struct ork_onesided *o, const struct ork_outside *outside);

/* ---- separate.c: loads and stores in the separate memory model ---- */
/* The rank makes a load or store `a`. */
void ork_separate_touch(struct ork_onesided *o, struct access *a);
/* What the rank has stored becomes visible to others; or what others have updated, to the rank;
 * or both, when the call that it is in has returned. */
void ork_separate_publish(struct ork_onesided *o, struct window *w, uint32_t rank);
void ork_separate_acquire(struct ork_onesided *o, struct window *w, uint32_t rank);
void ork_separate_acquire_later(struct ork_onesided *o, struct window *w, uint32_t rank);
/* Before the rank does anything in its call o->call[rank]. */
void ork_separate_note_call(struct ork_onesided *o, uint32_t rank);
/* Lower what all ranks know to what they see. */
void ork_separate_limit(const struct ork_onesided *o, uint32_t *known);
void ork_separate_release(struct ork_onesided *o, struct member *m);

/* ---- separate_rules.c ---- */
/* Is the pair, of which one is a load or store of the model, allowed or ordered? */
bool ork_separate_allows(const struct ork_onesided *o, const struct access *a,
                         const struct access *b);

/* ---- retire.c ---- */
/* Forget accesses that all later ones come after, if there are many. */
void ork_retire(struct ork_onesided *o);
/* All of them, and what the flags know of the time before. */
void ork_retire_all(struct ork_onesided *o);

/* ---- stamp.c: the events for a listener; without one, these functions do nothing ---- */
/* An access, or a store to the private copy, that is not complete everywhere. */
struct open_event {
    struct open_item item; /* of member.stamped */
    uint64_t number;
    struct window *window;
    uint32_t member, partner;
    bool reads, is_started;
    bool has_begun;          /* is_started: the post of its target is known */
    bool is_at_origin;       /* complete there */
    struct open_event *next; /* of member.unpublished */
};

static inline struct open_event *ork_stamp_event_of(struct open_item *item)
{
    _Static_assert(offsetof(struct open_event, item) == 0, "one address");

    return (struct open_event *)item;
}

struct latest {
    uint64_t call;
    uint64_t number;   /* 0: none */
    uint64_t accessed; /* the number of the latest one that is an access */
    uint32_t value;    /* of the rank's own component when it began */
    struct open_requests requests;
};

struct stamps {
    const struct ork_onesided_listener *to;
    struct latest *latest; /* by rank */
    uint32_t *clock;       /* scratch */
};

/* RATIONALE: once the order is not known, a stamp would be wrong. */
bool ork_stamp_is_off(const struct ork_onesided *o);
/* `number`: of the event of the rank; the mark 0: no event. */
void ork_stamp_learn_from(const struct ork_onesided *o, uint32_t rank, uint64_t number,
                          uint32_t from, uint64_t mark, bool at_start);
/* The window is destroyed. */
void ork_stamp_forget(struct ork_onesided *o, struct window *w);
/* After all windows. */
void ork_stamp_destroy(struct ork_onesided *o);
/* For struct ork_events_user. */
uint64_t ork_stamp_act(void *context, uint32_t rank, const struct ork_event_call *call);
void ork_stamp_learn(void *context, uint32_t rank, uint32_t from, uint64_t mark);
void ork_stamp_arrive(void *context, uint32_t rank, uint64_t wave);
void ork_stamp_learn_all(void *context, uint32_t rank, uint64_t wave);
/* The mark of the latest event of the rank. */
uint64_t ork_stamp_mark(const struct ork_onesided *o, uint32_t rank);
/* ---- stamp_access.c ---- */
/* The latest event of the rank makes an access. */
void ork_stamp_access(struct ork_onesided *o, struct window *w, uint32_t rank,
                      const struct ork_record *record);
/* It is a load or store. */
void ork_stamp_touch(struct ork_onesided *o, struct window *w, uint32_t rank, bool reads);
/* The latest event of the rank publishes its stores to this window. */
void ork_stamp_publish(struct ork_onesided *o, struct window *w, uint32_t rank);
/* The latest event of the rank completes these; or what has this request, at the origin. */
void ork_stamp_complete(struct ork_onesided *o, struct window *w, uint32_t rank,
                        const struct selection *s);
void ork_stamp_completed(struct ork_onesided *o, uint32_t rank, uint32_t request);
/* The epoch of MPI_Win_start ends; its targets were asked. */
void ork_stamp_end_access(struct ork_onesided *o, struct window *w, uint32_t rank);

/* ---- spin_waits.c: order by data that a rank has seen ---- */
struct spin_waits *ork_spin_waits_create(uint32_t nprocs);
void ork_spin_waits_destroy(struct spin_waits *f);
/* The access may tell something to others, or has shown something to its rank. */
void ork_spin_waits_note(struct ork_onesided *o, const struct access *a);
/* Are there so many states of the rank that it is worth while to forget some? */
bool ork_spin_waits_are_crowded(const struct ork_onesided *o, uint32_t rank);
/* Before the rank does anything in its next call: note what it knows. */
void ork_spin_waits_note_state(struct ork_onesided *o, uint32_t rank);
/* A window was made; a rank locks one: from now on, data may order. */
void ork_spin_waits_note_window(struct ork_onesided *o);
void ork_spin_waits_note_lock(struct ork_onesided *o);
/* May data order accesses? If not, every candidate is a conflict. */
bool ork_spin_waits_are_noted(const struct ork_onesided *o);
/* Is it time to forget some? */
bool ork_spin_waits_are_many(const struct ork_onesided *o);
/* Forget what no access that is still followed depends on. */
void ork_spin_waits_retire(struct ork_onesided *o, const uint32_t *known);
/* The same for what ranks knew. All accesses that are live, or still to come, come after it. */
void ork_spin_waits_forget_states(struct ork_onesided *o, const uint32_t *known);
/* Write what is noted: see state_key.c. */
void ork_spin_waits_write(const struct ork_onesided *o, struct ork_words_writer *to);

/* ---- spin_waits_search.c ---- */
/* May one of them have waited for the other in this way? `is_separate`: in that memory model. */
bool ork_spin_waits_may_order(const struct ork_onesided *o, const struct access *a,
                              const struct access *b, bool is_separate);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of causality. The records of a rank are read ahead into steps, which know the outcome
 * of each receive (read.c); the steps of all ranks are followed in an order in which each message
 * is sent before a call that depends on it returns (follow.c). */
#ifndef ORK_CAUSALITY_INTERNAL_H
#define ORK_CAUSALITY_INTERNAL_H

#include "order/causality/clocks.h"
#include "order/causality/collective.h"
#include "order/causality/events.h"
#include "order/causality/messages.h"
#include "order/causality/operations.h"
#include "order/causality/ranks.h"
#include "order/causality/windows.h"
#include "common/assert.h"
#include "common/vec.h"
#include "order/comms/comms.h"

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

/* ---- sums.c ---- */
/* If the vector clocks need more bytes than their limit, replace them by numbers. False: out of
 * memory. Call when no function of the clocks is active. */
bool ork_causality_limit_clocks(struct ork_causality *c);

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
void ork_causality_distinct_destroy(struct distinct_poll *t);
/* How many distinct polls before the choice of this number were abandoned: as in struct
 * ork_polled_choice. There are some. */
uint64_t ork_causality_num_abandoned(const struct rank *p, uint64_t number);
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
/* That of an ordered atomic, which only reads, or updates its location. */
struct section *ork_causality_atomic(struct rank *p, const struct ork_record *call, bool is_read);
/* The one that WIN_UNLOCK ends. NULL: it is not followed. */
struct section *ork_causality_open_section(const struct rank *p, const struct ork_record *call);
/* WIN_LOCK of all targets is no section, but it conflicts with exclusive ones. */
void ork_causality_lock_all(struct rank *p, const struct ork_record *call);
/* The EXIT record of the lock has its number. */
void ork_causality_section_is_counted(struct section *s, const struct ork_record *exit);
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
void ork_causality_targets_destroy(struct ork_causality *c, struct ork_comm *comm);

#endif

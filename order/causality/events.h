/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of events for an analysis of its own: follows the records of all ranks like causality.h
 * and hands the calls about windows to a user, each one after all that it depends on. The user
 * decides when a rank's component of the clocks is increased.
 *
 * What a rank may know of others is over-approximated: from each collective call it knows what any
 * implementation could have sent to it. So an event that is not known to be before another one is
 * certainly not ordered by messages, collective calls, or the user. Pure. */
#ifndef ORK_CAUSALITY_EVENTS_H
#define ORK_CAUSALITY_EVENTS_H

#include "order/causality/causality.h"
#include "common/words.h"
#include "order/comms/comms.h"

struct ork_events;

/* What a rank knew at some time. All zero: nothing. Owned by whoever took it. */
struct ork_stamp {
    struct vector *vector;
};

/* A call of a rank in which it can tell or learn something. */
struct ork_event_call {
    uint64_t number; /* among the calls of the rank, and its loads and stores that have records */
    uint32_t site;
    uint16_t call; /* enum ork_call_id; 0: a load or store */
};

/* Functions that return false may not be called again for this event; they mean `out of memory`,
 * except `call`. */
struct ork_events_user {
    void *context;
    /* WIN_MEMORY, WIN_REGION, TOUCH; WIN_POST .. WIN_FLUSH, when the call has returned without an
     * error; ACCESS, also with an error: then with ORK_F_ERROR; FILE_ACCESS with the shared file
     * pointer; COLL WIN_FENCE and WIN_FREE, when it is entered. `ref`: the window or file. False:
     * the rank has to wait for another one, until ork_events_wake(). */
    bool (*call)(void *context, uint32_t rank, struct ork_comm_ref ref,
                 const struct ork_record *record, const uint32_t *list);
    /* The operation of an ACCESS record with this request was completed at the origin, or that of a
     * buffer in a TOUCH record. */
    void (*completed)(void *context, uint32_t rank, uint32_t request);
    /* For a user that writes down why events are ordered; NULL: not wanted.
     * act: before anything happens in this call; several times for one call. Returns a mark, by
     * which the others name it.
     * learn: in its latest call, the rank learned what another one knew in that of the mark.
     * arrive: its latest call is part of this collective call. learn_all: it learned what all of
     * them knew that have arrived. */
    uint64_t (*act)(void *context, uint32_t rank, const struct ork_event_call *call);
    void (*learn)(void *context, uint32_t rank, uint32_t from, uint64_t mark);
    void (*arrive)(void *context, uint32_t rank, uint64_t wave);
    void (*learn_all)(void *context, uint32_t rank, uint64_t wave);
};

/* For ranks 0 to `nprocs` - 1 of one MPI_COMM_WORLD. The caller owns *out. ORK_NOMEM. */
enum ork_status ork_events_create(uint32_t nprocs, const struct ork_events_user *user,
                                  struct ork_events **out);
/* NULL is allowed. */
void ork_events_destroy(struct ork_events *e);

/* As in causality.h. */
enum ork_status ork_events_feed(struct ork_events *e, uint32_t rank,
                                const struct ork_record *record, size_t n);
void ork_events_end(struct ork_events *e, uint32_t rank);
/* Why the order of events is not known any more from some event on (static storage); NULL: it is
 * known. RATIONALE: then any two later events may be ordered. */
const char *ork_events_lost(const struct ork_events *e);
/* When all ranks have ended: why some calls were not followed; NULL: all were. */
const char *ork_events_stuck(const struct ork_events *e);

/* From now on the component of a rank also grows before it sends, so that its messages can be told
 * apart from what it did later. */
void ork_events_tick_sends(struct ork_events *e);

/* Try the waiting call of the rank again. */
void ork_events_wake(struct ork_events *e, uint32_t rank);
/* Will the rank do nothing more than the user has seen? Then waiting for it is pointless. */
bool ork_events_is_silent(const struct ork_events *e, uint32_t rank);

/* ---- clocks ---- */

/* Increase the rank's own component. Returns its new value; 0: out of memory. */
uint32_t ork_events_tick(struct ork_events *e, uint32_t rank);
/* What the rank knows now. */
struct ork_stamp ork_events_take(const struct ork_events *e, uint32_t rank);
struct ork_stamp ork_events_share(struct ork_stamp stamp);
void ork_events_release(struct ork_stamp stamp);
/* What it knows of the component of a rank. */
uint32_t ork_events_component(const struct ork_events *e, struct ork_stamp stamp, uint32_t rank);
/* Changes whenever the rank learns something of others. */
uint64_t ork_events_learned(const struct ork_events *e, uint32_t rank);
/* The rank learns what is known there. False: out of memory. */
bool ork_events_join(struct ork_events *e, uint32_t rank, struct ork_stamp stamp);
/* Add one to another. False: out of memory. */
bool ork_events_merge(struct ork_stamp *to, struct ork_stamp from);

/* ---- comparing states ---- */

/* Write all that the order of later events depends on. What happened before counts only as far as
 * later events can be compared with it: the user writes the stamps and values that it keeps. If the
 * words of two states are equal, and so are those of the user, later records have the same effects.
 * `to` fails if something is pending that is not compared. */
void ork_events_write(const struct ork_events *e, struct ork_words_writer *to);
void ork_events_write_stamp(const struct ork_events *e, struct ork_words_writer *to,
                            struct ork_stamp stamp);
/* A value of the component of a rank; of ork_events_learned(); the number of a call. */
void ork_events_write_component(const struct ork_events *e, struct ork_words_writer *to,
                                uint32_t rank, uint32_t value);
void ork_events_write_learned(const struct ork_events *e, struct ork_words_writer *to,
                              uint32_t rank, uint64_t learned);
void ork_events_write_call(const struct ork_events *e, struct ork_words_writer *to, uint32_t rank,
                           uint64_t number);
/* Axis of other values of the user (common/words.h). */
enum { ORK_EVENTS_USER_AXIS = 0 };

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of --must:timestamps: the events of a run by which one-sided accesses are ordered, each
 * with its stamp, and what each one learned from which other. Text, one fact a line:
 *
 *     ORKSTAMPS 1                 version
 *     ranks N
 *     event R K CALL SITE C=V ..  event K (from 1) of rank R; what R knew when it began: component
 *                                 V of rank C, for those that grew since event K - 1
 *     access R K W T WORD         it is an access to the memory of rank T in window W of rank R:
 *                                 read or update by a call, load or store
 *     private R K L               it is a load or store of the separate memory model, and sees what
 *                                 was updated before event L of R was over (0: nothing)
 *     origin R K V                from value V of the component of R on, it is complete at the
 *     target R K V                origin, or everywhere
 *     start R K Q L               it began after event L of rank Q
 *     learn R K Q L               before it was over, it learned what was known at event L of Q
 *     part R K W                  it is part of collective call W
 *     all R K W                   it learned what was known at all parts of W
 *     place R SITE TEXT
 *     lost TEXT                   why the order is not known after this line
 *     end
 *
 * Who reads it needs `ork_stamps_is_before`: an event is complete before another one if the other
 * one knew, when it began, the value from which on the first one is complete. A load or store of
 * the separate memory model comes after the updates of its memory that it sees. */
#ifndef ORK_STAMPS_H
#define ORK_STAMPS_H

#include "common/status.h"

#include <stdbool.h>
#include <stdint.h>

#define ORK_STAMPS_MAGIC "ORKSTAMPS " /* its first bytes, before the version */

enum { ORK_STAMPS_RANKS = 1 << 20, ORK_STAMPS_ERROR = 256 };

/* ---- writing ---- */

struct ork_stamps_writer;

/* Create `path`, or replace an earlier file of this kind. ORK_EXISTS: there is another file;
 * ORK_IO: errno; ORK_NOMEM. */
enum ork_status ork_stamps_create(const char *path, uint32_t ranks, struct ork_stamps_writer **out);
/* The next event of a rank. `clock`: by rank. */
void ork_stamps_event(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, const char *call,
                      uint32_t site, const uint32_t *clock);
/* It is a load or store of the separate memory model. */
void ork_stamps_private(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, uint64_t seen);
/* The others mean an event that was written. */
void ork_stamps_access(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, uint32_t window,
                       uint32_t target, const char *word);
void ork_stamps_complete(struct ork_stamps_writer *w, uint32_t rank, uint64_t number,
                         bool at_target, uint32_t value);
void ork_stamps_learn(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, uint32_t from,
                      uint64_t event, bool at_start);
void ork_stamps_part(struct ork_stamps_writer *w, uint32_t rank, uint64_t number, uint64_t wave);
void ork_stamps_learn_all(struct ork_stamps_writer *w, uint32_t rank, uint64_t number,
                          uint64_t wave);
/* `text`: any characters. */
void ork_stamps_place(struct ork_stamps_writer *w, uint32_t rank, uint32_t site, const char *text);
void ork_stamps_lost(struct ork_stamps_writer *w, const char *text);
/* All was written; or not, and the file is one that was cut off. ORK_IO: something could not be
 * written. NULL is allowed. */
enum ork_status ork_stamps_close(struct ork_stamps_writer *w, bool is_whole);

/* ---- reading ---- */

struct ork_stamps;

/* ORK_INVALID: `error` is a sentence without the file's name; ORK_IO: errno; ORK_NOMEM. */
enum ork_status ork_stamps_read(const char *path, struct ork_stamps **out,
                                char error[ORK_STAMPS_ERROR]);
/* NULL is allowed. */
void ork_stamps_destroy(struct ork_stamps *s);

enum ork_stamps_access { ORK_STAMPS_NONE, ORK_STAMPS_BY_CALL, ORK_STAMPS_BY_PROGRAM };

struct ork_stamps_event {
    uint32_t rank;
    uint64_t number;
    const char *call;  /* MPI_Put, or load, store */
    const char *place; /* any characters; NULL: unknown */
    enum ork_stamps_access access;
    bool reads;
    uint32_t window, target;
    bool is_private; /* of the separate memory model; it sees what was updated before this event of
                      * its rank was over: */
    uint64_t seen;
    uint32_t own;         /* the rank's own component when it begins */
    uint64_t origin, end; /* the value from which on it is complete at the origin, and everywhere;
                           * UINT64_MAX: no event of the run begins so late */
};

uint32_t ork_stamps_ranks(const struct ork_stamps *s);
/* Of a rank below that. */
uint64_t ork_stamps_count(const struct ork_stamps *s, uint32_t rank);
/* Event `number` of the rank, from 1 to their count. */
struct ork_stamps_event ork_stamps_get(const struct ork_stamps *s, uint32_t rank, uint64_t number);
/* All events of a rank, in their order, with what each knew when it began (by rank); `take` returns
 * false to stop. ORK_NOMEM. */
typedef bool ork_stamps_take(void *context, const struct ork_stamps_event *event,
                             const uint32_t *clock);
enum ork_status ork_stamps_list(const struct ork_stamps *s, uint32_t rank, ork_stamps_take *take,
                                void *context);
/* What the event knew of a rank when it began. */
uint32_t ork_stamps_component(const struct ork_stamps *s, const struct ork_stamps_event *event,
                              uint32_t rank);
/* Why the order is not known after the events in the file; NULL: it is known. */
const char *ork_stamps_why_lost(const struct ork_stamps *s);

/* Is `a` complete before `b` begins? `at_origin`: for an access, if only that is asked. */
bool ork_stamps_is_before(const struct ork_stamps *s, const struct ork_stamps_event *a,
                          const struct ork_stamps_event *b, bool at_origin);

/* How an event of a path leads to the next one. */
enum ork_stamps_why {
    ORK_STAMPS_SAME_RANK, /* it is earlier in its rank */
    ORK_STAMPS_TOLD,      /* the other rank learned from it */
};
struct ork_stamps_step {
    struct ork_stamps_event event;
    enum ork_stamps_why why; /* not of the last one */
};
/* The events by which `a` is before `b`, which it is: from `a` to `b`. The caller frees *out.
 * False: out of memory, or the file contradicts itself. */
bool ork_stamps_path(const struct ork_stamps *s, const struct ork_stamps_event *a,
                     const struct ork_stamps_event *b, bool at_origin, struct ork_stamps_step **out,
                     uint32_t *count);

#endif

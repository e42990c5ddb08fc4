/* SPDX-License-Identifier: BSD-3-Clause */
/* The arbiter of a deterministic run (docs/explanation/deterministic.md): follows the records of
 * all ranks, gives each message a logical time, and decides which message a wildcard receive or
 * probe takes, which request completes first, when a test succeeds, and in which order window locks
 * are granted and atomics of one location made. The decisions are the same in every run. Pure: no
 * MPI, no I/O, no clock, no threads, no globals. */
#ifndef ORK_ARBITER_H
#define ORK_ARBITER_H

#include "common/status.h"
#include "record/decision.h"
#include "record/record.h"

struct ork_arbiter;

/* An arbiter for ranks 0 to `nprocs` - 1 of one MPI_COMM_WORLD. The caller owns *out. ORK_NOMEM. */
enum ork_status ork_arbiter_create(uint32_t nprocs, struct ork_arbiter **out);
/* NULL is allowed. */
void ork_arbiter_destroy(struct ork_arbiter *a);

/* The next records of `rank`, in the order in which it wrote them; a batch may end between a record
 * and its continuation. They are untrusted: from an invalid one on, the rank counts as running, at
 * its present time. ORK_NOMEM: the arbiter is unusable from now on. */
enum ork_status ork_arbiter_feed(struct ork_arbiter *a, uint32_t rank,
                                 const struct ork_record *record, size_t n);
/* After the last record of `rank`. */
void ork_arbiter_end(struct ork_arbiter *a, uint32_t rank);

/* Take the next decision that holds whatever the ranks do next. ORK_NOTFOUND: none can be taken
 * yet. ORK_NOMEM. */
enum ork_status ork_arbiter_decide(struct ork_arbiter *a, uint32_t *rank,
                                   struct ork_decision *decision);

/* The same in a quiescent state: no rank will move before it gets a decision, all records have been
 * fed, and ork_arbiter_decide() finds nothing. RATIONALE: this state is the same in every run, so
 * any rule that only depends on it is deterministic. ORK_NOTFOUND: there is nothing to decide, and
 * the program itself cannot go on. */
enum ork_status ork_arbiter_break(struct ork_arbiter *a, uint32_t *rank,
                                  struct ork_decision *decision);

/* Does the rank wait for a lock, or an atomic, that it would get if another rank, *by, could not
 * ask for an earlier one? *bound: the earliest time of that. */
bool ork_arbiter_is_held_up(const struct ork_arbiter *a, uint32_t rank, uint32_t *by,
                            uint64_t *bound);

/* Does some rank wait for a decision, inside a call? */
bool ork_arbiter_is_waiting(const struct ork_arbiter *a);

#endif

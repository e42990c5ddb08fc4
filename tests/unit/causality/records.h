/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a run of a small program, and its choices. */
#ifndef ORK_TEST_CAUSALITY_RECORDS_H
#define ORK_TEST_CAUSALITY_RECORDS_H

#include "tests/unit/causality/explore.h"

/* Is it a receive or probe with a wildcard? */
bool run_is_wildcard(const struct op *o);
/* The ordinal of an Irecv with a wildcard among those of its rank, from 1. */
int run_post_of(const struct program *p, int rank, int op);
/* Source and tag of the message that has this outcome. */
struct outcome run_message_of(const struct program *p, const struct state *s, unsigned outcome);

/* `c` may be NULL. */
void run_feed(struct ork_causality *c, int rank, struct ork_record record);
/* Before all operations of the rank. */
void run_make_window(struct ork_causality *c, int rank);
/* The rank enters the operation, or leaves it and makes its choices. */
void run_enter(const struct program *p, struct ork_causality *c, const struct run *run, int rank,
               int op);
/* The next poll of the LOOP was unsuccessful. */
void run_fail(const struct program *p, struct ork_causality *c, struct run *run, int rank, int op,
              bool has_record);
void run_leave(const struct program *p, struct ork_causality *c, struct run *run, int rank, int op);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Polls whose outcome is not given: which of them wait (docs/explanation/polls.md). In a run of an
 * exploration each waits until it is successful, or no rank can go on; then it is unsuccessful. So
 * a row of polls has one outcome, which does not depend on time. In a deterministic run most are
 * unsuccessful without a look, and some ask the tool. */
#ifndef ORK_POLLS_H
#define ORK_POLLS_H

#include "interceptor/forcing/outcome.h"

/* In a run of an exploration: ORK_OUTCOME_WAITS if it waits, else ORK_OUTCOME_FREE. */
enum ork_outcome ork_polls_wait(enum ork_call_id id);
/* It has waited. */
void ork_polls_have_waited(enum ork_call_id id, bool is_successful);
/* Has it waited for too long? *until_ns: 0 at first. */
bool ork_polls_are_late(uint64_t *until_ns);

/* In a deterministic run: is it unsuccessful without a look? Else it asks; and may be successful.
 */
bool ork_polls_fail_unseen(enum ork_call_id id);
/* The one that asked last was. */
void ork_polls_have_succeeded(void);

#endif

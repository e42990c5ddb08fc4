/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorded choices of this rank in a replay: what the calling thread has to choose next. With
 * the recorder's lock held, except ork_replay_is_on() and ork_replay_load(). */
#ifndef ORK_REPLAY_H
#define ORK_REPLAY_H

#include "interceptor/ring/recorder.h"
#include "order/file/recorded.h"
#include "record/record.h"

#include <stdatomic.h>

/* True while this rank follows a recording: until it has diverged. */
extern _Atomic bool ork_replaying;
static inline bool ork_replay_is_on(void)
{
    return atomic_load_explicit(&ork_replaying, memory_order_relaxed);
}

/* Read the stream from a memory file, which is closed and must never shrink. False: this rank will
 * run freely. */
bool ork_replay_load(int fd);

/* The next choice of the calling thread; NULL: the recording has none. RATIONALE: a call asks for
 * it several times. */
const struct ork_choice *ork_replay_read_next(void);
static inline const struct ork_choice *ork_replay_next(void)
{
    const struct ork_choice *next = ork_thread.next_choice;

    return ORK_LIKELY(next != NULL) ? next : ork_replay_read_next();
}
/* Read the choices of a thread from its first one on, until `take` returns false; what the thread
 * makes next does not change. ORK_NOMEM. */
enum ork_status ork_replay_read(uint32_t thread, ork_recorded_take *take, void *context);
/* Unsuccessful polls of the calling thread since its latest choice. */
uint64_t ork_replay_polls(void);
/* Recorded unsuccessful polls that the calling thread still has to make before it. */
bool ork_replay_polls_fail(const struct ork_choice *next);

/* The outcome of the n-th wildcard receive that a thread posts (ORK_CHOICE_RECEIVE), of its n-th
 * nonblocking receive, if that was to be cancelled (ORK_CHOICE_CANCEL), or of its n-th window lock
 * (ORK_CHOICE_LOCK, ORK_CHOICE_LATE_LOCK): only source and tag, valid until the calling thread asks
 * again. NULL: it had none. */
const struct ork_choice *ork_replay_outcome(enum ork_choice_kind kind, uint32_t thread,
                                            uint64_t ordinal);

/* Are these no recorded choices, but what an exploration decides? */
bool ork_replay_is_plan(void);

/* Was the recording cut off before the next choice of the calling thread? */
bool ork_replay_is_cut(void);

/* What was decided does not come, and need not: the rank runs freely from here on. */
void ork_replay_end(void);
/* The calling thread has chosen: this must be the next choice of the recording. */
void ork_replay_check(const struct ork_choice *actual);
/* The call at `site` cannot have the next choice's outcome: the rank runs freely from here on. */
void ork_replay_diverge(enum ork_divergence why, uint16_t call, uint32_t site);

#endif

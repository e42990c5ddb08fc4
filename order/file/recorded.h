/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorded stream of a rank, for a replay: the next choice of each thread, and the outcome of
 * each posted receive. Choices are decoded when their thread asks for them, and outcomes a little
 * ahead (outcomes.h), so their number costs no memory. Pure. */
#ifndef ORK_ORDER_RECORDED_H
#define ORK_ORDER_RECORDED_H

#include "order/file/order.h"

struct ork_recorded;

/* The stream stays the caller's, and has to exist until ork_recorded_destroy(). An incomplete
 * choice at its end is left out. ORK_INVALID: it is no stream. ORK_NOMEM. */
enum ork_status ork_recorded_create(const uint8_t *stream, size_t size,
                                    struct ork_recorded **recorded);
void ork_recorded_destroy(struct ork_recorded *recorded);

/* The next choice of a thread, valid until ork_recorded_advance() for the same thread.
 * ORK_NOTFOUND: the thread has no further one. ORK_NOMEM. */
enum ork_status ork_recorded_next(struct ork_recorded *recorded, uint32_t thread,
                                  const struct ork_choice **next);
/* The thread has made the choice that ork_recorded_next() found. Returns what that would find next;
 * NULL: it has to be asked. RATIONALE: in a loop of the program, the next choice is known. */
const struct ork_choice *ork_recorded_advance(struct ork_recorded *recorded, uint32_t thread);
/* Read the choices of a thread from its first one on, until `take` returns false; a choice is valid
 * during the call. Independent of ork_recorded_next(). ORK_NOMEM. */
typedef bool ork_recorded_take(void *context, const struct ork_choice *choice);
enum ork_status ork_recorded_read(const struct ork_recorded *recorded, uint32_t thread,
                                  ork_recorded_take *take, void *context);
/* The number of the thread's next choice, from 1, even if the stream does not have it. */
uint64_t ork_recorded_number(const struct ork_recorded *recorded, uint32_t thread);
/* The choices of the thread in the stream. */
uint64_t ork_recorded_count(const struct ork_recorded *recorded, uint32_t thread);
/* Does the stream lack the last call of this thread, because the recording was cut off? */
bool ork_recorded_is_cut(const struct ork_recorded *recorded, uint32_t thread);

/* Is it of no recording, but what an exploration decides (ORK_CHOICE_OPEN)? */
bool ork_recorded_is_plan(const struct ork_recorded *recorded);

/* The outcome of the receive that a thread posted (ORK_CHOICE_RECEIVE), of the operation that was
 * to be cancelled (ORK_CHOICE_CANCEL), or of its window lock (ORK_CHOICE_LOCK,
 * ORK_CHOICE_LATE_LOCK): `post` of that choice. False: it had none. */
bool ork_recorded_outcome(const struct ork_recorded *recorded, enum ork_choice_kind kind,
                          uint32_t thread, uint64_t post, int32_t *source, int32_t *tag);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the calls of a rank share: records, questions, receives, outcomes. */
#ifndef ORK_FUZZ_ARBITER_CALLS_H
#define ORK_FUZZ_ARBITER_CALLS_H

#include "tests/fuzz/arbiter/process.h"

/* ---- interceptor.c ---- */

void process_put(struct process *p, struct ork_record record, const uint32_t *list, uint32_t count);
void process_ask(struct process *p, enum ork_ask what, struct ork_record record,
                 const uint32_t *list, uint32_t count);
/* Tell how many one-sided calls were made. */
void process_tell(struct process *p);
/* Was the latest question answered so? */
bool process_is_nothing(const struct process *p);
/* Is an operation of the rank, before this one, held although it could take the same message? */
bool process_is_behind(const struct process *p, uint32_t before, uint32_t comm, int32_t source,
                       int32_t tag);
/* Start the receives that may be started. */
bool process_pump(struct process *p);
/* Does it hold any receive? */
bool process_holds(const struct process *p);
int32_t process_world_of(const struct process *p, uint32_t comm, int32_t peer);
uint32_t process_post_receive(struct process *p, uint32_t comm, int32_t peer, int32_t tag);
bool process_read_inbox(struct process *p);
/* An outcome. */
void process_add(struct process *p, uint64_t what);
/* A message was received or found. */
void process_note(struct process *p, const struct packet *m);
/* The call is over: true. */
bool process_next(struct process *p);
/* After a call that is no unsuccessful poll. */
bool process_next_call(struct process *p);
/* Source and tag, for EXIT or TESTED. */
void process_describe(const struct process *p, const struct op *op, uint32_t word[2]);
const struct packet *process_message_of(const struct process *p, const struct op *op);
struct op *process_op_of(const struct process *p, uint32_t slot);
bool process_is_complete(const struct process *p, uint32_t slot);
void process_consume(struct process *p, uint32_t slot);
/* Does a call that completes it write EXIT? */
bool process_needs_exit(const struct op *op);
const struct step *process_step_of(const struct process *p);
struct ork_record process_record_of(const struct step *s, enum ork_kind kind);

/* ---- told.c ---- */

void process_told_read(struct process *p, const struct ork_decision *d);
void process_told_sent(struct process *p, uint32_t to);
/* The receive is posted; later: with this request. */
void process_told_receive(struct process *p, struct op *op, uint32_t comm, int32_t peer,
                          int32_t tag);
void process_told_posted(struct process *p, uint32_t slot);
/* It may be cancelled. */
void process_told_cancels(struct process *p, uint32_t slot);
/* Is the answer known without a question? Then the call finds the message. */
bool process_told_probe(struct process *p, const struct step *s);
bool process_told_index(struct process *p, const uint32_t *slot, uint32_t n);

/* ---- requests.c: a call as far as it goes now; false: no further ---- */

bool process_do_send(struct process *p, struct step s);
/* The record of a nonblocking call is written when it has returned. */
bool process_do_nonblocking(struct process *p, const struct step *s);
bool process_do_recv(struct process *p, const struct step *s);
bool process_do_sendrecv(struct process *p, const struct step *s);
bool process_do_start(struct process *p, const struct step *s);
bool process_do_wait_for_all(struct process *p, uint32_t set, enum ork_wait_mode mode);
bool process_do_waitany(struct process *p, const struct step *s);
bool process_do_test(struct process *p, const struct step *s);
/* A poll was unsuccessful. */
bool process_poll_again(struct process *p, const struct step *s);
/* Is this poll a question? */
bool process_is_question(const struct process *p);
/* An answer was NOTHING. */
bool process_after_question(struct process *p, const struct step *s);

/* ---- locks.c: the same ---- */

bool process_do_lock(struct process *p, const struct step *s);
bool process_do_unlock(struct process *p, const struct step *s);
bool process_do_atomic(struct process *p, const struct step *s);
bool process_do_put(struct process *p);
void process_define_window(struct process *p);

#endif

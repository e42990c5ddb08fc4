/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes small programs for the search of alternative matches, and searches them. Group 0 of a
 * program has all of its ranks. */
#ifndef ORK_TEST_INTERLEAVE_PROGRAMS_H
#define ORK_TEST_INTERLEAVE_PROGRAMS_H

#include "detector/interleave/interleave.h"

enum { ANY_TAG = -1, ANY = ORK_INTERLEAVE_ANY };

/* A program of at most 64 ranks; NULL: out of memory. */
struct ork_interleave *program_create(uint32_t ranks);
/* An operation of `rank`, to be changed and posted. */
struct ork_interleave_op write_message(uint32_t rank, uint32_t peer, int32_t tag);
/* The next operation of `rank`; its number. */
uint32_t write_isend(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag);
uint32_t write_irecv(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag);
void write_wait(struct ork_interleave *p, uint32_t rank, uint32_t op);
void write_send(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag);
void write_recv(struct ork_interleave *p, uint32_t rank, uint32_t peer, int32_t tag);
/* A receive from anybody that took the message of `source`, and may take another one. What the rank
 * did with its status: */
enum took { IGNORED, LOOKED_AT, SUPPOSED_IGNORED };
void write_recv_that_took(struct ork_interleave *p, uint32_t rank, uint32_t source,
                          enum took status);
void write_arrive(struct ork_interleave *p, uint32_t rank, uint32_t wave);
/* All ranks end. */
void write_ends(struct ork_interleave *p, uint32_t ranks);

enum ork_interleave_result program_search(struct ork_interleave *p,
                                          const struct ork_interleave_options *options);
/* By rank: D: deadlocked, E: has ended, -: neither. */
void assert_deadlocked(const struct ork_interleave *p, const char *ranks);
/* Search with and without each short cut, and once more with what was remembered. deadlocked: as
 * above; NULL: no deadlock is possible. */
void program_check(void (*write)(struct ork_interleave *p), uint32_t ranks, const char *deadlocked);
/* How many states the search of a safe program has. */
uint64_t program_states(void (*write)(struct ork_interleave *p), uint32_t ranks,
                        const struct ork_interleave_options *options);

#endif

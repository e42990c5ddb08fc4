/* SPDX-License-Identifier: BSD-3-Clause */
/* Records and expected decisions, one line each. */
#ifndef ORK_TEST_ARBITER_SCRIPT_H
#define ORK_TEST_ARBITER_SCRIPT_H

#include "order/arbiter/arbiter.h"
#include "tests/unit/detector/unit.h"

enum { ANY = ORK_ANY_SOURCE, ANY_TAG = ORK_ANY_TAG };

struct ork_arbiter *create(uint32_t nprocs);
void feed(struct ork_arbiter *a, uint32_t rank, struct ork_record record);
/* With a list of words, which ends with END_OF_LIST. */
#define END_OF_LIST (UINT32_MAX - 9)
void feed_list(struct ork_arbiter *a, uint32_t rank, struct ork_record record, ...);

void send(struct ork_arbiter *a, uint32_t rank, int32_t to, int32_t tag);
void isend(struct ork_arbiter *a, uint32_t rank, int32_t to, int32_t tag, uint32_t request);
void recv(struct ork_arbiter *a, uint32_t rank, int32_t from, int32_t tag);
void irecv(struct ork_arbiter *a, uint32_t rank, int32_t from, int32_t tag, uint32_t request);
/* EXIT of a receive or probe. */
void returned(struct ork_arbiter *a, uint32_t rank, int32_t from, int32_t tag);
/* A blocking send to MPI_PROC_NULL: the call before it has returned. */
void go_on(struct ork_arbiter *a, uint32_t rank);
void coll(struct ork_arbiter *a, uint32_t rank, enum ork_coll what);
void finalize(struct ork_arbiter *a, uint32_t rank);

void expect(struct ork_arbiter *a, uint32_t rank, enum ork_decided decided, uint32_t number,
            int32_t source, int32_t tag);
void expect_break(struct ork_arbiter *a, uint32_t rank, enum ork_decided decided, uint32_t number,
                  int32_t source, int32_t tag);
void expect_nothing_yet(struct ork_arbiter *a);
/* Nor in a quiescent state. */
void expect_nothing(struct ork_arbiter *a);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of a few ranks, written down in a line each. */
#ifndef ORK_TEST_OVERLAY_SCRIPT_H
#define ORK_TEST_OVERLAY_SCRIPT_H

#include "record/calls.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>

/* The records of one rank. Zero at first. */
struct script {
    struct ork_record record[512];
    size_t n;
};

void script_add(struct script *s, struct ork_record record);
/* With `count` words behind it. */
void script_list(struct script *s, struct ork_record record, const uint32_t *word, uint32_t count);
/* With a text of `bytes` bytes behind it. */
void script_text(struct script *s, struct ork_record record, const char *text, size_t bytes);

void script_init(struct script *s, uint32_t rank, uint32_t size);
/* The site of each call is its place in the script, from 1, so that no two are the same. */
void script_recv(struct script *s, int32_t source, int32_t tag);
void script_irecv(struct script *s, uint32_t comm, int32_t source, uint32_t request);
void script_send(struct script *s, int32_t destination, int32_t tag);
void script_wait_all(struct script *s, const uint32_t *request, uint32_t count);
void script_coll(struct script *s, uint32_t comm, enum ork_coll coll);
/* MPI_Comm_create of MPI_COMM_WORLD; a member (ranks != NULL) then knows it as `comm`. */
void script_create(struct script *s, uint32_t comm, const uint32_t *ranks, uint32_t count);
void script_finalize(struct script *s);

#endif

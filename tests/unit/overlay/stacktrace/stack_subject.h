/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of fixtures/stack_*, started and waited for. */
#ifndef ORK_TEST_OVERLAY_STACK_SUBJECT_H
#define ORK_TEST_OVERLAY_STACK_SUBJECT_H

#include <stdio.h>
#include <sys/types.h>

struct subject {
    pid_t pid;
    uint32_t tid; /* of the thread that waits */
    int in;
    FILE *out;
};

/* Start it, and wait until it waits. */
void subject_start(struct subject *subject, const char *program, const char *mode);
/* One letter of /proc: 'S' sleeping, 'D' deeply, 'T' stopped. */
char subject_state(const struct subject *subject);
/* Give it its byte. */
void subject_go(const struct subject *subject);
/* The next result that it tells. */
long subject_result(const struct subject *subject);
/* Wait for its end, which must be a good one. */
void subject_end(struct subject *subject);
/* Kill it. */
void subject_kill(struct subject *subject);

#endif

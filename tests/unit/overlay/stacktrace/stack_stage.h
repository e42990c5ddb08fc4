/* SPDX-License-Identifier: BSD-3-Clause */
/* One subject and its stack. */
#ifndef ORK_TEST_OVERLAY_STACK_STAGE_H
#define ORK_TEST_OVERLAY_STACK_STAGE_H

#include "overlay/stacktrace/stack_internal.h"

#include "stack_subject.h"

enum { FRAMES = 64 };

extern const struct ork_stack_limits limits;
extern struct ork_stacks *stacks;
extern struct ork_stack stack;
extern struct subject subject;

int stack_set_up(void **state);
int stack_tear_down(void **state);

/* Take the stack of the subject's thread that waits. */
enum ork_status take(void);
void start_and_take(const char *program, const char *mode);
/* Let the subject have its byte: it must have waited unharmed. */
void finish(void);

/* Number of the line of fixture `source` that ends in "at <name>". */
uint32_t line_of(const char *source, const char *name);
const char *basename_of(const char *path);
/* Frame i of the application, at the mark of its name. */
void assert_frame(uint32_t i, const char *source, const char *function, bool inlined);

#endif

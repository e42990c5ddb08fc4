/* SPDX-License-Identifier: BSD-3-Clause */
/* The flow of a value through the instructions of one function; one implementation for each
 * processor. */
#ifndef ORK_OVERLAY_STACKTRACE_LOAD_FLOW_H
#define ORK_OVERLAY_STACKTRACE_LOAD_FLOW_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a function. */
struct ork_code {
    const uint8_t *byte;
    size_t size;
    uint64_t address; /* of the first one */
};

/* What a call of `target` is. */
enum ork_callee {
    ORK_CALLEE_IS_OTHER,
    ORK_CALLEE_INSTRUMENTS, /* of the runtime for loads and stores: it changes nothing; */
    ORK_CALLEE_LOADS,       /* the same, and a load of the program follows */
};
typedef enum ork_callee ork_callee_of(void *context, uint64_t target);

struct ork_flow {
    bool is_known;    /* else the rest has no meaning */
    bool is_repeated; /* a branch in a loop round the load may depend on the value, */
    bool decides;     /* or some branch of the function does, or its result */
    bool leaves;      /* callers may see what the value is */
    bool is_in_loop;  /* the load */
};

/* Of the value that is loaded after the call whose return address is `address`. */
struct ork_flow ork_flow_of_load(const struct ork_code *code, uint64_t address,
                                 ork_callee_of *callee_of, void *context);

/* The instruction at `address`: is it one, and on a circle of the flow? */
struct ork_at {
    bool is_instruction, is_in_loop;
};
struct ork_at ork_flow_at(const struct ork_code *code, uint64_t address);

#endif

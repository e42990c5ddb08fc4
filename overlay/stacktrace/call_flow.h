/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order a function makes two calls, from its machine code; one implementation for each
 * processor. */
#ifndef ORK_OVERLAY_STACKTRACE_CALL_FLOW_H
#define ORK_OVERLAY_STACKTRACE_CALL_FLOW_H

#include "overlay/stacktrace/load_flow.h"

/* Does the function make both calls of these return addresses, the first one before each other
 * one, or the second one after each first one? So they are no alternatives, as the branches of a
 * condition are. False, too, if that is not known. */
bool ork_flow_is_sequence(const struct ork_code *code, uint64_t first, uint64_t second);

/* The same of two calls, in whichever order, with these return addresses in the file `path`. */
bool ork_calls_are_sequence(const char *path, uint64_t a, uint64_t b);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the MPI functions in records. The list is generated from interceptor/spec at build time:
 * link ork_calls, or depend on it. */
#ifndef ORK_CALLS_H
#define ORK_CALLS_H

enum ork_call_id {
    ORK_CALL_NONE,
#define ORK_CALL(name) ORK_CALL_##name,
#include "generated/record/calls.def"
#undef ORK_CALL
    ORK_CALL_MAX
};

/* "MPI_Send"; "?" for a number that is no function. Static storage. */
const char *ork_call_name(unsigned call);

#endif

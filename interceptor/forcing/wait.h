/* SPDX-License-Identifier: BSD-3-Clause */
/* A call waits until what it is given is possible. RATIONALE: this may never come, because the
 * program does not do what it did when its order was recorded. Only the tool sees that no rank can
 * go on; then it releases those that wait. In a deterministic run it decides something else. */
#ifndef ORK_WAIT_H
#define ORK_WAIT_H

#include "interceptor/outcomes/decisions.h"
#include "interceptor/ring/recorder.h"

#include <mpi.h>

struct ork_wait {
    uint16_t call;     /* enum ork_call_id */
    bool is_decided;   /* the run is deterministic: only `decisions` counts */
    bool is_shown;     /* that a test waits */
    bool is_free;      /* any outcome will do, .. */
    uint64_t until_ns; /* .. and none after this time; 0: it has not been read yet */
    uint32_t released; /* of the ring, when it began to wait */
    unsigned tries;
    struct ork_decision_wait decisions;
};

/* After the first try that failed. is_free: of a poll whose outcome is free. */
void ork_wait_begin(struct ork_wait *w, enum ork_call_id id, bool is_free);
/* After each further one: false, what is waited for does not come, and the call is free. Meanwhile
 * the rank counts as waiting, although its call may be none that can block. */
bool ork_wait_again(struct ork_wait *w);
/* The same for an outcome that the call cannot do without: a rank that is released diverges. A free
 * poll is unsuccessful then. */
bool ork_wait_on(struct ork_wait *w);
void ork_wait_end(const struct ork_wait *w);

/* Complete a send that was started for a blocking one: see receive.c. */
int ork_await_send(enum ork_call_id id, MPI_Request *request);

#endif

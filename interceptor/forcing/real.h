/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that are wrapped in runs in which choice points are given their outcomes
 * (docs/explanation/order.md): imposed_X() replaces the real X. */
#ifndef ORK_REAL_H
#define ORK_REAL_H

#include "interceptor/mpi/next.h"
#include "interceptor/ring/recorder.h"

/* The real functions that were replaced; NULL: this one was not. */
extern ork_function ork_real[ORK_CALL_MAX];
#define REAL(name) ((__typeof__(&P##name))ork_real[ORK_CALL_##name])

/* Replace a real function by imposed_X(). */
void ork_impose(enum ork_call_id id, const char *symbol, ork_function imposed);
#define ORK_IMPOSE(name) ork_impose(ORK_CALL_##name, "P" #name, (ork_function)imposed_##name)

/* Is this function called by the application's recorded call? RATIONALE: once; calls of the library
 * inside it are not, nor are those that the interceptor makes before it. */
static inline bool ork_is_imposed(enum ork_call_id id)
{
    bool own = ork_thread.call == id && atomic_load_explicit(&ork_recording, memory_order_relaxed);

    if (own)
        ork_thread.call = UINT16_MAX;
    return own;
}

/* A communicator on which no message is ever sent: what is received there stays incomplete, and a
 * probe only lets the library make progress. */
extern MPI_Comm ork_silent;
void ork_silent_init(void);

#endif

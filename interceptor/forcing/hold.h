/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:stop-at: a rank of a replay is about to make a certain choice, so it and all other ranks
 * wait, that a debugger can be attached. The rank with the choice waits inside its call, where its
 * arguments have shown that it makes the choice, and before the MPI library is called. The others
 * wait at their next calls, before these are recorded: they count as outside MPI. Never called with
 * the recorder's lock held. */
#ifndef ORK_HOLD_H
#define ORK_HOLD_H

#include "interceptor/ring/recorder.h"
#include "order/file/order.h"

#include <mpi.h>

/* Find the choice at which this rank has to stop. Once, after its choices have been loaded. */
void ork_hold_init(void);

/* Is there such a choice? */
extern bool ork_hold_is_wanted;

/* A call of the calling thread is about to make its next choice (NULL: none): stop here? */
void ork_hold_look_at_choice(const struct ork_choice *next, enum ork_call_id id);
static inline void ork_hold_at_choice(const struct ork_choice *next, enum ork_call_id id)
{
    if (ORK_UNLIKELY(ork_hold_is_wanted) && next != NULL)
        ork_hold_look_at_choice(next, id);
}
/* The same for a call whose outcome is not looked up as its next choice. */
void ork_hold_at_next(enum ork_call_id id);
/* The same for a call that waits for all of these requests: it has the outcomes of several. */
void ork_hold_look_at_requests(int count, const MPI_Request *request, enum ork_call_id id);
static inline void ork_hold_at_requests(int count, const MPI_Request *request, enum ork_call_id id)
{
    if (ORK_UNLIKELY(ork_hold_is_wanted))
        ork_hold_look_at_requests(count, request, id);
}

/* Wait as long as the ranks are held. */
void ork_hold_wait(enum ork_call_id id, uint32_t site, uint64_t choice);

/* At each call of a replay. */
static inline void ork_hold_if_asked(enum ork_call_id id, uint32_t site)
{
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_recorder.ring->hold, memory_order_relaxed) ==
                     ORK_HOLD_ON))
        ork_hold_wait(id, site, 0);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives for which the library has another request than the application, the stand-in. Calls that
 * complete the application's request complete the stand-in. There are three kinds:
 *
 * - Deferred receives of a deterministic run: posted by the application, but not yet given to the
 *   library, because the tool has not decided their source, or that of an earlier receive that
 * could take the same message. The application's request is a persistent one that is never started,
 * or its own persistent one.
 * - Persistent receives of a replay: their source cannot be changed, so each start becomes a
 *   nonblocking receive from the recorded source.
 * - Receives that were withdrawn and posted again, because their rank has diverged (posts.h).
 *
 * Any thread may call these functions. */
#ifndef ORK_STAND_IN_H
#define ORK_STAND_IN_H

#include "record/decision.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Arguments of a receive, as the application gave them. */
struct ork_receive {
    void *buffer;
    int count;
    MPI_Datatype datatype;
    int source, tag;
    MPI_Comm comm;
};

extern _Atomic uint32_t ork_stand_ins; /* pending ones */
static inline bool ork_stand_in_any(void)
{
    return atomic_load_explicit(&ork_stand_ins, memory_order_relaxed) > 0;
}

/* What becomes of the application's request when its stand-in is complete. */
enum ork_stand_in_end {
    ORK_STAND_IN_KEEP, /* it is persistent */
    ORK_STAND_IN_FREE, /* it was made for this */
    ORK_STAND_IN_WAIT  /* it is a receive that was cancelled */
};

/* The library has `real` for it. Out of memory: it has no stand-in. */
void ork_stand_in_add(MPI_Request request, MPI_Request real, enum ork_stand_in_end end);
/* False: it has none. */
bool ork_stand_in_find(MPI_Request request, MPI_Request *real);
/* It was completed without the application. */
void ork_stand_in_remove(MPI_Request request);
/* The application cancels it; or frees it: then it is forgotten when the library has it. */
void ork_stand_in_cancel(MPI_Request request);
void ork_stand_in_free(MPI_Request request);

/* ---- deferred receives ---- */

/* Number of the next receive from MPI_ANY_SOURCE: see record/decision.h. */
uint32_t ork_deferred_number(void);

/* Defer a receive, which gets a number if its source is not named. *request: for the application.
 * An error of the library: nothing was done. */
int ork_deferred_add(const struct ork_receive *receive, MPI_Request *request);
/* The same for a persistent request that the application starts. */
int ork_deferred_start(const struct ork_receive *receive, MPI_Request request);

/* Has the library not got one? */
bool ork_deferred_any(void);
/* Could one take a message that this receive or probe could take? */
bool ork_deferred_overlaps(MPI_Comm comm, int source, int tag);

/* Receive `number` takes the message of this source and tag. False: there is no such receive. */
bool ork_deferred_decide(uint32_t number, int source, int tag);
/* Give the library what can be given. */
void ork_deferred_give(void);
/* Give all, or all of a communicator, with the arguments of the application. */
void ork_deferred_give_all(void);
void ork_deferred_give_comm(MPI_Comm comm);

/* ---- the requests of a call ---- */

/* They have their stand-ins in their places. */
enum { ORK_SWAP_FEW = 32 };
struct ork_swap {
    MPI_Request *own;     /* the application's */
    MPI_Request *request; /* the library's; `own` if no stand-in is pending */
    int count;
    bool waits; /* the library does not have all of them: MPI_REQUEST_NULL in these places */
    MPI_Request few[ORK_SWAP_FEW];
};

void ork_swap_in_pending(struct ork_swap *swap);
void ork_swap_out_pending(struct ork_swap *swap);

static inline void ork_swap_in(struct ork_swap *swap, int count, MPI_Request *own)
{
    swap->own = own;
    swap->request = own;
    swap->count = count;
    swap->waits = false;
    if (ork_stand_in_any() && count > 0)
        ork_swap_in_pending(swap);
}
/* What was given to the library meanwhile. */
void ork_swap_again(struct ork_swap *swap);
/* Give the results back. */
static inline void ork_swap_out(struct ork_swap *swap)
{
    if (swap->request != swap->own)
        ork_swap_out_pending(swap);
}

#endif

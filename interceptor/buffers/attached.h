/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer that is attached to this process for buffered sends: MPI-3.1 section 3.6. */
#ifndef ORK_ATTACHED_H
#define ORK_ATTACHED_H

#include "interceptor/site/site.h"
#include "interceptor/usage/usage.h"
#include "interceptor/preload/thread_storage.h"

#include <mpi.h>

/* Its size; 0: no buffer is attached. */
extern _Atomic int64_t ork_attached_size;

/* MPI_Buffer_attach and MPI_Buffer_detach, before and after the call. `size`: INT64_MAX, if the
 * library finds room for each message. Without the recorder's lock. */
void ork_attached_look(const struct ork_call *call);
void ork_attached_enter(const struct ork_call *call, int64_t size);
void ork_attached_look_detach(const struct ork_call *call);
void ork_attached_forget(void);

/* Has the buffer no room for a buffered send of so many bytes, or perhaps none? RATIONALE:
 * MPI_BSEND_OVERHEAD is the most that a library needs. */
static inline bool ork_attached_lacks(uint64_t bytes)
{
    int64_t size = atomic_load_explicit(&ork_attached_size, memory_order_relaxed);

    return (uint64_t)size < bytes + MPI_BSEND_OVERHEAD;
}

/* ---- the messages in the buffer ---- */

/* The buffered send that this thread is in, or was in. */
struct ork_buffering {
    struct ork_call call;
    uint64_t bytes; /* 0: none */
};
ORK_THREAD_LOCAL(struct ork_buffering, ork_buffering);

/* A buffered send, or the start of a persistent one, is made next. */
static inline void ork_attached_begin(const struct ork_call *call, uint64_t bytes)
{
    ork_buffering = (struct ork_buffering){.call = *call, .bytes = bytes};
}

/* It has returned. Without the recorder's lock. */
void ork_attached_end(const struct ork_call *call, uint64_t bytes, int result);
/* A call with this name failed, and its error handler ends the process. Reports it, if it is a
 * buffered send for which the buffer has no room left. `call` may be NULL. */
void ork_attached_failed(const char *call, uint32_t error_class) __attribute__((cold));

/* Reports it. Examination of a send to `dest`, see check.h. */
bool ork_wrong_attached(const struct ork_call *call, int dest, uint64_t bytes)
    __attribute__((cold, noinline));
/* The same for the start of a persistent one, with the recorder's lock held. */
void ork_wrong_attached_locked(const struct ork_call *call, uint64_t bytes)
    __attribute__((cold, noinline));

#endif

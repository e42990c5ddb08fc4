/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of pending operations. An operation reads or writes its buffer from the call that
 * starts it until the call that completes it. Meanwhile, a buffer that is read must not be
 * written, and one that is written must not be accessed (MPI-3.1 sections 3.7.2 and 5.12). Each
 * new buffer is compared with the pending ones, byte by byte.
 *
 * A buffer is unknown, and nothing is reported of it, if its datatype's layout is not known. An
 * operation is forgotten when it is not known any more that it is pending. All functions are
 * called with the recorder's lock held. */
#ifndef ORK_BUFFERS_H
#define ORK_BUFFERS_H

#include "interceptor/buffers/buffer.h"
#include "interceptor/buffers/origins.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/site/site.h"
#include "interceptor/usage/usage.h"
#include "interceptor/memory/watch.h"

/* Load or store `size` bytes, at a call site: is it allowed now? Reports it if not. */
void ork_buffers_touch(uint32_t site, bool is_store, uint64_t address, uint64_t size);
/* Cut the piece at the bounds of the pending buffers in it. */
void ork_buffers_cut(struct ork_piece *piece, uint64_t address);

/* Is a check of buffers on? */
extern bool ork_buffers_are_on;
/* Number of buffers that are known, of pending and of persistent operations. */
extern uint32_t ork_buffers_known;

/* Call once, when MPI is initialised, after ork_usage_init(). */
void ork_buffers_init(void);

/* For a call that is made next: compare its buffer with the pending ones. */
void ork_buffers_compare(const struct ork_call *call, const struct ork_buffer *buffer);
void ork_buffers_compare_bytes(const struct ork_call *call, const struct ork_buffer_bytes *bytes);

/* Is a pending buffer near the span, so that they could have a byte in common? */
bool ork_buffers_are_near(const struct ork_span *span);

static inline void ork_buffers_look(const struct ork_call *call, const struct ork_buffer *buffer)
{
    if (ORK_UNLIKELY(ork_buffers_known != 0))
        ork_buffers_compare(call, buffer);
}

/* Two buffers of one call must have no byte in common, by the rule `id`. True: they have, and it is
 * reported. */
bool ork_buffers_separate(const struct ork_call *call, const struct ork_buffer_bytes *sent,
                          const struct ork_buffer_bytes *received, enum ork_usage_id id);

/* A nonblocking operation has started: compare its buffer with the pending ones, and enter it.
 * `request`: the number, see ork_request_add(). */
void ork_buffers_start(const struct ork_call *call, uint32_t request,
                       const struct ork_buffer *buffer);
/* The same without comparing it: the operation has started earlier. */
void ork_buffers_restore(const struct ork_call *call, uint32_t request,
                         const struct ork_buffer *buffer);
/* Is a buffer of a shared handle pending (ORK_REQUEST_SHARED)? */
bool ork_buffers_shared_are_pending(void);
/* A hash of the buffers that are pending; 0: they cannot be compared with others, because they are
 * too many or too irregular, or one has a shared handle. */
uint64_t ork_buffers_pending(void) __attribute__((cold, noinline));

/* As ork_buffers_start() without comparing the bytes. Takes ownership of the bytes. A persistent
 * operation was made and is not active. */
void ork_buffers_enter(const struct ork_call *call, uint32_t request,
                       const struct ork_buffer_bytes *bytes, bool is_persistent);

/* A persistent operation was started; and the same without comparing its buffers. */
void ork_buffers_activate(const struct ork_call *call, uint32_t request);
void ork_buffers_restore_persistent(const struct ork_call *call, uint32_t request);
/* Is a buffer of it in the memory of a window? */
bool ork_buffers_are_in_window(uint32_t request);

/* No call will be seen to complete the operation, but leave or forget follows. No call that can
 * block is between its record and its EXIT record. */
void ork_buffers_give_up(uint32_t request);

/* It is not certain that the operation is pending: what it reads is not compared. */
void ork_buffers_doubt(uint32_t request);

/* A call that waits is made next: see ork_pending_frames_look(). */
void ork_buffers_look_frames(void);

/* The operation is complete; a persistent one is inactive now. Or it is not known any more. */
void ork_buffers_leave(uint32_t request);
/* The same, and the number is released. */
void ork_buffers_forget(uint32_t request);

static inline void ork_buffers_complete(uint32_t request, bool is_persistent)
{
    if (ORK_UNLIKELY(ork_origins_known != 0))
        ork_origins_complete_request(request);
    if (ORK_LIKELY(ork_buffers_known == 0))
        return;
    if (is_persistent)
        ork_buffers_leave(request);
    else
        ork_buffers_forget(request);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of the content of a buffer, to find out whether it was changed: of all of its bytes with
 * --must:check-buffers, or if it is one block that is not large; else of some of them. What cannot
 * be read (pages without read permission) and what is in the memory of a device is not compared.
 * UNREAD records say so, and one says that only some bytes of a large buffer were compared. */
#ifndef ORK_BUFFER_HASH_H
#define ORK_BUFFER_HASH_H

#include "interceptor/usage/usage.h"
#include "bytes/ranges/byteset.h"

/* --must:check-buffers: each buffer that an operation reads is hashed. */
extern bool ork_buffer_hashes_are_on;

/* Call once, when MPI is initialised, after ork_usage_init(). */
void ork_buffer_hash_init(void);
/* 0, or the errno value that says why the memory of this process cannot be read. */
int ork_buffer_hash_error(void);
/* A buffer was to be hashed, but that value is not 0. The recorder's lock is held. */
void ork_buffer_hash_tell_error(const struct ork_call *call) __attribute__((cold));

/* Above so many bytes, a block is large. */
enum { ORK_BUFFER_LARGE = 1 << 14 };

/* False: some of the bytes of the call's buffer cannot be read. The recorder's lock is held. */
bool ork_buffer_hash(const struct ork_call *call, const struct ork_span *span, uint64_t *hash)
    __attribute__((cold));
/* Report the call that started an operation as `id`, if these bytes have another content than they
 * had then. Call while the call that completes it is the present one. */
void ork_buffer_hash_compare(const struct ork_span *span, uint64_t before,
                             const struct ork_call *call, enum ork_usage_id id)
    __attribute__((cold));
/* Write how many buffers could not be read. The lock is held. */
void ork_buffer_hash_finish(void);

#endif

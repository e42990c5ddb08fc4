/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer of a call, and its bytes. */
#ifndef ORK_BUFFER_H
#define ORK_BUFFER_H

#include "bytes/datatype/type.h"
#include "interceptor/memory/watch.h"
#include "bytes/ranges/index.h"

#include <mpi.h>

/* What a call does with a buffer. */
enum { ORK_BUFFER_READ = 1, ORK_BUFFER_WRITTEN = 2 };

/* Elements from an address. */
struct ork_buffer {
    unsigned use;
    const void *address;
    int64_t count;
    MPI_Datatype type;
};

/* The bytes of a buffer, and what the span refers to: a layout on the heap, or a datatype; NULL:
 * none. */
struct ork_buffer_bytes {
    struct ork_span span;
    struct ork_byteset *layout;
    struct ork_type *type;
    unsigned use; /* RATIONALE: the last member, so that a copy loads what was stored at once */
};

/* Is it one block of a predefined type without holes, and not empty? */
bool ork_buffer_is_block(const struct ork_buffer *buffer, struct ork_span *span);

/* False: unknown, or no bytes. Else release them, or give them away. */
bool ork_buffer_find(const struct ork_buffer *buffer, struct ork_buffer_bytes *bytes);
void ork_buffer_release(const struct ork_buffer_bytes *bytes);

/* Cut the piece at the bounds of the buffers in it. Their kinds are ORK_BUFFER_READ and _WRITTEN.
 */
void ork_buffer_cut(struct ork_piece *piece, uint64_t address, const struct ork_index *buffers);

#endif

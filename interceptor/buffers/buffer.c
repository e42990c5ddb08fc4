/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/buffer.h"

#include "interceptor/objects/types.h"

#include <errno.h>
#include <stdlib.h>

static bool find_derived(const struct ork_buffer *buffer, struct ork_buffer_bytes *bytes)
{
    int saved = errno;
    struct ork_type *type = ork_type_with_layout(buffer->type);

    if (type == NULL)
        return false;
    *bytes = (struct ork_buffer_bytes){.use = buffer->use, .type = type};
    bool is_known =
        ork_span_of_layout(&bytes->span, &type->layout, (int64_t)(uintptr_t)buffer->address,
                           buffer->count, ork_type_extent(type)) &&
        !ork_span_is_empty(&bytes->span);
    if (!is_known)
        ork_buffer_release(bytes);
    errno = saved;
    return is_known;
}

bool ork_buffer_is_block(const struct ork_buffer *buffer, struct ork_span *span)
{
    uint64_t size = ork_dense_size(buffer->type);
    uintptr_t address = (uintptr_t)buffer->address;

    if (buffer->count <= 0 || size == 0 || address == 0 ||
        __builtin_mul_overflow(size, (uint64_t)buffer->count, &size) ||
        address > (uint64_t)ORK_OFFSET_LIMIT || size > (uint64_t)ORK_OFFSET_LIMIT - address)
        return false;
    *span = ork_span_of_block((int64_t)address, (int64_t)size);
    return true;
}

/* RATIONALE: a block is known without looking up the type. */
bool ork_buffer_find(const struct ork_buffer *buffer, struct ork_buffer_bytes *bytes)
{
    struct ork_span block;

    if (ork_buffer_is_block(buffer, &block)) {
        *bytes = (struct ork_buffer_bytes){.use = buffer->use, .span = block};
        return true;
    }
    return buffer->count > 0 && ork_dense_size(buffer->type) == 0 && find_derived(buffer, bytes);
}

void ork_buffer_release(const struct ork_buffer_bytes *bytes)
{
    if (bytes->layout != NULL)
        ork_byteset_reset(bytes->layout);
    free(bytes->layout);
    if (bytes->type != NULL)
        ork_type_release(bytes->type);
}

/* ---- loads and stores of the program ---- */

struct cut {
    struct ork_piece *piece;
    uint64_t address;
};

/* RATIONALE: a buffer with gaps counts as a whole here; the comparison of an access knows better.
 */
static bool cut(void *context, const struct ork_index_entry *found, const struct ork_common *common)
{
    struct cut *c = context;

    (void)common;
    ork_piece_cut(c->piece, c->address, (uint64_t)found->span.low, (uint64_t)found->span.high,
                  (found->kinds & ORK_BUFFER_WRITTEN) != 0
                      ? ORK_PIECE_CHECKS_LOADS | ORK_PIECE_CHECKS_STORES
                      : ORK_PIECE_CHECKS_STORES);
    return true;
}

void ork_buffer_cut(struct ork_piece *piece, uint64_t address, const struct ork_index *buffers)
{
    struct cut c = {.piece = piece, .address = address};
    struct ork_span span =
        ork_span_of_block((int64_t)piece->low, (int64_t)(piece->high - piece->low));

    ork_index_visit(buffers, &span, ORK_BUFFER_READ | ORK_BUFFER_WRITTEN, cut, &c);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to the files that make up buffers.h. */
#ifndef ORK_BUFFERS_INTERNAL_H
#define ORK_BUFFERS_INTERNAL_H

#include "interceptor/buffers/buffers.h"
#include "interceptor/buffers/pending_end.h"
#include "interceptor/memory/releases.h"
#include "bytes/ranges/index.h"

/* A buffer of an operation. */
struct ork_buffer_entry {
    struct ork_span span;
    struct ork_byteset *layout; /* owned; NULL: none */
    struct ork_type *type;      /* a reference; NULL: none */
    uint32_t next;              /* another one of the same request, or a spare one */
    uint32_t place;             /* in the index; ORK_INDEX_NONE: the operation is not active */
    uint32_t site;              /* of the call that started it */
    uint32_t window;            /* that has some of its bytes: see ork_windows_put_buffer() */
    uint16_t call;
    uint8_t use;
    bool is_persistent;
    bool has_hash;
    bool is_reported; /* that its memory has ended, or there is nothing to be reported */
    uint64_t hash;    /* of its content when it was activated */
    struct ork_releaser released; /* by it, its memory was given back; how NULL: it was not, */
                                  /* and its device is where the memory is */
};

struct ork_pending_buffers {
    /* RATIONALE: most operations have one block, and of interest is only whether another call uses
     * it. They need no entry. */
    struct ork_pending_blocks blocks;
    struct ork_buffer_entry *entry; /* of other ones, and of persistent ones that are not active */
    struct ork_index index;         /* of the active ones; payload: number of the entry */
    uint32_t num_written;           /* of these, those that are written */
};
extern struct ork_pending_buffers ork_pending;

/* So many buffers are known more, or less. */
static inline void ork_buffers_count(int change)
{
    ork_buffers_known += (uint32_t)change;
    ork_releases_set(ORK_RELEASES_OF_BUFFERS, ork_buffers_known != 0);
}

/* Compare the bytes of a call, which is made next or has returned, with the pending ones. */
void ork_buffers_compare_span(const struct ork_call *call, const struct ork_span *span,
                              unsigned use, bool has_returned);
/* The same for a one-sided call that is made next. */
void ork_buffers_compare_rma(const struct ork_call *call, const struct ork_span *span, unsigned use,
                             enum ork_rma_buffer rma);

#endif

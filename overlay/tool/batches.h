/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of frames on their way between two tool processes: a queue, the oldest first. */
#ifndef ORK_OVERLAY_TOOL_BATCHES_H
#define ORK_OVERLAY_TOOL_BATCHES_H

#include <stddef.h>
#include <stdint.h>

/* Each kind of transport has it as the first member of its own type, followed by the bytes. */
struct ork_batch {
    struct ork_batch *next;
    size_t size;
};

struct ork_batches {
    struct ork_batch *first, **end;
    uint32_t count;
};

static inline void ork_batches_init(struct ork_batches *b)
{
    *b = (struct ork_batches){.end = &b->first};
}

static inline void ork_batches_push(struct ork_batches *b, struct ork_batch *batch)
{
    batch->next = NULL;
    *b->end = batch;
    b->end = &batch->next;
    b->count++;
}

/* Precondition: not empty. */
static inline struct ork_batch *ork_batches_pop(struct ork_batches *b)
{
    struct ork_batch *batch = b->first;

    b->first = batch->next;
    if (b->first == NULL)
        b->end = &b->first;
    b->count--;
    return batch;
}

#endif

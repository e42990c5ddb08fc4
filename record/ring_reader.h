/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the records of a ring in order, and backwards from the latest one. The writer may write
 * meanwhile, and may have written anything. */
#ifndef ORK_RING_READER_H
#define ORK_RING_READER_H

#include "record/ring.h"

#include <stdbool.h>
#include <stddef.h>

static inline bool ork_repetition_is_valid(uint32_t block, uint64_t slot)
{
    return block > 0 && block <= ORK_REPEAT_BLOCK_MAX && block <= slot;
}

static inline const struct ork_record *ork_ring_slot(const struct ork_ring *ring, uint64_t slot)
{
    return &ring->slot[slot & (ORK_RING_RECORDS - 1u)];
}

/* What was published at one moment. RATIONALE: `head` is loaded first. So if the repetition that
 * goes on begins before it, all records from there to `head` belong to it; earlier ones have their
 * slots. */
struct ork_ring_view {
    uint64_t head;
    uint64_t first; /* number of the first record of the repetition that goes on, */
    uint32_t block; /* and records of its block; 0: none goes on */
};

static inline struct ork_ring_view ork_ring_look(const struct ork_ring *ring)
{
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    uint64_t repetition = atomic_load_explicit(&ring->repetition, memory_order_acquire);

    return (struct ork_ring_view){.head = head,
                                  .first = ork_repetition_first(repetition),
                                  .block = ork_repetition_block(repetition)};
}

/* ---- in order ---- */

/* Where a reader is. All 0: at the first record. */
struct ork_ring_reader {
    uint64_t number; /* of the next record */
    uint64_t slot;   /* the next one; the record is there, or repeats the block before it */
    uint32_t block;  /* 0: it is there */
    uint32_t at;     /* next record of the block */
    uint64_t first;  /* number of the first repeated record, */
    uint64_t end;    /* and after the last one; UINT64_MAX: the repetition goes on */
    bool is_broken;  /* what the writer wrote has no meaning */
};

static inline void ork_ring_enter(struct ork_ring_reader *r, uint32_t block, uint64_t end)
{
    r->is_broken = !ork_repetition_is_valid(block, r->slot) || end <= r->number;
    r->block = block;
    r->at = 0;
    r->first = r->number;
    r->end = end;
}

static inline void ork_ring_leave(struct ork_ring_reader *r)
{
    r->block = 0;
    r->slot++;
}

/* The repetition in which the reader is no longer goes on: the slot says how long it was. */
static inline void ork_ring_close(const struct ork_ring *ring, struct ork_ring_reader *r)
{
    struct ork_record slot = *ork_ring_slot(ring, r->slot);

    r->end = r->first + slot.extra;
    r->is_broken = slot.kind != ORK_RING_REPETITION || slot.arg != r->block || r->end < r->number;
    if (!r->is_broken && r->number == r->end)
        ork_ring_leave(r);
}

/* The next record of those that were published at the view; it stays until the reader takes it.
 * NULL: there is none, or is_broken. */
static inline const struct ork_record *ork_ring_front(const struct ork_ring *ring,
                                                      struct ork_ring_reader *r,
                                                      const struct ork_ring_view *view)
{
    if (r->number >= view->head)
        return NULL;
    if (r->block != 0 && r->end == UINT64_MAX && view->first != r->first)
        ork_ring_close(ring, r);
    if (r->block == 0 && view->block != 0 && r->number == view->first) {
        ork_ring_enter(r, view->block, UINT64_MAX);
    } else if (r->block == 0) {
        const struct ork_record *record = ork_ring_slot(ring, r->slot);
        if (record->kind != ORK_RING_REPETITION)
            return r->is_broken ? NULL : record;
        struct ork_record repetition = *record;
        ork_ring_enter(r, repetition.arg, r->number + repetition.extra);
    }
    return r->is_broken ? NULL : ork_ring_slot(ring, r->slot - r->block + r->at);
}

/* Take the record that ork_ring_front() returned. */
static inline void ork_ring_take(struct ork_ring_reader *r)
{
    r->number++;
    if (r->block == 0) {
        r->slot++;
        return;
    }
    r->at = r->at + 1 == r->block ? 0 : r->at + 1;
    if (r->number == r->end)
        ork_ring_leave(r);
}

/* How many times whole repetitions of the block follow, from the reader on. 0 also outside a
 * repetition. Only after ork_ring_front() has returned a record. */
static inline uint64_t ork_ring_repetitions(const struct ork_ring_reader *r,
                                            const struct ork_ring_view *view)
{
    uint64_t end = r->end < view->head ? r->end : view->head;

    return r->block != 0 ? (end - r->number) / r->block : 0;
}

/* Take so many of them. */
static inline void ork_ring_take_repetitions(struct ork_ring_reader *r, uint64_t times)
{
    r->number += times * r->block;
    if (r->number == r->end)
        ork_ring_leave(r);
}

/* ---- backwards ---- */

struct ork_ring_back {
    const struct ork_ring *ring;
    uint64_t number;   /* of the record that was returned last; before, of the one that is written
                        * next */
    uint64_t read;     /* its slot */
    uint64_t slot;     /* slots before it; in a repetition, those until the end of its block */
    uint64_t least;    /* the oldest slot that is read */
    uint64_t repeated; /* records before it in its repetition */
    uint32_t block, at;
};

/* From the latest record. The slot that is written next may be half written. */
static inline struct ork_ring_back ork_ring_back(const struct ork_ring *ring)
{
    enum { TRIES = 1000 };
    struct ork_ring_back b = {.ring = ring};

    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t repetition = atomic_load_explicit(&ring->repetition, memory_order_acquire);
        uint64_t end = atomic_load_explicit(&ring->block_end, memory_order_acquire);
        uint64_t skipped = atomic_load_explicit(&ring->skipped, memory_order_acquire);
        b.number = atomic_load_explicit(&ring->head, memory_order_acquire);
        b.block = ork_repetition_block(repetition);
        uint64_t first = ork_repetition_first(repetition);
        b.repeated = b.block != 0 && b.number > first ? b.number - first : 0;
        b.slot = b.block != 0 ? end : b.number - skipped;
        if (atomic_load_explicit(&ring->skipped, memory_order_acquire) == skipped &&
            atomic_load_explicit(&ring->repetition, memory_order_acquire) == repetition)
            break;
    }
    b.least = b.slot < ORK_RING_RECORDS ? 0 : b.slot - ORK_RING_RECORDS + 1;
    if (b.repeated > 0 && !ork_repetition_is_valid(b.block, b.slot))
        b.least = b.slot = b.repeated = 0;
    if (b.repeated > 0)
        b.at = (uint32_t)(b.repeated % b.block);
    return b;
}

/* The record before; NULL: the ring no longer has it. */
static inline const struct ork_record *ork_ring_previous(struct ork_ring_back *b)
{
    while (b->repeated == 0) {
        if (b->slot <= b->least)
            return NULL;
        const struct ork_record *record = ork_ring_slot(b->ring, b->slot - 1);
        struct ork_record repetition = *record;
        b->slot--;
        if (repetition.kind != ORK_RING_REPETITION) {
            b->number--;
            b->read = b->slot;
            return record;
        }
        if (!ork_repetition_is_valid(repetition.arg, b->slot) ||
            b->slot - repetition.arg < b->least)
            return NULL;
        b->block = repetition.arg;
        b->repeated = repetition.extra;
        b->at = (uint32_t)(b->repeated % b->block);
    }
    b->at = b->at == 0 ? b->block - 1 : b->at - 1;
    b->repeated--;
    b->number--;
    b->read = b->slot - b->block + b->at;
    return ork_ring_slot(b->ring, b->read);
}

#endif

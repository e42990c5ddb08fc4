/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of bytes: what a datatype covers, and what a buffer of it covers. A set is a list of runs. A
 * run is a block of bytes that is repeated in nested loops with constant strides, so a subarray, or
 * a vector of vectors, is one run however many blocks it has. All offsets, lengths and strides are
 * in bytes.
 *
 * A byte may be in a set more than once: ork_span_repeats() finds out. */
#ifndef ORK_BYTESET_H
#define ORK_BYTESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limits of a set: loops of a run, runs, and the absolute value of an offset. */
enum { ORK_RUN_DIMS = 10, ORK_BYTESET_RUNS = 1 << 20 };
#define ORK_OFFSET_LIMIT (INT64_C(1) << 60)

/* A loop: `count` > 1 copies, `stride` > 0 bytes apart. */
struct ork_dim {
    int64_t stride;
    int64_t count;
};

struct ork_run {
    int64_t low;    /* of its first byte */
    int64_t high;   /* after its last byte */
    int64_t reach;  /* the highest `high` of this run and those before it */
    int64_t length; /* of a block */
    uint32_t dim;   /* its loops in the set's dim[], by ascending stride */
    uint32_t num_dims;
};

/* All zero is an empty set. Read-only for users. */
struct ork_byteset {
    struct ork_run *run; /* by ascending `low`, once ork_byteset_finish() has been called */
    struct ork_dim *dim;
    uint32_t num_runs, run_room;
    uint32_t num_dims, dim_room;
    int64_t low, high; /* of its bytes; 0, 0 if there is none */
    int64_t size;      /* number of bytes; those that occur several times are counted each time */
};

/* Free the memory, and make the set empty. */
void ork_byteset_reset(struct ork_byteset *set);

/* Make the set empty, but keep its memory for what is added next. */
void ork_byteset_clear(struct ork_byteset *set);

/* Each of the following functions returns false if memory is short or a limit of a set is exceeded:
 * then the content of `set` is undefined, and only ork_byteset_reset() is allowed. A negative
 * length or count also gives false. */

/* Add the bytes offset .. offset + length - 1. */
bool ork_byteset_add_block(struct ork_byteset *set, int64_t offset, int64_t length);

/* Add `count` copies of another set (not of itself): the first one is moved by `offset`, each of
 * the others by `stride` from the one before, which may be negative or 0. */
bool ork_byteset_add(struct ork_byteset *set, const struct ork_byteset *other, int64_t offset,
                     int64_t count, int64_t stride);

/* Replace the set by `count` copies of it, `stride` apart. */
bool ork_byteset_repeat(struct ork_byteset *set, int64_t count, int64_t stride);

/* Move all bytes. */
bool ork_byteset_shift(struct ork_byteset *set, int64_t offset);

/* Sort the runs. Call it when the set is complete, before a span uses it. */
bool ork_byteset_finish(struct ork_byteset *set);

/* ---- the bytes of a buffer ---- */

/* `count` copies of a layout from address `at`, `stride` apart. It refers to the layout, which must
 * live longer. */
struct ork_span {
    int64_t low, high;             /* all its bytes are in low .. high - 1; equal if it is empty */
    const struct ork_byteset *set; /* NULL: it has each byte from low to high - 1, once */
    int64_t at, stride, count;     /* only with a set; stride >= 0, count > 0 */
};

/* All bytes from `at`. Length >= 0. */
static inline struct ork_span ork_span_of_block(int64_t at, int64_t length)
{
    return (struct ork_span){.low = at, .high = at + length};
}

/* Copies of a finished layout; as one block if that is all it is. False: a limit is exceeded. */
bool ork_span_of_layout(struct ork_span *span, const struct ork_byteset *layout, int64_t at,
                        int64_t count, int64_t stride);

static inline bool ork_span_is_empty(const struct ork_span *span)
{
    return span->low >= span->high;
}

static inline bool ork_spans_are_apart(const struct ork_span *a, const struct ork_span *b)
{
    return a->high <= b->low || b->high <= a->low;
}

/* The answer to a question about bytes. RATIONALE: whether two sets with arbitrary nested strides
 * have a common byte is an NP-complete question. Two blocks, two vectors, and loops of equal
 * strides are always decided; for others the number of steps has a limit. */
enum ork_answer { ORK_NO, ORK_YES, ORK_UNDECIDED };

/* Some bytes that two sets have in common, or that one set has twice: low .. high - 1. */
struct ork_common {
    int64_t low, high;
};

/* Do two spans have a common byte? If ORK_YES, *common is a longest block of common bytes around
 * one of them that is in one block of each. */
enum ork_answer ork_spans_overlap(const struct ork_span *a, const struct ork_span *b,
                                  struct ork_common *common);

/* A block of bytes from `low`. False: visit no more. */
typedef bool ork_block_visitor(void *context, int64_t low, int64_t length);

/* Visit all blocks of a span. False: the visitor has ended it, or the span is too complicated. */
bool ork_span_visit(const struct ork_span *span, ork_block_visitor *visitor, void *context);

/* Does a byte occur more than once in the span? */
enum ork_answer ork_span_repeats(const struct ork_span *span, struct ork_common *common);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks that the C library's malloc() has given the program, as far as they can be known without
 * replacing that function: those of glibc in the segment of sbrk(), where each block has its size
 * before it and the next one after it, and large ones, which are mappings of their own. Not those
 * of other allocators, nor those that glibc gives other threads. */
#ifndef ORK_HEAP_H
#define ORK_HEAP_H

#include "bytes/ranges/byteset.h"

/* The segment begins here; UINT64_MAX: nothing is known of blocks. Constant once MPI is
 * initialised. */
extern uint64_t ork_heap_low;

/* Call once, when MPI is initialised. */
void ork_heap_init(void);

#ifdef __GLIBC__
extern void *__curbrk; /* NOLINT: glibc's; its sbrk(0) returns it */

static inline uint64_t ork_heap_high(void)
{
    return (uint64_t)(uintptr_t)__curbrk;
}
#else
static inline uint64_t ork_heap_high(void)
{
    return 0;
}
#endif

/* Sizes and addresses are multiples of 16; the lowest bits of a size are flags. A block that is a
 * mapping of its own is at the beginning of its first page, and has so many bytes at least. */
enum {
    ORK_HEAP_ALIGN = 16,
    ORK_HEAP_FLAGS = 7,
    ORK_HEAP_IS_MAPPED = 2,
    ORK_HEAP_IS_OTHERS = 4,
    ORK_HEAP_PAGE = 4096,
    ORK_HEAP_MAPPED_MIN = 128 << 10
};

/* If a block begins at this address: how many bytes it has (malloc_usable_size()). UINT64_MAX: none
 * does, or it is not known. RATIONALE: what is read is memory of the program, in the segment and in
 * the page of the address, since the page before may be protected. It may have a block's form by
 * chance: ork_heap_look() is certain. */
static inline uint64_t ork_heap_room(const void *address)
{
    const uint64_t at = (uint64_t)(uintptr_t)address;

    if (at % ORK_HEAP_ALIGN != 0 || at % ORK_HEAP_PAGE == 0 || at <= ork_heap_low ||
        at >= ork_heap_high())
        return UINT64_MAX;
    const uint64_t word = ((const uint64_t *)address)[-1];
    const uint64_t size = word & ~(uint64_t)ORK_HEAP_FLAGS;
    const bool is_block = (word & (ORK_HEAP_IS_MAPPED | ORK_HEAP_IS_OTHERS)) == 0 &&
                          size % ORK_HEAP_ALIGN == 0 && size >= 2 * ORK_HEAP_ALIGN &&
                          size <= ork_heap_high() - at + ORK_HEAP_ALIGN;
    return is_block ? size - sizeof(word) : UINT64_MAX;
}

/* May a block that is a mapping of its own begin at this address, and have fewer bytes? */
static inline bool ork_heap_may_be_mapping(const void *address, uint64_t bytes)
{
    const uint64_t at = (uint64_t)(uintptr_t)address;

    return bytes >= ORK_HEAP_MAPPED_MIN && at % ORK_HEAP_PAGE == ORK_HEAP_ALIGN &&
           ork_heap_low != UINT64_MAX && (at < ork_heap_low || at >= ork_heap_high());
}

/* What is known of some bytes. */
struct ork_heap_view {
    int64_t low, high; /* the block that contains the address: its bytes are low .. high - 1 */
    bool is_missing;   /* one of the bytes of the span is certainly in no block */
    bool is_elsewhere; /* one of them may be outside of what is known */
};

/* The block that contains the address, and the bytes of a span. False: unknown. RATIONALE: looks at
 * all blocks of the segment, in two passes that must agree, since other threads may change them.
 * The program's calls do this only so often that it takes less than a second in all. */
bool ork_heap_look(uint64_t address, const struct ork_span *span, struct ork_heap_view *view)
    __attribute__((cold));

#endif

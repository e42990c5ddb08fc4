/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory in which loads and stores of the program matter: the filter for the runtime that is
 * linked into it (interceptor/memory/runtime/tool.h). Only if such a runtime is attached. */
#ifndef ORK_WATCH_H
#define ORK_WATCH_H

#include "interceptor/preload/memory.h"
#include "interceptor/ring/recorder.h"

/* Is none attached, because the program has ThreadSanitizer's own runtime in its place? */
bool ork_watch_has_other(void);

/* Watch the bytes low .. high - 1, or no more; the same range as often as it was added. The
 * recorder's lock is held. */
void ork_watch_add(uint64_t low, uint64_t high);
void ork_watch_remove(uint64_t low, uint64_t high);

/* The filter. */
const _Atomic uint64_t *ork_watch_filter(void);

/* Increased by each change of what is watched. */
extern _Atomic uint32_t ork_watch_generation;

/* What is to be done with accesses to some bytes. */
enum {
    ORK_PIECE_CHECKS_LOADS = 1,  /* compare loads with the buffers of pending operations */
    ORK_PIECE_CHECKS_STORES = 2, /* and stores */
    ORK_PIECE_IS_WINDOW = 4,     /* write them as accesses to the memory of a window */
};

/* The bytes low .. high - 1 of a page, for all of which the same is to be done, as long as the
 * generation is the same. */
struct ork_piece {
    uint64_t low, high;
    uint32_t generation; /* 0: none */
    uint32_t checks;
    uint32_t window; /* its number */
};

/* Some bytes need checks: these are those of the piece if `address` is one of them, otherwise the
 * piece ends before them. */
static inline void ork_piece_cut(struct ork_piece *piece, uint64_t address, uint64_t low,
                                 uint64_t high, uint32_t checks)
{
    if (address < low) {
        piece->high = low < piece->high ? low : piece->high;
    } else if (address >= high) {
        piece->low = high > piece->low ? high : piece->low;
    } else {
        piece->checks |= checks;
        piece->low = low > piece->low ? low : piece->low;
        piece->high = high < piece->high ? high : piece->high;
    }
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the critical sections of windows, and ordered atomics: docs/explanation/order.md. The
 * memory (memfd, sealed against resizing) is shared by all ranks of one leaf, or of all leaves of a
 * run on one node. The leaves send it to their ranks. Only ranks read and write it. Pages that
 * nobody touched take no memory. */
#ifndef ORK_RECORD_SECTIONS_H
#define ORK_RECORD_SECTIONS_H

#include <stdatomic.h>
#include <stdint.h>

#define ORK_SECTIONS_ROWS   (1u << 14) /* a power of two */
#define ORK_SECTIONS_SPREAD (1u << 20) /* words of spread rows: the first ones */
#define ORK_SECTIONS_DENSE  (1u << 20)
#define ORK_SECTIONS_WORDS  (ORK_SECTIONS_SPREAD + ORK_SECTIONS_DENSE)
#define ORK_SECTIONS_FIRST  24 /* bits for a row's first word */
/* Locations of ordered atomics: each has one word, behind those of the rows. */
#define ORK_SECTIONS_LOCATIONS (1u << 16) /* a power of two */
#define ORK_SECTIONS_ALL       (ORK_SECTIONS_WORDS + ORK_SECTIONS_LOCATIONS)
/* A spread row uses one word of each cache line. RATIONALE: ranks that lock different targets then
 * do not take the line from each other. */
#define ORK_SECTIONS_STRIDE 8u

/* A row is `key << ORK_SECTIONS_FIRST | number of its first word`; 0: not in use. Rows are found by
 * their key (open addressing), and stay until the end of the run. */
struct ork_sections {
    _Atomic uint64_t row[ORK_SECTIONS_ROWS];
    /* Words that were given to rows of each kind; may be larger than their number. */
    _Atomic uint64_t used_spread, used_dense;
    _Atomic uint64_t decided; /* in a run of an exploration: see interceptor/forcing/turns.h */
    /* The key of each location, found as those of rows; 0: not in use. */
    _Atomic uint64_t location[ORK_SECTIONS_LOCATIONS];
    _Alignas(64) _Atomic uint64_t word[ORK_SECTIONS_ALL];
    /* Of each word: number of sections for which a decided lock waits, plus 1; 0: none does. */
    _Atomic uint64_t wanted[ORK_SECTIONS_ALL];
    /* Of each word: the locks that are held in a run of an exploration, see
     * interceptor/forcing/eager.h, or the ordered atomics that are being made. */
    _Atomic uint64_t held[ORK_SECTIONS_ALL];
};
_Static_assert(ORK_SECTIONS_WORDS <= 1u << ORK_SECTIONS_FIRST, "a row can name each word");

/* A word of a window and target counts exclusive sections, and below them shared ones; so does that
 * of the held locks. The word of a location counts atomics that update it, and below them those
 * that only read it. */
#define ORK_SECTIONS_EXCLUSIVE (UINT64_C(1) << 32)
#define ORK_SECTIONS_SHARED    UINT64_C(1)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of one-sided communication: MPI-3.1 chapter 11. */
#ifndef ORK_ACCESS_H
#define ORK_ACCESS_H

#include "record/record.h"
#include "record/reductions.h"

/* The mode of an ACCESS record. */
enum ork_access {
    ORK_ACCESS_PUT,        /* MPI_Put, MPI_Rput */
    ORK_ACCESS_GET,        /* MPI_Get, MPI_Rget */
    ORK_ACCESS_ACCUMULATE, /* MPI_Accumulate, MPI_Raccumulate */
    ORK_ACCESS_FETCH,      /* MPI_Get_accumulate, MPI_Rget_accumulate, MPI_Fetch_and_op */
    ORK_ACCESS_SWAP,       /* MPI_Compare_and_swap */
    ORK_ACCESS_MAX
};

/* arg2 of an accumulate: the predefined datatype of its elements. Bits 0 to 15 are its type id
 * (bytes/datatype/basic.h), of which bits 0 to 7 are its size; bits 16 to 23 are equal for types of
 * one kind of values. 0: unknown. */
#define ORK_ACCESS_ROUNDS (1u << 31) /* sums of this type are rounded */
static inline uint32_t ork_access_type_id(uint32_t type)
{
    return type & 0xffffu;
}
static inline uint32_t ork_access_type_size(uint32_t type)
{
    return type & 0xffu;
}
/* Are their values represented in the same way? */
static inline bool ork_access_types_are_alike(uint32_t a, uint32_t b)
{
    return (a & 0xff00ffu) == (b & 0xff00ffu);
}

/* Has an element the same value after any order of such updates? `op`, `type`: arg and arg2 of
 * their records. A type that is not known may be one whose sums are rounded. */
static inline bool ork_access_commutes(uint32_t op, uint32_t type)
{
    switch (op) {
    case ORK_REDUCTION_MPI_SUM:
    case ORK_REDUCTION_MPI_PROD:
        return type != 0 && (type & ORK_ACCESS_ROUNDS) == 0;
    case ORK_REDUCTION_MPI_MAX:
    case ORK_REDUCTION_MPI_MIN:
    case ORK_REDUCTION_MPI_LAND:
    case ORK_REDUCTION_MPI_BAND:
    case ORK_REDUCTION_MPI_LOR:
    case ORK_REDUCTION_MPI_BOR:
    case ORK_REDUCTION_MPI_LXOR:
    case ORK_REDUCTION_MPI_BXOR:
    case ORK_REDUCTION_MPI_MINLOC:
    case ORK_REDUCTION_MPI_MAXLOC:
        return true;
    default:
        return false;
    }
}

/* The arg of the EXIT record of an access that is a choice (docs/explanation/order.md). Of other
 * accesses, only those that fail have an EXIT record. */
enum ork_atomic_order {
    ORK_ATOMIC_UPDATES, /* its number is that of all ordered atomics of the location before it; */
    ORK_ATOMIC_FAILS,   /* so it is of a Compare_and_swap that found another value */
    ORK_ATOMIC_READS,   /* MPI_NO_OP: its number is that of the updates before it */
};

/* The mode of a FILE_ACCESS record. */
enum ork_file_pointer { ORK_FILE_POINTER_OTHER, ORK_FILE_POINTER_SHARED };

/* The arg of a WIN_LOCK record. */
enum ork_lock_order {
    ORK_LOCK_IS_CHOICE,    /* or nothing can conflict with it */
    ORK_LOCK_IS_UNCOUNTED, /* how many sections come before it is not known */
    ORK_LOCK_IS_UNCHECKED, /* MPI_MODE_NOCHECK: the program says that nothing conflicts */
};

/* Bits of WIN_MEMORY, from the window's attributes and info (MPI-3.1 sections 11.2.1 and 11.4). */
enum ork_window_info {
    ORK_WINDOW_UNORDERED = 1, /* accumulate_ordering: accumulates of one origin have no order */
    ORK_WINDOW_TOUCHED = 2,   /* loads and stores of the rank to its memory have TOUCH records */
    ORK_WINDOW_SEPARATE = 4,  /* its model is MPI_WIN_SEPARATE, */
    ORK_WINDOW_PORTABLE = 8,  /* or it is judged as if it were; MPI_Win_sync has records */
    ORK_WINDOW_REGIONS = 16,  /* MPI_Win_attach and MPI_Win_detach have WIN_REGION records */
};

/* The mode of a WIN_REGION record. */
enum ork_region_change { ORK_REGION_DETACHED, ORK_REGION_ATTACHED };

/* The mode of a WIN_FLUSH record. */
enum ork_flush { ORK_FLUSH_TARGET, ORK_FLUSH_ORIGIN, ORK_FLUSH_SYNC /* MPI_Win_sync */ };

/* The list of an ACCESS record: addresses and sizes in bytes, each as two words, the low one first.
 * A buffer is given by the bytes from its first to its last one; size 0: there is none, or it is
 * unknown. For each one with a bit ORK_HAS_PATTERN, in the order of these bits, words of
 * bytes/ranges/words.h follow, which say where its gaps are. */
struct ork_access_list {
    int64_t offset;       /* from the place that the displacement denotes to the first byte */
    uint64_t target_size; /* from the first to the last byte there */
    uint64_t origin, origin_size;
    uint64_t result, result_size; /* of ORK_ACCESS_FETCH and _SWAP */
    uint64_t gaps;                /* bits of enum ork_access_gaps */
};

/* There are gaps between the first and the last byte. The sides are those of enum
 * ork_access_side. */
enum ork_access_gaps { ORK_HAS_PATTERN = 1, ORK_HAS_UNKNOWN_GAPS = 8 };
enum ork_access_side { ORK_SIDE_TARGET, ORK_SIDE_ORIGIN, ORK_SIDE_RESULT, ORK_SIDES };
/* The most words of all patterns of a record. */
enum { ORK_PATTERN_WORDS = 512 };

enum { ORK_ACCESS_WORDS = sizeof(struct ork_access_list) / sizeof(uint32_t) };
_Static_assert(ORK_ACCESS_WORDS <= ORK_CONT_WORDS, "one more slot");

/* The mode of a TOUCH record; ORK_TOUCH_IS_BUFFER is a bit: the bytes are a buffer of the pending
 * operation with this request, which reads (LOAD) or writes it (STORE), until it is complete. With
 * 0 bytes: the operation is complete, or may be, although no call completes this request. With
 * ORK_REQUEST_NULL: a buffer of a call that blocks, which is read at this time of the rank, before
 * the record of the call, or is written, after it has returned. */
enum ork_touch_use { ORK_TOUCH_IS_LOAD, ORK_TOUCH_IS_STORE, ORK_TOUCH_IS_BUFFER };

/* The list of a TOUCH record. Of a buffer: words of bytes/ranges/words.h, which say where the gaps
 * are; none: it has no gaps. Else the loops in which the block is repeated, the innermost one
 * first. */
enum { ORK_TOUCH_LOOPS = 3 };
struct ork_touch_list {
    uint64_t loops; /* > 0 */
    struct ork_touch_loop {
        int64_t stride; /* in bytes, not 0 */
        uint64_t count; /* > 1 */
    } loop[ORK_TOUCH_LOOPS];
};

enum { ORK_TOUCH_WORDS = sizeof(struct ork_touch_list) / sizeof(uint32_t) };
_Static_assert(ORK_TOUCH_WORDS <= ORK_CONT_WORDS, "one more slot");

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequences of basic types as trees: what a datatype consists of, without displacements. A sequence
 * is shared: it has a number of references, which no two threads may change at once. */
#ifndef ORK_DATATYPE_SEQUENCE_H
#define ORK_DATATYPE_SEQUENCE_H

#include "bytes/datatype/signature.h"

#include <stddef.h>

/* A type id from here on is that of a sequence that no predefined datatype has. It is a hash of the
 * sequence, so it is the same in all processes; two sequences with one id are possible, but rare.
 */
#define ORK_TYPE_DERIVED (UINT32_C(1) << 31)

/* Limits: a sequence above them is unknown. */
enum { ORK_SEQUENCE_PARTS = 4096, ORK_SEQUENCE_DEPTH = 64 };

/* `count` > 0 times the same sequence. */
struct ork_part {
    uint64_t count;
    struct ork_sequence *sequence;
};

/* Read-only for users. */
struct ork_sequence {
    struct ork_signature signature;
    uint64_t bytes;
    uint32_t id;
    uint32_t refs;
    uint32_t depth;
    uint32_t num_parts; /* 0: one element, nothing, or unknown */
    struct ork_part part[];
};

/* The following functions return a new reference, or NULL if memory is short. */

/* Of a predefined datatype. */
struct ork_sequence *ork_sequence_of_basic(uint32_t type_id);
/* The parts one after another; `count` may be 0. The caller keeps its references. */
struct ork_sequence *ork_sequence_of_parts(const struct ork_part *part, size_t num_parts);
/* Of that many bytes. */
struct ork_sequence *ork_sequence_unknown(uint64_t bytes);

struct ork_sequence *ork_sequence_ref(struct ork_sequence *sequence);
/* NULL is allowed. */
void ork_sequence_unref(struct ork_sequence *sequence);

/* The predefined datatype that all its elements are; ORK_TYPE_UNKNOWN: there are several, or none,
 * or they are unknown. Of a pair, its elements count. */
uint32_t ork_sequence_element(const struct ork_sequence *sequence);

/* ---- `count` copies of a sequence, as in the arguments of a call ---- */

struct ork_items {
    uint64_t count;
    const struct ork_sequence *sequence;
};

struct ork_signature ork_items_signature(const struct ork_items *items);
/* Of the first `length` elements, which exist. */
struct ork_signature ork_items_prefix(const struct ork_items *items, uint64_t length);
/* The type id of element `index`, from 0; ORK_TYPE_UNKNOWN: there is none. */
uint32_t ork_items_at(const struct ork_items *items, uint64_t index);

enum ork_types_match {
    ORK_TYPES_MATCH, /* or cannot be compared */
    ORK_TYPES_ALIKE, /* types of different names, whose values are represented in the same way */
    ORK_TYPES_DIFFER,
};

struct ork_comparison {
    enum ork_types_match match; /* of the elements that both have */
    bool is_longer;             /* `sent` has more elements than `received` */
    bool is_shorter;
    uint64_t first; /* ALIKE and DIFFER: the first element that differs, from 0 */
};

/* Compare what is sent with what may be received: MPI-3.1 section 3.3.1. Elements of two languages
 * match if they are alike (section 17.2.6). */
struct ork_comparison ork_items_compare(const struct ork_items *sent,
                                        const struct ork_items *received);

#endif

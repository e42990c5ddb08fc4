/* SPDX-License-Identifier: BSD-3-Clause */
/* Type signatures (MPI-3.1 section 4.1): the sequence of basic types that a datatype consists of,
 * as its length and hashes. An element is a map x -> M * x + w modulo a prime, where w belongs to
 * the basic type; a sequence is the composition of its maps. So sequences are joined in O(1) and
 * repeated in O(log count), and equal ones are found in O(1). */
#ifndef ORK_DATATYPE_SIGNATURE_H
#define ORK_DATATYPE_SIGNATURE_H

#include "bytes/datatype/basic.h"

/* All zero, but scale 1, is the empty sequence. */
struct ork_signature {
    uint64_t length; /* number of elements */
    uint64_t scale;  /* M to the power of the length */
    uint64_t exact;  /* of the types themselves */
    uint64_t alike;  /* of their kinds and sizes */
    uint8_t languages;
    bool has_packed;
    bool unknown; /* too long, or of types that are not known: the rest has no meaning */
};

#define ORK_SIGNATURE_EMPTY   ((struct ork_signature){.scale = 1})
#define ORK_SIGNATURE_UNKNOWN ((struct ork_signature){.scale = 1, .unknown = true})

/* One element: a predefined datatype that is no pair. */
struct ork_signature ork_signature_of_basic(uint32_t type_id);
/* The first sequence, then the second one. */
struct ork_signature ork_signature_join(const struct ork_signature *first,
                                        const struct ork_signature *second);
struct ork_signature ork_signature_repeat(const struct ork_signature *signature, uint64_t count);

static inline bool ork_signature_is_exact(const struct ork_signature *a,
                                          const struct ork_signature *b)
{
    return a->length == b->length && a->exact == b->exact;
}

/* The same representations, under other names. */
static inline bool ork_signature_is_alike(const struct ork_signature *a,
                                          const struct ork_signature *b)
{
    return a->length == b->length && a->alike == b->alike;
}

#endif

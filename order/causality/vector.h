/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of vector clocks: exact.c, and sums.c, which replaces them. */
#ifndef ORK_CAUSALITY_VECTOR_H
#define ORK_CAUSALITY_VECTOR_H

#include "order/causality/internal.h"

#include <stdlib.h>

struct vector {
    uint64_t *bytes;     /* of struct clock_state; NULL: they are not counted */
    uint32_t refs, size; /* components from `size` on are 0 */
    uint32_t value[];
};

struct change {
    uint32_t slot, value;
    uint64_t time;
};

struct past {
    struct vector *now; /* NULL: all components are 0 */
    struct change *change;
    uint32_t changes, room;
    uint32_t sorted; /* changes that are sorted by slot and value */
};

struct clock_state {
    struct past *past;      /* by rank */
    uint32_t *slot;         /* by rank: of its component, from 1; 0: none */
    struct sums_past *sums; /* by rank: see sums.c; NULL: the ranks have vectors */
    uint32_t slots;
    uint64_t bytes; /* of all vectors and noted changes, if there is a limit */
};

static inline uint64_t ork_vector_bytes(uint32_t size)
{
    return sizeof(struct vector) + size * sizeof(uint32_t);
}

static inline void ork_vector_unref(struct vector *v)
{
    ORK_ASSERT(v == NULL || v->refs > 0);
    if (v == NULL || --v->refs > 0)
        return;
    if (v->bytes != NULL)
        *v->bytes -= ork_vector_bytes(v->size);
    free(v);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The bits of MPICH's handles, which are numbers: how the object is stored, where 0 is no object,
 * and its kind (src/include/mpir_objects.h). */
#ifndef ORK_MPICH_HANDLE_H
#define ORK_MPICH_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

enum ork_mpich_kind { ORK_MPICH_COMM = 1, ORK_MPICH_WIN = 8, ORK_MPICH_REQUEST = 11 };

/* Can this handle be that of an object of the kind? */
static inline bool ork_mpich_is(int handle, enum ork_mpich_kind kind)
{
    enum { STORED_SHIFT = 30, KIND_SHIFT = 26, KIND_MASK = 15 };
    const uint32_t bits = (uint32_t)handle;

    return bits >> STORED_SHIFT != 0 && (bits >> KIND_SHIFT & KIND_MASK) == (uint32_t)kind;
}

#endif

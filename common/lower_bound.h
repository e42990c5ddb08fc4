/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary search. */
#ifndef ORK_COMMON_LOWER_BOUND_H
#define ORK_COMMON_LOWER_BOUND_H

#include <stdint.h>

/* Declare `low`, the number of elements, of `count` sorted ones, for which `is_before` holds: an
 * expression of the index `i`, which must not hold for an element after one for which it does not.
 * So `low` is the index of the first element that is not before, or `count`. */
#define ORK_LOWER_BOUND(low, count, i, is_before)                                                  \
    uint32_t low = 0;                                                                              \
    for (uint32_t high_ = (count), i; low < high_;) { /* before: below low; not: from high_ on */  \
        i = low + (high_ - low) / 2;                                                               \
        if (is_before)                                                                             \
            low = i + 1;                                                                           \
        else                                                                                       \
            high_ = i;                                                                             \
    }

#endif

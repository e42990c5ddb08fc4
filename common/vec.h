/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow. `array` is the address of the pointer to the first element (which may be NULL),
 * `size` the size of an element. */
#ifndef ORK_VEC_H
#define ORK_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For ork_vec_reserve() only: the room is too small. */
bool ork_vec_grow(void *array, uint32_t *room, uint32_t wanted, size_t size);

/* Make room for `wanted` elements; *room is the present room, which is at least doubled if it is
 * too small. False: out of memory, nothing has changed. New elements are zero. */
static inline bool ork_vec_reserve(void *array, uint32_t *room, uint32_t wanted, size_t size)
{
    return wanted <= *room || ork_vec_grow(array, room, wanted, size);
}

/* Extend from `count` to exactly `wanted` > `count` elements. Otherwise the same. */
bool ork_vec_extend(void *array, size_t count, size_t wanted, size_t size);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined datatypes. A *type id* names a sequence of basic types: that of a predefined
 * datatype is its number and size, so it is the same in all processes; those of other sequences are
 * in sequence.h. */
#ifndef ORK_DATATYPE_BASIC_H
#define ORK_DATATYPE_BASIC_H

#include <stdbool.h>
#include <stdint.h>

enum ork_basic {
    ORK_BASIC_NONE,
#define ORK_BASIC(name, kind, languages) ORK_BASIC_##name,
#define ORK_PAIR(name, first, second)    ORK_BASIC_##name,
#define ORK_MARKER(name)                 ORK_BASIC_##name,
#include "bytes/datatype/basic.def"
#undef ORK_BASIC
#undef ORK_PAIR
#undef ORK_MARKER
    /* MPI-3.1 section 17.1.9: what MPI_Type_create_f90_integer, _real and _complex return. */
    ORK_BASIC_F90_INTEGER,
    ORK_BASIC_F90_REAL,
    ORK_BASIC_F90_COMPLEX,
    ORK_BASIC_MAX
};

/* How the values are represented, together with the size. */
enum ork_basic_kind {
    ORK_BASIC_IS_NOTHING,
    ORK_BASIC_IS_BYTE,
    ORK_BASIC_IS_SIGNED,
    ORK_BASIC_IS_UNSIGNED,
    ORK_BASIC_IS_REAL,
    ORK_BASIC_IS_COMPLEX,
    ORK_BASIC_IS_PACKED, /* matches every type: MPI-3.1 section 3.3.1 */
    ORK_BASIC_IS_PAIR,
};

enum { ORK_OF_ANY = 0, ORK_OF_C = 1, ORK_OF_FORTRAN = 2, ORK_OF_CXX = 4, ORK_OF_ALL = 7 };

#define ORK_TYPE_UNKNOWN 0u /* no sequence: it is never compared */

/* The id of a predefined datatype of that many bytes; ORK_TYPE_UNKNOWN if no such size exists. */
static inline uint32_t ork_type_id_of_basic(enum ork_basic basic, uint64_t size)
{
    return size < 256 ? (uint32_t)basic << 8 | (uint32_t)size : ORK_TYPE_UNKNOWN;
}

static inline enum ork_basic ork_basic_of_id(uint32_t id)
{
    return id >> 8 < ORK_BASIC_MAX ? (enum ork_basic)(id >> 8) : ORK_BASIC_NONE;
}

static inline uint32_t ork_basic_size_of_id(uint32_t id)
{
    return id & 255u;
}

enum ork_basic_kind ork_basic_kind(enum ork_basic basic);
/* ORK_OF_C and so on. */
uint8_t ork_basic_languages(enum ork_basic basic);
/* "MPI_INT"; "?" for no datatype. Static storage. */
const char *ork_basic_name(enum ork_basic basic);
/* The ids of the two elements of a pair. False: it is no pair. */
bool ork_basic_pair(uint32_t id, uint32_t element[2]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of collective calls that must be the same at all members: the key `equal` in
 * interceptor/spec. The COLL record of a call that is no operation names up to ORK_AGREED_MAX
 * values of them, each in a field of its own; 0: not known, or it may be any. */
#ifndef ORK_RECORD_AGREED_H
#define ORK_RECORD_AGREED_H

#include "record/record.h"

enum { ORK_AGREED_MAX = 4 };

/* What a value stands for. */
enum ork_agreed_form {
    ORK_AGREED_NUMBER,
    ORK_AGREED_LOGICAL,
    ORK_AGREED_MODES,      /* bits of amodes.def */
    ORK_AGREED_ASSERTIONS, /* bits of enum ork_agreed_assertion */
    ORK_AGREED_WHENCE,     /* enum ork_agreed_whence */
    ORK_AGREED_DATAREP,    /* enum ork_agreed_datarep, or a hash */
    ORK_AGREED_WEIGHTED,   /* is an array not MPI_UNWEIGHTED? */
    ORK_AGREED_DIMENSIONS, /* up to ORK_AGREED_DIMS_MAX numbers, ORK_AGREED_DIM_BITS each, or a hash
                            */
    ORK_AGREED_LIST,       /* a hash */
    ORK_AGREED_GROUP,      /* see ork_agreed_group() */
};

enum ork_agreed_assertion { ORK_AGREED_NOPRECEDE = 1, ORK_AGREED_NOSUCCEED = 2 };
enum ork_agreed_whence { ORK_AGREED_SET, ORK_AGREED_CUR, ORK_AGREED_END, ORK_AGREED_OTHER };
enum ork_agreed_datarep { ORK_AGREED_NATIVE, ORK_AGREED_INTERNAL, ORK_AGREED_EXTERNAL32 };
enum { ORK_AGREED_DIMS_MAX = 4, ORK_AGREED_DIM_BITS = 14 };

/* In a value: it is a hash. Only the upper one is in a field of 64 bits. */
#define ORK_AGREED_IS_HASH       (UINT64_C(1) << 63)
#define ORK_AGREED_IS_SHORT_HASH (UINT64_C(1) << 31)

/* The value that a record has of a number. It is never 0, nor are its lower 32 bits. */
static inline uint64_t ork_agreed_number(int64_t number)
{
    return (uint64_t)number << 1 | 1;
}

/* The value of a group of so many processes: the detector makes it from the record's list. */
enum { ORK_AGREED_GROUP_BITS = 24 };
static inline uint64_t ork_agreed_group(uint64_t hash, uint32_t size)
{
    return ork_agreed_number((int64_t)((hash & 0xffffffff) << ORK_AGREED_GROUP_BITS | size));
}

/* Store the values in the record; those that are 0 leave it as it is. */
static inline void ork_agreed_put(struct ork_record *record, const uint64_t value[ORK_AGREED_MAX])
{
    if (value[0] != 0)
        record->extra = value[0];
    if (value[1] != 0)
        record->arg2 = (uint32_t)value[1];
    if (value[2] != 0)
        record->peer2 = (int32_t)value[2];
    if (value[3] != 0)
        record->tag = (int32_t)value[3];
}

/* What a value of an operation is about. */
struct ork_agreed_argument {
    const char *name; /* as the standard names it; NULL: there is none */
    const char *section;
    enum ork_agreed_form form;
};

/* Value `i` of the calls of an operation. Static storage. */
const struct ork_agreed_argument *ork_agreed_argument(unsigned coll, unsigned i);

/* The value itself; 0: not known, or there is none. */
uint64_t ork_agreed_value(const struct ork_record *record, unsigned i);

/* The first one in which two calls of one operation differ, if both are known; ORK_AGREED_MAX:
 * none. */
unsigned ork_agreed_difference(const struct ork_record *a, const struct ork_record *b);

/* Do they name the same values, known or not? */
bool ork_agreed_is_same(const struct ork_record *a, const struct ork_record *b);

#endif

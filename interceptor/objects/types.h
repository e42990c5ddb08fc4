/* SPDX-License-Identifier: BSD-3-Clause */
/* The datatypes of this rank: size and type id (bytes/datatype/sequence.h) of each. Derived ones
 * are decoded when they are first used, by MPI_Type_get_envelope and MPI_Type_get_contents: so it
 * does not matter which call made them. */
#ifndef ORK_INTERCEPTOR_TYPES_H
#define ORK_INTERCEPTOR_TYPES_H

#include "common/hash.h"
#include "bytes/datatype/type.h"
#include "interceptor/mpi/args.h"
#include "interceptor/ring/recorder.h"

#include <mpi.h>

/* The predefined datatypes, by handle. Constant once MPI is initialised. */
struct ork_known_type {
    MPI_Datatype type; /* 0: empty */
    uint32_t size;
    uint16_t id;
    bool is_dense; /* there are no holes inside or between its elements */
};
enum { ORK_TYPE_SLOTS = 1024 };
extern struct ork_known_type ork_known_types[ORK_TYPE_SLOTS];

/* RATIONALE: chosen so that no two predefined datatypes have one slot, and a look at one slot is
 * enough. */
extern uint64_t ork_type_factor;

static inline unsigned ork_type_slot(MPI_Datatype type)
{
    return (unsigned)((uint64_t)(uintptr_t)type * ork_type_factor >> 54);
}
_Static_assert(ORK_TYPE_SLOTS == 1 << (64 - 54), "the slot is within the table");

/* Call once, when MPI is initialised. */
void ork_types_init(void);

/* The same for any type; also for MPI_DATATYPE_NULL. With or without the recorder's lock. */
struct ork_amount ork_amount_of_derived(uint64_t count, MPI_Datatype type);

static inline struct ork_amount ork_amount(int count, MPI_Datatype type)
{
    const struct ork_known_type *known = &ork_known_types[ork_type_slot(type)];

    if (ORK_LIKELY(known->type == type))
        return (struct ork_amount){(uint64_t)(count > 0 ? count : 0) * known->size, known->id};
    if (count <= 0)
        return (struct ork_amount){0};
    return ork_amount_of_derived((uint64_t)count, type);
}

static inline uint64_t ork_bytes(int count, MPI_Datatype type)
{
    return ork_amount(count, type).bytes;
}

/* The size of a predefined datatype whose elements have no holes inside or between them; 0 for all
 * others. */
static inline uint64_t ork_dense_size(MPI_Datatype type)
{
    const struct ork_known_type *known = &ork_known_types[ork_type_slot(type)];

    return known->type == type && known->is_dense ? known->size : 0;
}

/* The id of a predefined datatype; ORK_TYPE_UNKNOWN for others. */
uint32_t ork_type_predefined(MPI_Datatype type);

/* The predefined datatype that all elements of a type are (of a pair of two equal ones, the one of
 * its elements); ORK_TYPE_UNKNOWN: it has others, or they are unknown. As
 * ork_type_sequence(). */
uint32_t ork_type_element(MPI_Datatype type);

/* Decode a datatype. NULL: memory is short. Without the recorder's lock or with it. */
struct ork_type *ork_type_decode(MPI_Datatype type);

/* Forget a handle: it is about to be freed. */
void ork_types_forget(MPI_Datatype type);

/* The basic types of a datatype, as a new reference. NULL: they are unknown, or memory is short.
 * Release it with ork_type_release_sequence(). With or without the recorder's lock. */
struct ork_sequence *ork_type_sequence(MPI_Datatype type);
void ork_type_release_sequence(struct ork_sequence *sequence);

/* Its decoded form, as a new reference. NULL: it is unknown, its bytes are not known, or memory is
 * short. Release it with ork_type_release(). With or without the recorder's lock. */
struct ork_type *ork_type_with_layout(MPI_Datatype type);
void ork_type_release(struct ork_type *type);

/* ---- what the program has done with it ---- */

/* A call returned this handle. `is_constructor`: it is not committed yet, else that is unknown. */
void ork_type_made(MPI_Datatype type, bool is_constructor);
void ork_type_commit(MPI_Datatype type);
/* Has the program committed it, as far as this was seen? */
bool ork_type_is_committed(MPI_Datatype type);

enum ork_type_fault {
    ORK_TYPE_IS_READY,
    ORK_TYPE_IS_UNCOMMITTED,
    ORK_TYPE_OVERLAPS,       /* it is received, and a byte is in it more than once */
    ORK_TYPE_COPIES_OVERLAP, /* or in more than one of the elements */
};
/* What is wrong with a derived type in communication. `received`: so many elements are stored. With
 * or without the recorder's lock. */
enum ork_type_fault ork_type_fault(MPI_Datatype type, int received);
/* Bytes from an element to the next one, and from the first byte of its data to the end of the last
 * one. False: memory is short. */
bool ork_type_extents(MPI_Datatype type, int64_t *extent, int64_t *data);

/* The bytes of `count` > 0 elements of a derived datatype are low .. high - 1, from the address of
 * the buffer. False: it has none, or it is not known. With or without the recorder's lock. */
bool ork_type_hull(MPI_Datatype type, int count, int64_t *low, int64_t *high);

/* ---- records ---- */

#endif

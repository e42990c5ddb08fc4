/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes: the sequence of basic types, the bounds and the bytes of each (MPI-3.1 section 4.1).
 * All displacements, bounds and strides are in bytes. Constructors return a new reference, or NULL:
 * memory is short, or an argument is not valid. References must not change in two threads at
 * once. */
#ifndef ORK_DATATYPE_TYPE_H
#define ORK_DATATYPE_TYPE_H

#include "bytes/datatype/sequence.h"
#include "bytes/ranges/byteset.h"

/* Lower and upper bound, of all bytes or of the extent. */
struct ork_type_bounds {
    int64_t low, high;
};

/* Read-only for users. */
struct ork_type {
    uint32_t refs;
    bool has_lb, has_ub;         /* set by MPI_Type_create_resized and others: section 4.1.7 */
    bool has_layout;             /* else it was too complicated */
    int64_t lb, ub;              /* lb + extent */
    struct ork_type_bounds data; /* true lb, true lb + true extent; if there is data */
    uint64_t alignment;          /* of the strictest basic type; at least 1 */
    struct ork_sequence *sequence;
    struct ork_byteset layout; /* its bytes; finished */
};

static inline int64_t ork_type_extent(const struct ork_type *type)
{
    return (int64_t)((uint64_t)type->ub - (uint64_t)type->lb);
}

static inline bool ork_type_has_data(const struct ork_type *type)
{
    return type->sequence->bytes > 0;
}

struct ork_type *ork_type_ref(struct ork_type *type);
/* NULL is allowed. */
void ork_type_unref(struct ork_type *type);

/* ---- constructors ---- */

/* A predefined datatype; of a pair, C's struct of the two. */
struct ork_type *ork_type_of_basic(uint32_t type_id);
/* One of which only bounds and size are known. */
struct ork_type *ork_type_unknown(uint64_t bytes, const struct ork_type_bounds *extent,
                                  const struct ork_type_bounds *data);

/* `length` consecutive copies of a type. */
struct ork_block {
    int64_t length;
    int64_t displacement;
    struct ork_type *type;
};
/* MPI_Type_create_struct, and all kinds of indexed types. */
struct ork_type *ork_type_of_blocks(const struct ork_block *block, size_t num_blocks);
/* MPI_Type_contiguous, _vector and _create_hvector. */
struct ork_type *ork_type_vector(int64_t count, int64_t length, int64_t stride,
                                 struct ork_type *old);
struct ork_type *ork_type_resized(int64_t lb, int64_t extent, struct ork_type *old);

/* A dimension of MPI_Type_create_subarray or _darray. */
enum ork_distribution { ORK_UNDISTRIBUTED, ORK_CYCLIC };
struct ork_dimension {
    int64_t size;
    int64_t start, count; /* UNDISTRIBUTED: the elements that are selected */
    int64_t block;        /* CYCLIC: elements of a block; a block distribution has one block each */
    int64_t processes, process;
    enum ork_distribution distribution;
};
/* The dimensions from the one that varies fastest. The extent is that of the whole array. */
struct ork_type *ork_type_array(const struct ork_dimension *dimension, size_t num_dimensions,
                                struct ork_type *old);

/* The bounds as the MPI library has them, if they depend on alignment: section 4.1.6. */
void ork_type_set_extent(struct ork_type *type, const struct ork_type_bounds *extent);

#endif

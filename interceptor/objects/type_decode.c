/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes datatypes: MPI-3.1 section 4.1.13. RATIONALE: what the library says of a type decides. If
 * size or bounds of what was decoded differ from it, the type is unknown. */
#include "interceptor/mpi/next.h"
#include "interceptor/objects/types.h"

#include <stdlib.h>

/* Larger types are unknown: they would take too long. */
enum { NUMBERS_MAX = 1 << 17, DEPTH_MAX = ORK_SEQUENCE_DEPTH };

struct contents {
    int combiner;
    int num_integers, num_addresses, num_types;
    int *integer;
    MPI_Aint *address;
    MPI_Datatype *type;
};

static struct ork_type *decode(MPI_Datatype type, unsigned depth);

static bool is_permanent(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
           combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
}

/* The library has made a new handle for each derived type of the contents. */
static void free_types(const struct contents *c)
{
    for (int i = 0; i < c->num_types; i++) {
        int integers, addresses, types, combiner;
        if (ORK_NEXT(MPI_Type_get_envelope)(c->type[i], &integers, &addresses, &types, &combiner) ==
                MPI_SUCCESS &&
            !is_permanent(combiner))
            ORK_NEXT(MPI_Type_free)(&c->type[i]);
    }
}

static void release(struct contents *c)
{
    free(c->integer);
    free(c->address);
    free(c->type);
}

static bool get_contents(MPI_Datatype type, struct contents *c)
{
    if (c->num_integers > NUMBERS_MAX || c->num_addresses > NUMBERS_MAX ||
        c->num_types > NUMBERS_MAX)
        return false;
    c->integer = calloc((size_t)c->num_integers + 1, sizeof(*c->integer));
    c->address = calloc((size_t)c->num_addresses + 1, sizeof(*c->address));
    c->type = calloc((size_t)c->num_types + 1, sizeof(*c->type));
    if (c->integer != NULL && c->address != NULL && c->type != NULL &&
        ORK_NEXT(MPI_Type_get_contents)(type, c->num_integers, c->num_addresses, c->num_types,
                                        c->integer, c->address, c->type) == MPI_SUCCESS)
        return true;
    release(c);
    return false;
}

/* ---- one combiner each ---- */

/* The blocks of an indexed type: lengths[i * step]; `units`: displacements in extents, or
 * `address`. */
static struct ork_type *indexed(int count, const int *length, int step, const int *units,
                                const MPI_Aint *address, struct ork_type *old)
{
    struct ork_block *block = calloc((size_t)count + 1, sizeof(*block));
    uint64_t extent = (uint64_t)ork_type_extent(old);

    if (block == NULL)
        return NULL;
    for (int i = 0; i < count; i++)
        block[i] = (struct ork_block){
            length[(size_t)i * (size_t)step],
            units != NULL ? (int64_t)((uint64_t)units[i] * extent) : address[i], old};
    struct ork_type *type = ork_type_of_blocks(block, (size_t)count);
    free(block);
    return type;
}

static struct ork_type *decode_struct(const struct contents *c, unsigned depth)
{
    size_t n = (size_t)c->num_types;
    struct ork_block *block = calloc(n + 1, sizeof(*block));
    struct ork_type *type = NULL;
    size_t known = 0;

    if (block == NULL)
        return NULL;
    for (; known < n; known++) {
        block[known] = (struct ork_block){c->integer[known + 1], c->address[known],
                                          decode(c->type[known], depth)};
        if (block[known].type == NULL)
            break;
    }
    if (known == n)
        type = ork_type_of_blocks(block, n);
    for (size_t i = 0; i < known; i++)
        ork_type_unref(block[i].type);
    free(block);
    return type;
}

/* The number of the dimension that is the i-th fastest. */
static int dimension(int order, int n, int i)
{
    return order == MPI_ORDER_C ? n - 1 - i : i;
}

static struct ork_type *subarray(const struct contents *c, struct ork_type *old)
{
    int n = c->integer[0];
    const int *size = &c->integer[1], *count = size + n, *start = count + n;
    struct ork_dimension *d = calloc((size_t)n + 1, sizeof(*d));

    if (d == NULL)
        return NULL;
    for (int i = 0; i < n; i++) {
        int at = dimension(start[n], n, i);
        d[i] = (struct ork_dimension){.size = size[at], .start = start[at], .count = count[at]};
    }
    struct ork_type *type = ork_type_array(d, (size_t)n, old);
    free(d);
    return type;
}

static void distribute(struct ork_dimension *d, int distribution, int argument)
{
    if (distribution == MPI_DISTRIBUTE_NONE) {
        d->count = d->size;
        return;
    }
    d->distribution = ORK_CYCLIC;
    if (argument != MPI_DISTRIBUTE_DFLT_DARG)
        d->block = argument;
    else if (distribution == MPI_DISTRIBUTE_BLOCK)
        d->block = (d->size + d->processes - 1) / d->processes;
    else
        d->block = 1;
}

static struct ork_type *darray(const struct contents *c, struct ork_type *old)
{
    int rank = c->integer[1], n = c->integer[2];
    const int *size = &c->integer[3], *distribution = size + n, *argument = distribution + n,
              *processes = argument + n;
    int order = processes[n];
    struct ork_dimension *d = calloc((size_t)n + 1, sizeof(*d));

    if (d == NULL)
        return NULL;
    /* the processes are always in C's order */
    for (int at = n - 1; at >= 0; at--) {
        struct ork_dimension *one = &d[dimension(order, n, at)];
        int p = processes[at] > 0 ? processes[at] : 1;
        *one = (struct ork_dimension){.size = size[at], .processes = p, .process = rank % p};
        distribute(one, distribution[at], argument[at]);
        rank /= p;
    }
    struct ork_type *type = ork_type_array(d, (size_t)n, old);
    free(d);
    return type;
}

/* Of one other type; NULL also if the combiner is not supported. */
static struct ork_type *combine(const struct contents *c, struct ork_type *old)
{
    const int *i = c->integer;
    const MPI_Aint *a = c->address;
    int64_t extent = ork_type_extent(old);

    switch (c->combiner) {
    case MPI_COMBINER_DUP:
        return ork_type_ref(old);
    case MPI_COMBINER_CONTIGUOUS:
        return ork_type_vector(1, i[0], 0, old);
    case MPI_COMBINER_VECTOR:
        return ork_type_vector(i[0], i[1], (int64_t)((uint64_t)i[2] * (uint64_t)extent), old);
    case MPI_COMBINER_HVECTOR:
        return ork_type_vector(i[0], i[1], a[0], old);
    case MPI_COMBINER_INDEXED:
        return indexed(i[0], &i[1], 1, &i[1 + (size_t)i[0]], NULL, old);
    case MPI_COMBINER_HINDEXED:
        return indexed(i[0], &i[1], 1, NULL, a, old);
    case MPI_COMBINER_INDEXED_BLOCK:
        return indexed(i[0], &i[1], 0, &i[2], NULL, old);
    case MPI_COMBINER_HINDEXED_BLOCK:
        return indexed(i[0], &i[1], 0, NULL, a, old);
    case MPI_COMBINER_SUBARRAY:
        return subarray(c, old);
    case MPI_COMBINER_DARRAY:
        return darray(c, old);
    case MPI_COMBINER_RESIZED:
        return ork_type_resized(a[0], a[1], old);
    default:
        return NULL;
    }
}

static struct ork_type *decode_derived(MPI_Datatype type, struct contents *c, unsigned depth)
{
    struct ork_type *decoded = NULL;

    if (depth >= DEPTH_MAX || !get_contents(type, c))
        return NULL;
    if (c->combiner == MPI_COMBINER_STRUCT) {
        decoded = decode_struct(c, depth + 1);
    } else if (c->num_types == 1) {
        struct ork_type *old = decode(c->type[0], depth + 1);
        decoded = old != NULL ? combine(c, old) : NULL;
        ork_type_unref(old);
    }
    free_types(c);
    release(c);
    return decoded;
}

/* ---- any type ---- */

static enum ork_basic fortran_kind(int combiner)
{
    if (combiner == MPI_COMBINER_F90_INTEGER)
        return ORK_BASIC_F90_INTEGER;
    return combiner == MPI_COMBINER_F90_REAL ? ORK_BASIC_F90_REAL : ORK_BASIC_F90_COMPLEX;
}

struct facts {
    MPI_Count size, lb, extent, data_lb, data_extent;
};

static bool get_facts(MPI_Datatype type, struct facts *f)
{
    return ORK_NEXT(MPI_Type_size_x)(type, &f->size) == MPI_SUCCESS && f->size >= 0 &&
           ORK_NEXT(MPI_Type_get_extent_x)(type, &f->lb, &f->extent) == MPI_SUCCESS &&
           ORK_NEXT(MPI_Type_get_true_extent_x)(type, &f->data_lb, &f->data_extent) == MPI_SUCCESS;
}

static struct ork_type_bounds bounds(MPI_Count lb, MPI_Count extent)
{
    return (struct ork_type_bounds){lb, (int64_t)((uint64_t)lb + (uint64_t)extent)};
}

/* RATIONALE: without markers, libraries round the extent up in different ways: Open MPI does it
 * with the extents of the old types, MPI-3.1 section 4.1.6 with the data. So the library's bounds
 * count. */
static bool agrees(struct ork_type *type, const struct facts *f)
{
    struct ork_type_bounds extent = bounds(f->lb, f->extent);

    if (type->sequence->bytes != (uint64_t)f->size ||
        (f->size != 0 &&
         (type->data.low != f->data_lb || type->data.high - type->data.low != f->data_extent)))
        return false;
    if (type->lb == extent.low && type->ub == extent.high)
        return true;
    if (type->has_lb || type->has_ub || type->refs > 1)
        return false;
    ork_type_set_extent(type, &extent);
    return true;
}

static struct ork_type *decode(MPI_Datatype type, unsigned depth)
{
    struct contents c = {0};
    struct ork_type *decoded = NULL;
    struct facts f = {0};

    if (type == MPI_DATATYPE_NULL || !get_facts(type, &f) ||
        ORK_NEXT(MPI_Type_get_envelope)(type, &c.num_integers, &c.num_addresses, &c.num_types,
                                        &c.combiner) != MPI_SUCCESS)
        return NULL;
    if (c.combiner == MPI_COMBINER_NAMED)
        decoded = ork_type_of_basic(ork_type_predefined(type));
    else if (is_permanent(c.combiner))
        decoded =
            ork_type_of_basic(ork_type_id_of_basic(fortran_kind(c.combiner), (uint64_t)f.size));
    else
        decoded = decode_derived(type, &c, depth);
    if (decoded != NULL && agrees(decoded, &f))
        return decoded;
    ork_type_unref(decoded);
    struct ork_type_bounds extent = bounds(f.lb, f.extent);
    struct ork_type_bounds data = bounds(f.data_lb, f.data_extent);
    return ork_type_unknown((uint64_t)f.size, &extent, &data);
}

struct ork_type *ork_type_decode(MPI_Datatype type)
{
    return decode(type, 0);
}

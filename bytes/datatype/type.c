/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: displacements come from the application; all arithmetic on them wraps around instead
 * of overflowing. A type whose bounds wrap cannot be used in communication. */
#include "bytes/datatype/type.h"

#include <stdlib.h>

static int64_t add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

struct ork_type *ork_type_ref(struct ork_type *type)
{
    type->refs++;
    return type;
}

void ork_type_unref(struct ork_type *type)
{
    if (type == NULL || --type->refs > 0)
        return;
    ork_sequence_unref(type->sequence);
    ork_byteset_reset(&type->layout);
    free(type);
}

static struct ork_type *allocate(void)
{
    struct ork_type *type = calloc(1, sizeof(*type));

    if (type == NULL)
        return NULL;
    type->refs = 1;
    type->alignment = 1;
    type->has_layout = true;
    return type;
}

static void set_layout(struct ork_type *type, bool is_complete)
{
    type->has_layout = is_complete && ork_byteset_finish(&type->layout);
    if (!type->has_layout)
        ork_byteset_reset(&type->layout);
}

/* Without markers, the bounds are those of the data; then the extent is rounded up. */
static void set_natural_bounds(struct ork_type *type)
{
    uint64_t alignment = type->alignment;

    if (!type->has_lb)
        type->lb = ork_type_has_data(type) ? type->data.low : 0;
    if (type->has_ub)
        return;
    type->ub = ork_type_has_data(type) ? type->data.high : 0;
    uint64_t extent = (uint64_t)type->ub - (uint64_t)type->lb;
    if (ork_type_has_data(type) && extent % alignment != 0)
        type->ub = add(type->ub, (int64_t)(alignment - extent % alignment));
}

static uint64_t alignment_of(uint32_t type_id)
{
    uint64_t size = ork_basic_size_of_id(type_id);

    if (ork_basic_kind(ork_basic_of_id(type_id)) == ORK_BASIC_IS_COMPLEX)
        size /= 2;
    return size > 0 ? size & -size : 1;
}

static struct ork_type *single(uint32_t type_id)
{
    struct ork_type *type = allocate();
    enum ork_basic basic = ork_basic_of_id(type_id);

    if (type == NULL)
        return NULL;
    type->sequence = ork_sequence_of_basic(type_id);
    if (type->sequence == NULL) {
        ork_type_unref(type);
        return NULL;
    }
    type->has_lb = basic == ORK_BASIC_MPI_LB;
    type->has_ub = basic == ORK_BASIC_MPI_UB;
    type->alignment = alignment_of(type_id);
    type->data.high = (int64_t)type->sequence->bytes;
    set_natural_bounds(type);
    set_layout(type, ork_byteset_add_block(&type->layout, 0, type->data.high));
    return type;
}

struct ork_type *ork_type_of_basic(uint32_t type_id)
{
    uint32_t element[2];

    if (!ork_basic_pair(type_id, element))
        return single(type_id);
    struct ork_block block[2] = {{1, 0, single(element[0])}, {1, 0, single(element[1])}};
    struct ork_type *type = NULL;
    if (block[0].type != NULL && block[1].type != NULL) {
        uint64_t alignment = block[1].type->alignment;
        uint64_t first = ork_basic_size_of_id(element[0]);
        block[1].displacement = (int64_t)((first + alignment - 1) / alignment * alignment);
        type = ork_type_of_blocks(block, 2);
    }
    ork_type_unref(block[0].type);
    ork_type_unref(block[1].type);
    return type;
}

struct ork_type *ork_type_unknown(uint64_t bytes, const struct ork_type_bounds *extent,
                                  const struct ork_type_bounds *data)
{
    struct ork_type *type = allocate();

    if (type == NULL)
        return NULL;
    type->sequence = ork_sequence_unknown(bytes);
    if (type->sequence == NULL) {
        ork_type_unref(type);
        return NULL;
    }
    type->has_layout = false;
    type->has_lb = type->has_ub = true;
    type->data = *data;
    ork_type_set_extent(type, extent);
    return type;
}

void ork_type_set_extent(struct ork_type *type, const struct ork_type_bounds *extent)
{
    type->lb = extent->low;
    type->ub = extent->high;
}

/* ---- bounds of many copies ---- */

/* `count` > 0 copies, `stride` apart. */
static struct ork_type_bounds spread(struct ork_type_bounds b, int64_t count, int64_t stride)
{
    int64_t last = multiply(count - 1, stride);

    return (struct ork_type_bounds){last < 0 ? add(b.low, last) : b.low,
                                    last > 0 ? add(b.high, last) : b.high};
}

/* Entries of types that make up another one. */
struct entries {
    bool has_data, has_lb, has_ub;
    struct ork_type_bounds data, extent;
};

static int64_t lower(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t higher(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Add copies of `type`, `length` > 0 of them in each of `count` > 0 blocks. */
static void include(struct entries *e, const struct ork_type *type, int64_t displacement,
                    int64_t length, int64_t count, int64_t stride)
{
    int64_t extent = ork_type_extent(type);
    struct ork_type_bounds own = {type->lb, type->ub};
    struct ork_type_bounds data = spread(spread(type->data, length, extent), count, stride);

    own = spread(spread(own, length, extent), count, stride);
    if (ork_type_has_data(type)) {
        int64_t low = add(data.low, displacement);
        int64_t high = add(data.high, displacement);
        e->data.low = e->has_data ? lower(e->data.low, low) : low;
        e->data.high = e->has_data ? higher(e->data.high, high) : high;
        e->has_data = true;
    }
    if (type->has_lb) {
        int64_t low = add(own.low, displacement);
        e->extent.low = e->has_lb ? lower(e->extent.low, low) : low;
        e->has_lb = true;
    }
    if (type->has_ub) {
        int64_t high = add(own.high, displacement);
        e->extent.high = e->has_ub ? higher(e->extent.high, high) : high;
        e->has_ub = true;
    }
}

static void set_bounds(struct ork_type *type, const struct entries *e)
{
    type->data = e->data;
    type->has_lb = e->has_lb;
    type->has_ub = e->has_ub;
    type->lb = e->extent.low;
    type->ub = e->extent.high;
    set_natural_bounds(type);
}

/* ---- constructors ---- */

static bool add_layout(struct ork_byteset *set, const struct ork_type *type, int64_t displacement,
                       int64_t length, int64_t count, int64_t stride)
{
    struct ork_byteset block = {0};
    bool done = type->has_layout &&
                ork_byteset_add(&block, &type->layout, 0, length, ork_type_extent(type)) &&
                ork_byteset_add(set, &block, displacement, count, stride);

    ork_byteset_reset(&block);
    return done;
}

struct ork_type *ork_type_vector(int64_t count, int64_t length, int64_t stride,
                                 struct ork_type *old)
{
    struct ork_type *type = count < 0 || length < 0 ? NULL : allocate();
    struct entries e = {0};

    if (type == NULL)
        return NULL;
    struct ork_part part = {(uint64_t)count * (uint64_t)length, old->sequence};
    type->sequence = length > 0 && count > INT64_MAX / length
                         ? ork_sequence_unknown(part.count * old->sequence->bytes)
                         : ork_sequence_of_parts(&part, 1);
    if (type->sequence == NULL) {
        ork_type_unref(type);
        return NULL;
    }
    if (count > 0 && length > 0) {
        type->alignment = old->alignment;
        include(&e, old, 0, length, count, stride);
        set_layout(type, add_layout(&type->layout, old, 0, length, count, stride));
    }
    set_bounds(type, &e);
    return type;
}

static struct ork_sequence *sequence_of_blocks(const struct ork_block *block, size_t n)
{
    struct ork_part *part = calloc(n + 1, sizeof(*part));

    if (part == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        part[i] = (struct ork_part){(uint64_t)block[i].length, block[i].type->sequence};
    struct ork_sequence *sequence = ork_sequence_of_parts(part, n);
    free(part);
    return sequence;
}

struct ork_type *ork_type_of_blocks(const struct ork_block *block, size_t n)
{
    struct entries e = {0};
    bool has_layout = true;

    for (size_t i = 0; i < n; i++) {
        if (block[i].length < 0)
            return NULL;
    }
    struct ork_type *type = allocate();
    if (type == NULL)
        return NULL;
    type->sequence = sequence_of_blocks(block, n);
    if (type->sequence == NULL) {
        ork_type_unref(type);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const struct ork_block *b = &block[i];
        if (b->length == 0)
            continue;
        include(&e, b->type, b->displacement, b->length, 1, 0);
        type->alignment =
            b->type->alignment > type->alignment ? b->type->alignment : type->alignment;
        has_layout =
            has_layout && add_layout(&type->layout, b->type, b->displacement, b->length, 1, 0);
    }
    set_layout(type, has_layout);
    set_bounds(type, &e);
    return type;
}

struct ork_type *ork_type_resized(int64_t lb, int64_t extent, struct ork_type *old)
{
    struct ork_block block = {1, 0, old};
    struct ork_type *type = ork_type_of_blocks(&block, 1);

    if (type == NULL)
        return NULL;
    type->has_lb = type->has_ub = true;
    type->lb = lb;
    type->ub = add(lb, extent);
    return type;
}

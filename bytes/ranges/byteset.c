/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/ranges/byteset.h"

#include "common/vec.h"
#include "bytes/ranges/nest.h"

#include <stdlib.h>
#include <string.h>

/* A pattern that was found may use half of the loops: the others remain for further copies. */
enum { PATTERN_DIMS = ORK_RUN_DIMS / 2 };

void ork_byteset_reset(struct ork_byteset *set)
{
    free(set->run);
    free(set->dim);
    *set = (struct ork_byteset){0};
}

void ork_byteset_clear(struct ork_byteset *set)
{
    *set = (struct ork_byteset){
        .run = set->run, .run_room = set->run_room, .dim = set->dim, .dim_room = set->dim_room};
}

static void load(const struct ork_byteset *set, const struct ork_run *run, struct ork_nest *nest)
{
    nest->low = run->low;
    nest->length = run->length;
    nest->num_dims = run->num_dims;
    if (run->num_dims > 0)
        memcpy(nest->dim, set->dim + run->dim, run->num_dims * sizeof(*nest->dim));
}

/* Replace a run. Its loops go to the end of dim[], unless there is room at their present place. */
static bool store(struct ork_byteset *set, struct ork_run *run, const struct ork_nest *nest)
{
    if (nest->num_dims > ORK_RUN_DIMS)
        return false;
    if (nest->num_dims > run->num_dims) {
        if (!ork_vec_reserve(&set->dim, &set->dim_room, set->num_dims + nest->num_dims,
                             sizeof(*set->dim)))
            return false;
        run->dim = set->num_dims;
        set->num_dims += nest->num_dims;
    }
    run->low = nest->low;
    run->high = nest->low + ork_nest_width(nest);
    run->length = nest->length;
    run->num_dims = nest->num_dims;
    if (nest->num_dims > 0)
        memcpy(set->dim + run->dim, nest->dim, nest->num_dims * sizeof(*nest->dim));
    return true;
}

static bool are_equal(const struct ork_dim *a, const struct ork_dim *b, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (a[k].stride != b[k].stride || a[k].count != b[k].count)
            return false;
    return true;
}

/* ---- merging of what is added with the last run ---- */

/* The same loops, and the block continues the last one's. */
static bool merge_block(struct ork_byteset *set, const struct ork_nest *nest)
{
    struct ork_run *last = &set->run[set->num_runs - 1];
    struct ork_nest merged;

    if (last->num_dims != nest->num_dims || nest->low != last->low + last->length ||
        !are_equal(set->dim + last->dim, nest->dim, nest->num_dims))
        return false;
    load(set, last, &merged);
    merged.length += nest->length;
    return store(set, last, &merged);
}

/* The last run has one loop more, and this is its next copy. */
static bool merge_copy(struct ork_byteset *set, const struct ork_nest *nest)
{
    struct ork_run *last = &set->run[set->num_runs - 1];
    struct ork_dim *dim = set->dim + last->dim;

    if (last->num_dims != nest->num_dims + 1 || last->length != nest->length)
        return false;
    for (uint32_t k = 0; k < last->num_dims; k++) {
        if (dim[k].count == 1 || nest->low != last->low + dim[k].stride * dim[k].count ||
            !are_equal(dim, nest->dim, k) ||
            !are_equal(dim + k + 1, nest->dim + k, last->num_dims - k - 1))
            continue;
        if (k + 1 < last->num_dims && dim[k + 1].stride == dim[k].stride * (dim[k].count + 1))
            return false; /* the two loops would have to be merged */
        dim[k].count++;
        last->high += dim[k].stride;
        return true;
    }
    return false;
}

/* The third of three equal ones at equal distances. RATIONALE: two of them say nothing about a
 * pattern, and one run with distant copies is found near more bytes than two runs. */
static bool merge_third(struct ork_byteset *set, const struct ork_nest *nest)
{
    const struct ork_run *first, *second;
    struct ork_nest merged;

    if (set->num_runs < 2 || nest->num_dims >= PATTERN_DIMS)
        return false;
    first = &set->run[set->num_runs - 2];
    second = &set->run[set->num_runs - 1];
    if (nest->low - second->low != second->low - first->low || nest->low == second->low ||
        first->length != nest->length || second->length != nest->length ||
        first->num_dims != nest->num_dims || second->num_dims != nest->num_dims ||
        !are_equal(set->dim + first->dim, nest->dim, nest->num_dims) ||
        !are_equal(set->dim + second->dim, nest->dim, nest->num_dims))
        return false;
    load(set, first, &merged);
    if (!ork_nest_repeat(&merged, 3, nest->low - second->low) ||
        !store(set, &set->run[set->num_runs - 2], &merged))
        return false;
    set->num_runs--;
    return true;
}

static bool append(struct ork_byteset *set, const struct ork_nest *nest)
{
    struct ork_run *run;

    if (set->num_runs > 0 &&
        (merge_block(set, nest) || merge_copy(set, nest) || merge_third(set, nest)))
        return true;
    if (set->num_runs == ORK_BYTESET_RUNS ||
        !ork_vec_reserve(&set->run, &set->run_room, set->num_runs + 1, sizeof(*set->run)))
        return false;
    run = &set->run[set->num_runs];
    *run = (struct ork_run){0};
    if (!store(set, run, nest))
        return false;
    set->num_runs++;
    return true;
}

/* As append(), and keep the set's bounds. */
static bool add_run(struct ork_byteset *set, const struct ork_nest *nest)
{
    int64_t high = nest->low + ork_nest_width(nest);
    bool is_first = set->num_runs == 0;

    if (is_first || nest->low < set->low)
        set->low = nest->low;
    if (is_first || high > set->high)
        set->high = high;
    return append(set, nest);
}

static bool add_size(struct ork_byteset *set, int64_t size, int64_t count)
{
    return !__builtin_mul_overflow(size, count, &size) &&
           !__builtin_add_overflow(set->size, size, &set->size) && set->size <= ORK_OFFSET_LIMIT;
}

bool ork_byteset_add_block(struct ork_byteset *set, int64_t offset, int64_t length)
{
    struct ork_nest nest = {.low = offset, .length = length};

    if (length <= 0)
        return length == 0;
    return offset >= -ORK_OFFSET_LIMIT && offset <= ORK_OFFSET_LIMIT &&
           length <= ORK_OFFSET_LIMIT - offset && add_size(set, length, 1) && add_run(set, &nest);
}

/* All runs of another set, each with its copies. */
static bool add_runs(struct ork_byteset *set, const struct ork_byteset *other, int64_t offset,
                     int64_t count, int64_t stride)
{
    struct ork_nest nest;

    for (uint32_t i = 0; i < other->num_runs; i++) {
        load(other, &other->run[i], &nest);
        nest.low += offset;
        if (nest.low < -ORK_OFFSET_LIMIT || nest.low > ORK_OFFSET_LIMIT - ork_nest_width(&nest) ||
            !ork_nest_repeat(&nest, count, stride) || !add_run(set, &nest))
            return false;
    }
    return true;
}

/* RATIONALE: copies at the same place add no bytes. Two of them are in the set, because that shows
 * that bytes occur more than once; more of them are only counted. */
bool ork_byteset_add(struct ork_byteset *set, const struct ork_byteset *other, int64_t offset,
                     int64_t count, int64_t stride)
{
    if (count <= 0 || other->num_runs == 0)
        return count >= 0;
    if (offset < -ORK_OFFSET_LIMIT || offset > ORK_OFFSET_LIMIT ||
        !add_size(set, other->size, count))
        return false;
    if (stride == 0 && count > 1)
        return add_runs(set, other, offset, 1, 0) && add_runs(set, other, offset, 1, 0);
    return add_runs(set, other, offset, count, stride);
}

bool ork_byteset_repeat(struct ork_byteset *set, int64_t count, int64_t stride)
{
    struct ork_byteset copies = {0};
    bool ok = ork_byteset_add(&copies, set, 0, count, stride);

    ork_byteset_reset(set);
    *set = copies;
    return ok;
}

bool ork_byteset_shift(struct ork_byteset *set, int64_t offset)
{
    if (offset < -ORK_OFFSET_LIMIT || offset > ORK_OFFSET_LIMIT ||
        set->low + offset < -ORK_OFFSET_LIMIT || set->high + offset > ORK_OFFSET_LIMIT)
        return false;
    for (uint32_t i = 0; i < set->num_runs; i++) {
        set->run[i].low += offset;
        set->run[i].high += offset;
        set->run[i].reach += offset;
    }
    if (set->num_runs > 0) {
        set->low += offset;
        set->high += offset;
    }
    return true;
}

/* ---- sorting ---- */

static int compare_runs(const void *a, const void *b)
{
    const struct ork_run *x = a, *y = b;

    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high < y->high ? -1 : x->high > y->high;
}

/* Sort them, and add them again: neighbours may be merged now. */
static bool sort(struct ork_byteset *set)
{
    struct ork_byteset sorted = {0};
    struct ork_nest nest;
    bool ok = true;

    qsort(set->run, set->num_runs, sizeof(*set->run), compare_runs);
    for (uint32_t i = 0; i < set->num_runs && ok; i++) {
        load(set, &set->run[i], &nest);
        ok = append(&sorted, &nest);
    }
    if (!ok) {
        ork_byteset_reset(&sorted);
        return false;
    }
    free(set->run);
    free(set->dim);
    set->run = sorted.run;
    set->dim = sorted.dim;
    set->num_runs = sorted.num_runs;
    set->run_room = sorted.run_room;
    set->num_dims = sorted.num_dims;
    set->dim_room = sorted.dim_room;
    return true;
}

bool ork_byteset_finish(struct ork_byteset *set)
{
    bool is_ascending = true;

    for (uint32_t i = 1; i < set->num_runs; i++)
        is_ascending &= set->run[i - 1].low <= set->run[i].low;
    if (!is_ascending && !sort(set))
        return false;
    for (uint32_t i = 0; i < set->num_runs; i++) {
        struct ork_run *run = &set->run[i];
        run->reach = run->high;
        if (i > 0 && run[-1].reach > run->reach)
            run->reach = run[-1].reach;
    }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/ranges/nest.h"

#include "common/lower_bound.h"

#include <string.h>

/* Steps of a search: a number, and some for each run. */
enum { STEPS = 4096, STEPS_PER_RUN = 16 };

/* Moved by `at`, with the copies as a further loop. */
static bool load(const struct ork_span *span, uint32_t i, struct ork_nest *nest)
{
    if (span->set == NULL) {
        *nest = (struct ork_nest){.low = span->low, .length = span->high - span->low};
        return true;
    }
    const struct ork_run *run = &span->set->run[i];
    nest->low = span->at + run->low;
    nest->length = run->length;
    nest->num_dims = run->num_dims;
    if (run->num_dims > 0)
        memcpy(nest->dim, span->set->dim + run->dim, run->num_dims * sizeof(*nest->dim));
    return span->stride == 0 || ork_nest_repeat(nest, span->count, span->stride);
}

bool ork_span_of_layout(struct ork_span *span, const struct ork_byteset *layout, int64_t at,
                        int64_t count, int64_t stride)
{
    int64_t more, low, high;
    struct ork_nest nest;

    *span = (struct ork_span){.low = at, .high = at};
    if (count <= 0 || layout->num_runs == 0)
        return count >= 0;
    if (__builtin_mul_overflow(count - 1, stride, &more) ||
        __builtin_add_overflow(at, more < 0 ? more : 0, &at) ||
        __builtin_add_overflow(at, layout->low, &low) ||
        __builtin_add_overflow(at, layout->high, &high) ||
        __builtin_add_overflow(high, more < 0 ? -more : more, &high) || low < -ORK_OFFSET_LIMIT ||
        high > ORK_OFFSET_LIMIT)
        return false;
    *span = (struct ork_span){.low = low,
                              .high = high,
                              .set = layout,
                              .at = at,
                              .stride = stride < 0 ? -stride : stride,
                              .count = count};
    if (layout->num_runs == 1 && (stride != 0 || count == 1)) {
        if (!load(span, 0, &nest))
            return false;
        if (nest.num_dims == 0)
            *span = ork_span_of_block(nest.low, nest.length);
    }
    return true;
}

static uint32_t num_runs(const struct ork_span *span)
{
    return span->set == NULL ? 1 : span->set->num_runs;
}

/* What the copies add to the end of each run. */
static int64_t extent_of_copies(const struct ork_span *span)
{
    return span->set == NULL ? 0 : (span->count - 1) * span->stride;
}

/* The first run that may have bytes at or above `low`; and is run i of the span below `high`? */
static uint32_t first_run(const struct ork_span *span, int64_t low)
{
    if (span->set == NULL)
        return 0;
    low -= span->at + extent_of_copies(span);
    ORK_LOWER_BOUND(first, num_runs(span), i, span->set->run[i].reach <= low);
    return first;
}

static bool is_below(const struct ork_span *span, uint32_t i, int64_t high)
{
    return i < num_runs(span) && (span->set == NULL || span->at + span->set->run[i].low < high);
}

/* One run against a span, from its run `i` on. */
static enum ork_answer meet_span(const struct ork_nest *nest, const struct ork_span *span,
                                 uint32_t i, int64_t *steps, struct ork_common *common)
{
    int64_t high = nest->low + ork_nest_width(nest);
    enum ork_answer answer = ORK_NO;
    struct ork_nest other;

    for (; is_below(span, i, high); i++) {
        enum ork_answer found =
            load(span, i, &other) ? ork_nests_overlap(nest, &other, steps, common) : ORK_UNDECIDED;
        if (found == ORK_YES)
            return found;
        if (*steps <= 0)
            return ORK_UNDECIDED;
        if (found == ORK_UNDECIDED)
            answer = found;
    }
    return answer;
}

static int64_t steps_for(const struct ork_span *a, const struct ork_span *b)
{
    return STEPS + STEPS_PER_RUN * ((int64_t)num_runs(a) + num_runs(b));
}

enum ork_answer ork_spans_overlap(const struct ork_span *a, const struct ork_span *b,
                                  struct ork_common *common)
{
    enum ork_answer answer = ORK_NO;
    struct ork_nest nest;
    int64_t steps = steps_for(a, b);

    if (ork_span_is_empty(a) || ork_span_is_empty(b) || ork_spans_are_apart(a, b))
        return ORK_NO;
    if (num_runs(a) > num_runs(b)) {
        const struct ork_span *swap = a;
        a = b;
        b = swap;
    }
    for (uint32_t i = first_run(a, b->low); is_below(a, i, b->high); i++) {
        enum ork_answer found = ORK_UNDECIDED;
        if (load(a, i, &nest))
            found = meet_span(&nest, b, first_run(b, nest.low), &steps, common);
        if (found == ORK_YES)
            return found;
        if (steps <= 0)
            return ORK_UNDECIDED;
        if (found == ORK_UNDECIDED)
            answer = found;
    }
    return answer;
}

/* Copies at the same place: all bytes occur more than once. */
static enum ork_answer give_first(const struct ork_span *span, struct ork_common *common)
{
    struct ork_nest nest;

    if (!load(span, 0, &nest))
        return ORK_UNDECIDED;
    *common = (struct ork_common){nest.low, nest.low + nest.length};
    return ORK_YES;
}

enum ork_answer ork_span_repeats(const struct ork_span *span, struct ork_common *common)
{
    enum ork_answer answer = ORK_NO;
    struct ork_nest nest;
    int64_t steps = steps_for(span, span);

    if (ork_span_is_empty(span) || span->set == NULL)
        return ORK_NO;
    if (span->stride == 0 && span->count > 1)
        return give_first(span, common);
    for (uint32_t i = 0; i < num_runs(span); i++) {
        enum ork_answer found = ORK_UNDECIDED, other = ORK_NO;
        if (load(span, i, &nest)) {
            found = ork_nest_repeats(&nest, &steps, common);
            if (found != ORK_YES)
                other = meet_span(&nest, span, i + 1, &steps, common);
        }
        if (found == ORK_YES || other == ORK_YES)
            return ORK_YES;
        if (steps <= 0)
            return ORK_UNDECIDED;
        if (found != ORK_NO || other != ORK_NO)
            answer = ORK_UNDECIDED;
    }
    return answer;
}

/* All blocks of one run: its loops as a counter, the innermost one first. */
static bool visit_run(const struct ork_nest *nest, ork_block_visitor *visitor, void *context)
{
    int64_t at[ORK_NEST_DIMS] = {0};
    int64_t low = nest->low;
    uint32_t k;

    do {
        if (!visitor(context, low, nest->length))
            return false;
        for (k = 0; k < nest->num_dims; k++) {
            low += nest->dim[k].stride;
            if (++at[k] < nest->dim[k].count)
                break;
            low -= nest->dim[k].stride * nest->dim[k].count;
            at[k] = 0;
        }
    } while (k < nest->num_dims);
    return true;
}

bool ork_span_visit(const struct ork_span *span, ork_block_visitor *visitor, void *context)
{
    struct ork_nest nest;

    for (uint32_t i = 0; !ork_span_is_empty(span) && i < num_runs(span); i++)
        if (!load(span, i, &nest) || !visit_run(&nest, visitor, context))
            return false;
    return true;
}

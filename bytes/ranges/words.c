/* SPDX-License-Identifier: BSD-3-Clause */
/* The words: number of runs, copies, stride; for each run its first byte, the length of a block,
 * the number of loops; for each loop stride and count. All but the two numbers are two words each,
 * the low one first. */
#include "bytes/ranges/words.h"

#include <string.h>

/* ---- writing ---- */

struct writer {
    uint32_t *word;
    uint32_t words, room;
};

static void put(struct writer *w, uint32_t value)
{
    if (w->words < w->room)
        w->word[w->words] = value;
    w->words++;
}

static void put_long(struct writer *w, int64_t value)
{
    put(w, (uint32_t)value);
    put(w, (uint32_t)((uint64_t)value >> 32));
}

uint32_t ork_span_to_words(const struct ork_span *span, uint32_t *word, uint32_t room)
{
    const struct ork_byteset *set = span->set;
    struct writer w = {word, 0, room};

    if (set == NULL || set->num_runs > room)
        return 0;
    put(&w, set->num_runs);
    put_long(&w, span->count);
    put_long(&w, span->stride);
    for (uint32_t i = 0; i < set->num_runs; i++) {
        const struct ork_run *run = &set->run[i];
        put_long(&w, run->low - set->low);
        put_long(&w, run->length);
        put(&w, run->num_dims);
        for (uint32_t k = 0; k < run->num_dims; k++) {
            put_long(&w, set->dim[run->dim + k].stride);
            put_long(&w, set->dim[run->dim + k].count);
        }
    }
    return w.words <= room ? w.words : 0;
}

/* ---- reading ---- */

struct reader {
    const uint32_t *word;
    uint32_t next, words;
    bool is_valid;
};

static uint32_t get(struct reader *r)
{
    r->is_valid = r->is_valid && r->next < r->words;
    return r->is_valid ? r->word[r->next++] : 0;
}

static int64_t get_long(struct reader *r)
{
    uint64_t low = get(r), high = get(r);

    return (int64_t)(high << 32 | low);
}

static void read_run(struct reader *r, struct ork_byteset *set, struct ork_byteset *one)
{
    int64_t low = get_long(r), length = get_long(r);
    uint32_t dims = get(r);

    r->is_valid = r->is_valid && low >= 0 && length > 0 && dims <= ORK_RUN_DIMS;
    if (!r->is_valid)
        return;
    ork_byteset_clear(one);
    r->is_valid = ork_byteset_add_block(one, 0, length);
    for (uint32_t k = 0; k < dims && r->is_valid; k++) {
        int64_t stride = get_long(r), count = get_long(r);
        r->is_valid =
            r->is_valid && stride > 0 && count > 0 && ork_byteset_repeat(one, count, stride);
    }
    r->is_valid = r->is_valid && ork_byteset_add(set, one, low, 1, 0);
}

uint32_t ork_pattern_from_words(struct ork_pattern *pattern, const uint32_t *word, uint32_t words)
{
    struct reader r = {word, 0, words, true};
    struct ork_byteset one = {0};
    uint32_t runs = get(&r);

    pattern->count = get_long(&r);
    pattern->stride = get_long(&r);
    r.is_valid = r.is_valid && runs > 0 && pattern->count > 0 && pattern->stride >= 0;
    for (uint32_t i = 0; i < runs && r.is_valid; i++)
        read_run(&r, &pattern->set, &one);
    ork_byteset_reset(&one);
    r.is_valid = r.is_valid && ork_byteset_finish(&pattern->set) && pattern->set.low == 0;
    return r.is_valid ? r.next : 0;
}

bool ork_span_of_pattern(struct ork_span *span, const struct ork_pattern *pattern, int64_t low)
{
    return ork_span_of_layout(span, &pattern->set, low, pattern->count, pattern->stride);
}

bool ork_patterns_are_equal(const struct ork_pattern *a, const struct ork_pattern *b)
{
    const struct ork_byteset *x = &a->set, *y = &b->set;

    return a->count == b->count && a->stride == b->stride && x->num_runs == y->num_runs &&
           x->num_dims == y->num_dims &&
           memcmp(x->run, y->run, x->num_runs * sizeof(*x->run)) == 0 &&
           (x->num_dims == 0 || memcmp(x->dim, y->dim, x->num_dims * sizeof(*x->dim)) == 0);
}

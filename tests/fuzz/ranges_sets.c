/* SPDX-License-Identifier: BSD-3-Clause */
/* Random sets of bytes, built as datatypes are, against arrays with a count for each byte: content,
 * bounds, size, overlap, bytes that occur twice, and the index of live sets. ranges_sets [seed
 * [programs]] */
#include "bytes/ranges/index.h"
#include "bytes/ranges/words.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/wfg_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PROGRAMS = 8000,
    WORLD = 8192,
    MIDDLE = WORLD / 2,
    SETS = 40,
    DEPTH = 4,
    WIDEST = 1200,
    LARGEST = 100000,
    LOOPS = 5,
    WORDS = 4096
};

/* How often a set has each byte, from -MIDDLE. */
struct map {
    uint32_t times[WORLD];
};

struct subject {
    struct ork_byteset set;
    struct map map;
    struct ork_span span;
    struct map bytes; /* of the span */
    uint32_t loops;   /* at most so many: a limit of sets is not what is tested here */
    uint32_t entry;
};

struct totals {
    uint64_t pairs, overlaps, undecided, repeats, undecided_repeats;
};

static struct subject subjects[SETS];
static const struct subject empty;
static struct totals totals;
static uint64_t seed, program;

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "seed %" PRIu64 ", program %" PRIu64 ": %s\n", seed, program, what);
    exit(1);
}

static void expect(bool condition, const char *what)
{
    if (!condition)
        fail(what);
}

/* Add `count` copies of a map. False: they leave the world. */
static bool add_map(struct map *to, const struct map *from, int64_t offset, int64_t count,
                    int64_t stride)
{
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < WORLD; i++) {
            int64_t at = i + offset + c * stride;
            if (from->times[i] == 0)
                continue;
            if (at < 0 || at >= WORLD)
                return false;
            to->times[at] += from->times[i];
        }
    return true;
}

static int64_t between(struct wfg_random *r, int64_t low, int64_t high)
{
    return low + wfg_random_below(r, (uint32_t)(high - low + 1));
}

static const int64_t strides[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256};

static int64_t random_stride(struct wfg_random *r)
{
    int64_t stride =
        wfg_random_percent(r, 60) ? strides[wfg_random_below(r, 15)] : between(r, 0, 100);

    return wfg_random_percent(r, 15) ? -stride : stride;
}

/* One step of a constructor: a block, copies of the set, or copies of another set. */
static bool grow(struct wfg_random *r, struct subject *s, const struct subject *other)
{
    int64_t offset = between(r, -40, 40), count = between(r, 0, 6), stride = random_stride(r);
    struct map map = s->map;

    switch (s->loops == LOOPS || other->loops == LOOPS ? 0 : wfg_random_below(r, 3)) {
    case 0:
        expect(ork_byteset_add_block(&s->set, offset, count), "add_block");
        for (int64_t i = 0; i < count; i++)
            s->map.times[MIDDLE + offset + i]++;
        return true;
    case 1:
        memset(&map, 0, sizeof(map));
        if (!add_map(&map, &s->map, 0, count, stride))
            return false;
        expect(ork_byteset_repeat(&s->set, count, stride), "repeat");
        s->loops++;
        break;
    default:
        if (!add_map(&map, &other->map, offset, count, stride))
            return false;
        expect(ork_byteset_add(&s->set, &other->set, offset, count, stride), "add");
        s->loops = s->loops > other->loops ? s->loops : other->loops + 1;
        break;
    }
    s->map = map;
    return true;
}

static void check_bounds(const struct subject *s)
{
    int64_t low = 0, high = 0, size = 0;

    for (int64_t i = WORLD; i-- > 0;)
        low = s->map.times[i] != 0 ? i - MIDDLE : low;
    for (int64_t i = 0; i < WORLD; i++) {
        high = s->map.times[i] != 0 ? i + 1 - MIDDLE : high;
        size += s->map.times[i];
    }
    expect(s->set.low == low && s->set.high == high, "bounds");
    expect(s->set.size == size, "size");
}

/* Each byte by itself. */
static void check_content(const struct subject *s)
{
    struct ork_common common;

    for (int64_t at = s->span.low - 2; at < s->span.high + 2; at++) {
        struct ork_span byte = ork_span_of_block(at, 1);
        enum ork_answer answer = ork_spans_overlap(&s->span, &byte, &common);
        bool has = at >= -MIDDLE && at < MIDDLE && s->bytes.times[at + MIDDLE] != 0;
        expect(answer == ORK_UNDECIDED || (answer == ORK_YES) == has, "content");
        expect(answer != ORK_YES || (common.low == at && common.high == at + 1), "common byte");
    }
}

/* Repeated bytes are visited several times; of copies at the same place, two are enough. */
static bool count_block(void *context, int64_t low, int64_t length)
{
    struct map *visited = context;

    for (int64_t at = low; at < low + length; at++)
        visited->times[at + MIDDLE]++;
    return true;
}

static void check_blocks(const struct subject *s)
{
    static struct map visited;

    memset(&visited, 0, sizeof(visited));
    expect(ork_span_visit(&s->span, count_block, &visited), "blocks");
    for (int64_t i = 0; i < WORLD; i++) {
        expect((visited.times[i] != 0) == (s->bytes.times[i] != 0), "bytes of the blocks");
        expect(visited.times[i] <= s->bytes.times[i], "blocks that are visited too often");
    }
}

/* Written as words and read again, it has the same bytes; a part of the words is invalid, and any
 * other words are at least harmless. */
static void check_words(struct wfg_random *r, const struct subject *s)
{
    static struct map visited;
    static uint32_t word[WORDS];
    struct ork_pattern pattern = {0}, part = {0}, other = {0};
    struct ork_span span;
    uint32_t words = ork_span_to_words(&s->span, word, WORDS);

    expect(words > 0 || s->span.set == NULL || s->set.num_runs > WORDS / 64, "words");
    if (words == 0)
        return;
    memset(&visited, 0, sizeof(visited));
    expect(ork_span_to_words(&s->span, word, words - 1) == 0, "too little room");
    ork_span_to_words(&s->span, word, words);
    expect(ork_pattern_from_words(&pattern, word, words) == words, "words that are read");
    expect(ork_span_of_pattern(&span, &pattern, s->span.low), "span of words");
    expect(ork_span_visit(&span, count_block, &visited), "blocks of words");
    for (int64_t i = 0; i < WORLD; i++)
        expect((visited.times[i] != 0) == (s->bytes.times[i] != 0), "bytes of words");
    uint32_t fewer = wfg_random_below(r, words);
    expect(ork_pattern_from_words(&part, word, fewer) == 0, "a part of the words");
    word[wfg_random_below(r, words)] = (uint32_t)between(r, -3, 70);
    ork_pattern_from_words(&other, word, words);
    expect(ork_patterns_are_equal(&pattern, &pattern), "equal to itself");
    ork_byteset_reset(&pattern.set);
    ork_byteset_reset(&part.set);
    ork_byteset_reset(&other.set);
}

static void check_repeats(const struct subject *s)
{
    struct ork_common common = {0, 0};
    enum ork_answer answer = ork_span_repeats(&s->span, &common);
    bool has = false;

    for (int64_t i = 0; i < WORLD; i++)
        has |= s->bytes.times[i] > 1;
    totals.repeats += has;
    totals.undecided_repeats += answer == ORK_UNDECIDED;
    expect(answer == ORK_UNDECIDED || (answer == ORK_YES) == has, "repeats");
    for (int64_t at = common.low; answer == ORK_YES && at < common.high; at++)
        expect(s->bytes.times[at + MIDDLE] > 1, "bytes that occur twice");
}

static void check_overlap(const struct subject *a, const struct subject *b)
{
    struct ork_common common = {0, 0};
    enum ork_answer answer = ork_spans_overlap(&a->span, &b->span, &common);
    bool has = false;

    for (int64_t i = 0; i < WORLD && !has; i++)
        has = a->bytes.times[i] != 0 && b->bytes.times[i] != 0;
    totals.pairs++;
    totals.overlaps += has;
    totals.undecided += answer == ORK_UNDECIDED;
    expect(answer == ORK_UNDECIDED || (answer == ORK_YES) == has, "overlap");
    expect(answer != ORK_YES || common.low < common.high, "no common byte");
    for (int64_t at = common.low; answer == ORK_YES && at < common.high; at++)
        expect(a->bytes.times[at + MIDDLE] != 0 && b->bytes.times[at + MIDDLE] != 0, "common");
}

static void make(struct wfg_random *r, struct subject *s, const struct subject *other)
{
    int64_t at, count = between(r, 1, 4), stride = random_stride(r);

    memset(s, 0, sizeof(*s));
    for (uint32_t step = 1 + wfg_random_below(r, DEPTH); step > 0; step--) {
        if (s->set.high - s->set.low > WIDEST || s->set.size > LARGEST)
            break;
        grow(r, s, other);
    }
    expect(ork_byteset_finish(&s->set), "finish");
    check_bounds(s);
    at = between(r, -300, 300);
    if (!add_map(&s->bytes, &s->map, at, count, stride)) {
        memset(&s->bytes, 0, sizeof(s->bytes));
        add_map(&s->bytes, &s->map, at = 0, count = 1, stride);
    }
    expect(ork_span_of_layout(&s->span, &s->set, at, count, stride), "span");
}

/* ---- the index ---- */

struct visited {
    bool seen[SETS];
};

static bool see(void *context, const struct ork_index_entry *entry, const struct ork_common *common)
{
    struct visited *v = context;

    expect(common->low < common->high, "empty common bytes");
    expect(!v->seen[entry->payload], "visited twice");
    v->seen[entry->payload] = true;
    return true;
}

static void check_index(const struct ork_index *index, const struct ork_span *span, uint32_t kinds)
{
    struct visited v = {{false}};
    struct ork_common common;
    bool any = false, doubt = false;
    enum ork_answer answer = ork_index_visit(index, span, kinds, see, &v);

    for (uint64_t i = 0; i < SETS; i++) {
        const struct subject *s = &subjects[i];
        enum ork_answer expected = ORK_NO;
        if (s->entry != ORK_INDEX_NONE && (index->entry[s->entry].kinds & kinds) != 0)
            expected = ork_spans_overlap(span, &s->span, &common);
        expect(v.seen[i] == (expected == ORK_YES), "index");
        any |= expected == ORK_YES;
        doubt |= expected == ORK_UNDECIDED;
    }
    expect(answer == (any ? ORK_YES : doubt ? ORK_UNDECIDED : ORK_NO), "answer of the index");
}

static void run_index(struct wfg_random *r)
{
    struct ork_index index;

    ork_index_init(&index);
    for (int step = 0; step < 4 * SETS; step++) {
        uint32_t i = wfg_random_below(r, SETS);
        struct subject *s = &subjects[i];
        /* Mostly full in the first half, then mostly empty. */
        bool fill = wfg_random_percent(r, step < 2 * SETS ? 80 : 20);
        if (fill && s->entry == ORK_INDEX_NONE && !ork_span_is_empty(&s->span))
            s->entry = ork_index_insert(&index, &s->span, 1u << wfg_random_below(r, 2), i);
        else if (!fill && s->entry != ORK_INDEX_NONE) {
            ork_index_remove(&index, s->entry);
            s->entry = ORK_INDEX_NONE;
        }
        const struct ork_span *span = &subjects[wfg_random_below(r, SETS)].span;
        check_index(&index, span, 1 + wfg_random_below(r, 3));
    }
    ork_index_reset(&index);
}

/* ---- two vectors, which are always decided ---- */

struct vector {
    int64_t at, length, count, stride;
};

static struct vector random_vector(struct wfg_random *r)
{
    int64_t length = between(r, 1, 12);

    return (struct vector){.at = between(r, -2000, 2000),
                           .length = length,
                           .count = between(r, 1, 120),
                           .stride = length + between(r, 0, wfg_random_percent(r, 50) ? 30 : 900)};
}

static bool have_common_byte(const struct vector *a, const struct vector *b)
{
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t j = 0; j < b->count; j++) {
            int64_t apart = a->at + i * a->stride - b->at - j * b->stride;
            if (apart > -a->length && apart < b->length)
                return true;
        }
    return false;
}

static void check_vectors(struct wfg_random *r)
{
    struct vector v[2] = {random_vector(r), random_vector(r)};
    struct ork_byteset set[2] = {{0}, {0}};
    struct ork_span span[2];
    struct ork_common common;
    bool has = have_common_byte(&v[0], &v[1]);

    for (int i = 0; i < 2; i++) {
        expect(ork_byteset_add_block(&set[i], 0, v[i].length), "block of a vector");
        expect(ork_byteset_repeat(&set[i], v[i].count, v[i].stride), "blocks of a vector");
        expect(ork_byteset_finish(&set[i]), "vector");
        expect(ork_span_of_layout(&span[i], &set[i], v[i].at, 1, 0), "span of a vector");
    }
    expect(ork_spans_overlap(&span[0], &span[1], &common) == (has ? ORK_YES : ORK_NO), "vectors");
    ork_byteset_reset(&set[0]);
    ork_byteset_reset(&set[1]);
}

static void run_program(struct wfg_random *r)
{
    for (int i = 0; i < SETS; i++) {
        make(r, &subjects[i], i > 0 ? &subjects[wfg_random_below(r, (uint32_t)i)] : &empty);
        subjects[i].entry = ORK_INDEX_NONE;
        check_content(&subjects[i]);
        check_blocks(&subjects[i]);
        check_words(r, &subjects[i]);
        check_repeats(&subjects[i]);
        for (int k = 0; k < 4; k++)
            check_overlap(&subjects[i], &subjects[wfg_random_below(r, (uint32_t)i + 1)]);
    }
    run_index(r);
    for (int i = 0; i < SETS; i++)
        check_vectors(r);
    for (int i = 0; i < SETS; i++)
        ork_byteset_reset(&subjects[i].set);
}

int main(int argc, char **argv)
{
    seed = wfg_random_argument(argc, argv, 1, 12345);
    uint64_t programs = wfg_random_argument(argc, argv, 2, PROGRAMS) / SETS;

    for (program = 0; program < (programs = within_budget(program, programs)); program++) {
        struct wfg_random r = {seed + program * 1000003};
        run_program(&r);
    }
    printf("%" PRIu64 " sets, %" PRIu64 " with a byte twice (%" PRIu64 " undecided); %" PRIu64
           " pairs, %" PRIu64 " overlap, %" PRIu64 " undecided\n",
           programs * SETS, totals.repeats, totals.undecided_repeats, totals.pairs, totals.overlaps,
           totals.undecided);
    /* What is undecided must be rare, and the test must see both answers often. */
    expect(totals.undecided * 200 <= totals.pairs, "too many undecided pairs");
    expect(totals.undecided_repeats * 200 <= programs * SETS, "too many undecided sets");
    expect(totals.overlaps * 10 >= totals.pairs, "too few pairs overlap");
    expect(totals.overlaps * 10 <= totals.pairs * 9, "too few pairs are apart");
    return 0;
}

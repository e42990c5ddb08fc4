/* SPDX-License-Identifier: BSD-3-Clause */
/* Random datatypes, nested in each other: sequence, bounds and bytes against the expanded type map,
 * and comparisons against element by element. datatype_types [seed [types]] */
#include "tests/fuzz/budget.h"
#include "tests/fuzz/datatype_expanded.h"
#include "tests/fuzz/wfg_random.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TYPES = 6000, POOL = 24, ENTRIES_MAX = 400, DIMENSIONS_MAX = 3, BLOCKS_MAX = 4 };

struct pair {
    struct ork_type *type;
    struct expanded map;
};

struct totals {
    uint64_t types, elements, repeats, undecided, compared, matched, alike, longer;
};

static int64_t between(struct wfg_random *r, int64_t low, int64_t high)
{
    return low + (int64_t)wfg_random_below(r, (uint32_t)(high - low + 1));
}

static struct pair basic(struct wfg_random *r)
{
    static const struct {
        enum ork_basic basic;
        uint32_t size;
    } of[] = {{ORK_BASIC_MPI_INT, 4},     {ORK_BASIC_MPI_DOUBLE, 8},  {ORK_BASIC_MPI_CHAR, 1},
              {ORK_BASIC_MPI_LONG, 8},    {ORK_BASIC_MPI_INT64_T, 8}, {ORK_BASIC_MPI_BYTE, 1},
              {ORK_BASIC_MPI_INTEGER, 4}, {ORK_BASIC_MPI_COMPLEX, 8}};
    uint32_t k = wfg_random_below(r, wfg_random_percent(r, 70) ? 2 : sizeof(of) / sizeof(*of));
    uint32_t id = ork_type_id_of_basic(of[k].basic, of[k].size);
    struct pair p = {.type = ork_type_of_basic(id)};

    expanded_add(&p.map, id, 0);
    return p;
}

static struct pair vector(struct wfg_random *r, const struct pair *old)
{
    int64_t count = between(r, 0, 3);
    int64_t length = between(r, 0, 3);
    int64_t extent = ork_type_extent(old->type);
    int64_t stride = wfg_random_percent(r, 50) ? between(r, -3, 5) * extent : between(r, -40, 40);
    struct pair p = {.type = ork_type_vector(count, length, stride, old->type)};

    for (int64_t i = 0; i < count; i++)
        expanded_add_copies(&p.map, &old->map, length, i * stride);
    return p;
}

static struct pair blocks(struct wfg_random *r, const struct pair *pool, uint32_t num,
                          bool one_type)
{
    struct ork_block block[BLOCKS_MAX];
    size_t n = wfg_random_below(r, BLOCKS_MAX + 1);
    const struct pair *old = &pool[wfg_random_below(r, num)];
    struct pair p = {0};

    for (size_t i = 0; i < n; i++) {
        if (!one_type)
            old = &pool[wfg_random_below(r, num)];
        block[i] = (struct ork_block){between(r, 0, 3), between(r, -50, 100), old->type};
        expanded_add_copies(&p.map, &old->map, block[i].length, block[i].displacement);
    }
    p.type = ork_type_of_blocks(block, n);
    return p;
}

static struct pair resized(struct wfg_random *r, const struct pair *old)
{
    int64_t lb = between(r, -20, 20);
    int64_t extent = between(r, -10, 60);
    struct pair p = {.type = ork_type_resized(lb, extent, old->type)};

    expanded_add_copies(&p.map, &old->map, 1, 0);
    expanded_resize(&p.map, lb, extent);
    return p;
}

static bool is_selected(const struct ork_dimension *d, int64_t i)
{
    if (d->distribution == ORK_CYCLIC)
        return i / d->block % d->processes == d->process;
    return i >= d->start && i < d->start + d->count;
}

static struct pair array(struct wfg_random *r, const struct pair *old, bool distributed)
{
    struct ork_dimension d[DIMENSIONS_MAX];
    size_t n = 1 + wfg_random_below(r, DIMENSIONS_MAX);
    int64_t extent = ork_type_extent(old->type);
    int64_t total = 1;
    struct pair p = {0};

    for (size_t i = 0; i < n; i++) {
        d[i] = (struct ork_dimension){.size = between(r, 1, 5)};
        total *= d[i].size;
        d[i].start = between(r, 0, d[i].size - 1);
        d[i].count = between(r, 1, d[i].size - d[i].start);
        d[i].block = between(r, 1, 3);
        d[i].processes = between(r, 1, 3);
        d[i].process = between(r, 0, d[i].processes - 1);
        d[i].distribution = distributed ? ORK_CYCLIC : ORK_UNDISTRIBUTED;
    }
    for (int64_t at = 0; at < total; at++) {
        bool selected = true;
        int64_t rest = at;
        for (size_t i = 0; i < n; i++) {
            selected &= is_selected(&d[i], rest % d[i].size);
            rest /= d[i].size;
        }
        if (selected)
            expanded_add_copies(&p.map, &old->map, 1, at * extent);
    }
    expanded_resize(&p.map, 0, total * extent);
    p.type = ork_type_array(d, n, old->type);
    return p;
}

static struct pair random_type(struct wfg_random *r, const struct pair *pool, uint32_t num)
{
    const struct pair *old = &pool[wfg_random_below(r, num)];

    switch (wfg_random_below(r, 8)) {
    case 0:
        return basic(r);
    case 1:
    case 2:
        return vector(r, old);
    case 3:
        return resized(r, old);
    case 4:
        return array(r, old, false);
    case 5:
        return array(r, old, true);
    default:
        return blocks(r, pool, num, wfg_random_percent(r, 50));
    }
}

static void fail(const char *what, uint64_t number)
{
    printf("type %" PRIu64 ": %s is wrong\n", number, what);
    exit(1);
}

static void check(const struct pair *p, uint64_t number, struct totals *t)
{
    const struct ork_type *type = p->type;
    struct ork_type_bounds data = {0};
    bool has_data = expanded_data(&p->map, &data);
    size_t length = expanded_length(&p->map);
    uint32_t *ids = expanded_sequence(&p->map, 1);
    struct ork_items one = {1, type->sequence};

    t->types++;
    t->elements += length;
    if (type->lb != expanded_lb(&p->map))
        fail("lb", number);
    if (type->ub != expanded_ub(&p->map))
        fail("ub", number);
    if (has_data != ork_type_has_data(type) ||
        (has_data && (data.low != type->data.low || data.high != type->data.high)))
        fail("true extent", number);
    if (type->sequence->signature.unknown || type->sequence->signature.length != length)
        fail("length", number);
    uint64_t bytes = 0;
    for (size_t i = 0; i < length; i++) {
        bytes += ork_basic_size_of_id(ids[i]);
        if (ork_items_at(&one, i) != ids[i])
            fail("an element", number);
    }
    if (bytes != type->sequence->bytes || !type->has_layout || (uint64_t)type->layout.size != bytes)
        fail("size", number);
    free(ids);
    struct ork_span span;
    struct ork_common common;
    if (!has_data || !ork_span_of_layout(&span, &type->layout, 0, 1, 0))
        return;
    if (span.low != data.low || span.high != data.high)
        fail("the layout", number);
    enum ork_answer answer = ork_span_repeats(&span, &common);
    t->undecided += answer == ORK_UNDECIDED;
    t->repeats += answer == ORK_YES;
    if (answer != ORK_UNDECIDED && (answer == ORK_YES) != expanded_repeats(&p->map))
        fail("the overlap of its entries", number);
}

static uint32_t kind_of(uint32_t id)
{
    uint32_t size = ork_basic_size_of_id(id);

    return size == 1 ? 1 : (uint32_t)ork_basic_kind(ork_basic_of_id(id)) << 8 | size;
}

/* Element by element. */
static struct ork_comparison naive(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
    struct ork_comparison c = {.is_longer = na > nb, .is_shorter = na < nb};
    size_t n = na < nb ? na : nb;
    unsigned languages = 0;

    for (size_t i = n; i-- > 0;) {
        languages |= ork_basic_languages(ork_basic_of_id(a[i]));
        languages |= ork_basic_languages(ork_basic_of_id(b[i]));
        if (a[i] == b[i])
            continue;
        bool differs = kind_of(a[i]) != kind_of(b[i]);
        if (differs || c.match != ORK_TYPES_DIFFER) {
            c.match = differs ? ORK_TYPES_DIFFER : ORK_TYPES_ALIKE;
            c.first = i;
        }
    }
    if (c.match == ORK_TYPES_ALIKE && (languages & (languages - 1)) != 0)
        c = (struct ork_comparison){.is_longer = c.is_longer, .is_shorter = c.is_shorter};
    return c;
}

/* The same elements in another shape, and perhaps some more. */
static struct ork_type *reshape(struct wfg_random *r, const uint32_t *ids, size_t n)
{
    struct ork_block *block = calloc(n + 2, sizeof(*block));
    size_t num = 0;

    if (block == NULL)
        abort();
    for (size_t i = 0; i < n; i++)
        block[num++] = (struct ork_block){1, 16 * (int64_t)i, ork_type_of_basic(ids[i])};
    if (num > 1 && wfg_random_percent(r, 40)) { /* the first ones are a type of their own */
        size_t cut = 1 + wfg_random_below(r, (uint32_t)num - 1);
        struct ork_type *begin = ork_type_of_blocks(block, cut);
        for (size_t i = 0; i < cut; i++)
            ork_type_unref(block[i].type);
        memmove(block + 1, block + cut, (num - cut) * sizeof(*block));
        block[0] = (struct ork_block){1, 0, begin};
        num -= cut - 1;
    }
    struct ork_type *type = ork_type_of_blocks(block, num);
    for (size_t i = 0; i < num; i++)
        ork_type_unref(block[i].type);
    free(block);
    return type;
}

static void compare(struct wfg_random *r, const struct pair *a, const struct pair *b,
                    struct totals *t)
{
    size_t na = wfg_random_below(r, 4), nb = wfg_random_below(r, 4);
    uint32_t *x = expanded_sequence(&a->map, na);
    uint32_t *y = expanded_sequence(&b->map, nb);
    size_t nx = na * expanded_length(&a->map), ny = nb * expanded_length(&b->map);
    struct ork_type *shaped = NULL;
    struct ork_items sent = {na, a->type->sequence};
    struct ork_items received = {nb, b->type->sequence};

    if (wfg_random_percent(r, 50) && nx > 0) {
        free(y);
        ny = 1 + wfg_random_below(r, (uint32_t)nx);
        y = calloc(ny, sizeof(*y));
        if (y == NULL)
            abort();
        memcpy(y, x, ny * sizeof(*y));
        if (wfg_random_percent(r, 30))
            y[wfg_random_below(r, (uint32_t)ny)] = ork_type_id_of_basic(ORK_BASIC_MPI_LONG, 8);
        shaped = reshape(r, y, ny);
        received = (struct ork_items){1, shaped->sequence};
    }
    struct ork_comparison want = naive(x, nx, y, ny);
    struct ork_comparison got = ork_items_compare(&sent, &received);
    struct ork_comparison back = ork_items_compare(&received, &sent);
    if (got.match != want.match || got.is_longer != want.is_longer ||
        got.is_shorter != want.is_shorter || got.first != want.first)
        fail("a comparison", t->types);
    if (back.match != want.match || back.is_longer != want.is_shorter || back.first != want.first)
        fail("a comparison the other way round", t->types);
    if (nx == ny && want.match == ORK_TYPES_MATCH && memcmp(x, y, nx * sizeof(*x)) == 0 &&
        na == 1 && nb == 1 && nx > 0 && sent.sequence->id != received.sequence->id)
        fail("the id of an equal sequence", t->types);
    t->compared++;
    t->matched += want.match == ORK_TYPES_MATCH;
    t->alike += want.match == ORK_TYPES_ALIKE;
    t->longer += want.is_longer;
    ork_type_unref(shaped);
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    uint64_t seed = wfg_random_argument(argc, argv, 1, 12345);
    uint64_t types = wfg_random_argument(argc, argv, 2, TYPES);
    struct wfg_random r = {seed};
    struct pair pool[POOL] = {{0}};
    struct totals t = {0};

    for (uint32_t i = 0; i < POOL; i++)
        pool[i] = basic(&r);
    while (t.types < (types = within_budget(t.types, types))) {
        struct pair p = random_type(&r, pool, POOL);
        uint32_t place = wfg_random_below(&r, POOL);
        if (p.type == NULL)
            fail("a constructor", t.types);
        check(&p, t.types, &t);
        compare(&r, &p, &pool[wfg_random_below(&r, POOL)], &t);
        if (p.map.n > ENTRIES_MAX) {
            ork_type_unref(p.type);
            expanded_free(&p.map);
            p = basic(&r);
        }
        ork_type_unref(pool[place].type);
        expanded_free(&pool[place].map);
        pool[place] = p;
    }
    for (uint32_t i = 0; i < POOL; i++) {
        ork_type_unref(pool[i].type);
        expanded_free(&pool[i].map);
    }
    printf("%" PRIu64 " types of %" PRIu64 " elements; entries overlap in %" PRIu64
           ", undecided %" PRIu64 "; %" PRIu64 " comparisons: %" PRIu64 " match, %" PRIu64
           " are alike, %" PRIu64 " are longer\n",
           t.types, t.elements, t.repeats, t.undecided, t.compared, t.matched, t.alike, t.longer);
    return t.repeats > 0 && t.matched > 0 && t.alike > 0 && t.longer > 0 ? 0 : 1;
}

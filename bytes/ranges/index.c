/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/ranges/index.h"

#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>

void ork_index_init(struct ork_index *index)
{
    *index = (struct ork_index){.spare = ORK_INDEX_NONE, .root = ORK_INDEX_NONE};
}

void ork_index_reset(struct ork_index *index)
{
    free(index->entry);
    ork_index_init(index);
}

static uint32_t take_entry(struct ork_index *index)
{
    uint32_t number = index->spare;

    if (number != ORK_INDEX_NONE) {
        index->spare = index->entry[number].left;
        return number;
    }
    if (index->num_entries == ORK_INDEX_NONE ||
        !ork_vec_reserve(&index->entry, &index->room, index->num_entries + 1,
                         sizeof(*index->entry)))
        return ORK_INDEX_NONE;
    return index->num_entries++;
}

/* ---- the tree ---- */

static int64_t reach_of(const struct ork_index *index, uint32_t number)
{
    return number == ORK_INDEX_NONE ? INT64_MIN : index->entry[number].reach;
}

static void set_reach(struct ork_index *index, uint32_t number)
{
    struct ork_index_entry *e = &index->entry[number];
    int64_t left = reach_of(index, e->left), right = reach_of(index, e->right);

    e->reach = e->span.high;
    if (left > e->reach)
        e->reach = left;
    if (right > e->reach)
        e->reach = right;
}

static bool is_before(const struct ork_index *index, uint32_t a, uint32_t b)
{
    int64_t x = index->entry[a].span.low, y = index->entry[b].span.low;

    return x != y ? x < y : a < b;
}

/* Divide a tree into what is before entry `at` and what is after it. */
static void split(struct ork_index *index, uint32_t tree, uint32_t at, uint32_t *before,
                  uint32_t *after)
{
    if (tree == ORK_INDEX_NONE) {
        *before = *after = ORK_INDEX_NONE;
        return;
    }
    struct ork_index_entry *e = &index->entry[tree];
    if (is_before(index, tree, at)) {
        *before = tree;
        split(index, e->right, at, &e->right, after);
    } else {
        *after = tree;
        split(index, e->left, at, before, &e->left);
    }
    set_reach(index, tree);
}

/* All of `before` is before all of `after`. */
static uint32_t merge(struct ork_index *index, uint32_t before, uint32_t after)
{
    if (before == ORK_INDEX_NONE || after == ORK_INDEX_NONE)
        return before == ORK_INDEX_NONE ? after : before;
    if (index->entry[before].rank >= index->entry[after].rank) {
        struct ork_index_entry *e = &index->entry[before];
        e->right = merge(index, e->right, after);
        set_reach(index, before);
        return before;
    }
    struct ork_index_entry *e = &index->entry[after];
    e->left = merge(index, before, e->left);
    set_reach(index, after);
    return after;
}

static uint32_t insert_into(struct ork_index *index, uint32_t tree, uint32_t number)
{
    struct ork_index_entry *e = &index->entry[number];

    if (tree == ORK_INDEX_NONE || index->entry[tree].rank < e->rank) {
        split(index, tree, number, &e->left, &e->right);
        set_reach(index, number);
        return number;
    }
    struct ork_index_entry *top = &index->entry[tree];
    if (is_before(index, number, tree))
        top->left = insert_into(index, top->left, number);
    else
        top->right = insert_into(index, top->right, number);
    set_reach(index, tree);
    return tree;
}

static uint32_t remove_from(struct ork_index *index, uint32_t tree, uint32_t number)
{
    struct ork_index_entry *top = &index->entry[tree];

    if (tree == number)
        return merge(index, top->left, top->right);
    if (is_before(index, number, tree))
        top->left = remove_from(index, top->left, number);
    else
        top->right = remove_from(index, top->right, number);
    set_reach(index, tree);
    return tree;
}

static void plant(struct ork_index *index, uint32_t number)
{
    struct ork_index_entry *e = &index->entry[number];

    e->left = e->right = ORK_INDEX_NONE;
    e->rank = (uint32_t)ork_hash_mix(number);
    set_reach(index, number);
    index->root = insert_into(index, index->root, number);
}

/* ---- the array ---- */

static void add_few(struct ork_index *index, uint32_t number, uint32_t place)
{
    struct ork_index_entry *e = &index->entry[number];

    e->place = place;
    index->few[place] = (struct ork_index_few){
        .low = e->span.low, .high = e->span.high, .entry = number, .kinds = e->kinds};
}

static void plant_few(struct ork_index *index)
{
    for (uint32_t i = 0; i < ORK_INDEX_FEW; i++)
        plant(index, index->few[i].entry);
}

uint32_t ork_index_insert(struct ork_index *index, const struct ork_span *span, uint32_t kinds,
                          uint64_t payload)
{
    uint32_t number = take_entry(index);

    if (number == ORK_INDEX_NONE)
        return number;
    struct ork_index_entry *e = &index->entry[number];
    e->span = *span;
    e->payload = payload;
    e->kinds = kinds;
    if (index->root == ORK_INDEX_NONE && index->count < ORK_INDEX_FEW) {
        add_few(index, number, index->count);
    } else {
        if (index->root == ORK_INDEX_NONE)
            plant_few(index);
        plant(index, number);
    }
    index->count++;
    return number;
}

/* The tree has become small: its entries go to the array. */
static uint32_t fell(struct ork_index *index, uint32_t tree, uint32_t place)
{
    if (tree == ORK_INDEX_NONE)
        return place;
    place = fell(index, index->entry[tree].left, place);
    add_few(index, tree, place);
    return fell(index, index->entry[tree].right, place + 1);
}

bool ork_index_replace(struct ork_index *index, uint32_t entry, const struct ork_span *span,
                       uint64_t payload)
{
    struct ork_index_entry *e = &index->entry[entry];

    if (e->span.low != span->low || e->span.high != span->high)
        return false;
    e->span = *span;
    e->payload = payload;
    return true;
}

void ork_index_remove(struct ork_index *index, uint32_t number)
{
    struct ork_index_entry *e = &index->entry[number];

    index->count--;
    if (index->root == ORK_INDEX_NONE) {
        add_few(index, index->few[index->count].entry, e->place); /* the last one, instead */
    } else {
        index->root = remove_from(index, index->root, number);
        if (index->count <= ORK_INDEX_FEW / 4) {
            fell(index, index->root, 0);
            index->root = ORK_INDEX_NONE;
        }
    }
    e->kinds = 0;
    e->left = index->spare;
    index->spare = number;
}

/* ---- queries ---- */

struct query {
    const struct ork_index *index;
    const struct ork_span *span;
    ork_index_visitor *visitor;
    void *context;
    uint32_t kinds;
    uint32_t near;
    enum ork_answer answer;
};

/* False: the query ends. */
static bool visit(struct query *q, uint32_t number)
{
    const struct ork_index_entry *e = &q->index->entry[number];
    struct ork_common common;
    enum ork_answer found;

    if (++q->near > ORK_INDEX_NEAR) {
        q->answer = q->answer == ORK_YES ? ORK_YES : ORK_UNDECIDED;
        return false;
    }
    found = ork_spans_overlap(q->span, &e->span, &common);
    if (found == ORK_UNDECIDED && q->answer == ORK_NO)
        q->answer = ORK_UNDECIDED;
    if (found != ORK_YES)
        return true;
    q->answer = ORK_YES;
    return q->visitor(q->context, e, &common);
}

static bool visit_tree(struct query *q, uint32_t tree)
{
    const struct ork_index_entry *e;

    if (tree == ORK_INDEX_NONE || q->index->entry[tree].reach <= q->span->low)
        return true;
    e = &q->index->entry[tree];
    if (!visit_tree(q, e->left))
        return false;
    if (e->span.low >= q->span->high)
        return true;
    if ((e->kinds & q->kinds) != 0 && e->span.high > q->span->low && !visit(q, tree))
        return false;
    return visit_tree(q, e->right);
}

enum ork_answer ork_index_visit(const struct ork_index *index, const struct ork_span *span,
                                uint32_t kinds, ork_index_visitor *visitor, void *context)
{
    struct query q = {.index = index,
                      .span = span,
                      .visitor = visitor,
                      .context = context,
                      .kinds = kinds,
                      .answer = ORK_NO};

    if (index->root != ORK_INDEX_NONE) {
        visit_tree(&q, index->root);
        return q.answer;
    }
    for (uint32_t i = 0; i < index->count; i++) {
        const struct ork_index_few *f = &index->few[i];
        if (f->low < span->high && f->high > span->low && (f->kinds & kinds) != 0 &&
            !visit(&q, f->entry))
            break;
    }
    return q.answer;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The live byte sets: which of them have a byte in common with a given one? A few are in an array;
 * more of them are in a tree, which finds those whose bounds meet in O(log n + their number). */
#ifndef ORK_INDEX_H
#define ORK_INDEX_H

#include "bytes/ranges/byteset.h"

#define ORK_INDEX_NONE UINT32_MAX
enum { ORK_INDEX_FEW = 16 };

/* A live set. Its number is its place in entry[], until it is removed. Read-only for users. */
struct ork_index_entry {
    struct ork_span span;
    uint64_t payload; /* the user's */
    uint32_t kinds;   /* bits of the user; 0: the entry is not in use */
    uint32_t place;   /* in few[], as long as the entries are there */
    /* The tree is a treap by (span.low, number), and a heap by rank. */
    uint32_t left, right;
    uint32_t rank;
    int64_t reach; /* the highest span.high in its subtree */
};

struct ork_index_few {
    int64_t low, high;
    uint32_t entry;
    uint32_t kinds;
};

/* An index is empty after ork_index_init(). */
struct ork_index {
    struct ork_index_entry *entry;
    uint32_t num_entries, room; /* in use or spare */
    uint32_t spare;             /* the first entry not in use, chained by `left` */
    uint32_t count;             /* live sets */
    uint32_t root;              /* ORK_INDEX_NONE: all are in few[] */
    struct ork_index_few few[ORK_INDEX_FEW];
};

void ork_index_init(struct ork_index *index);
/* Free the memory, and make the index empty. */
void ork_index_reset(struct ork_index *index);

/* Enter a set that is not empty, with at least one kind. Its layout must live as long as the entry.
 * The entry's number, or ORK_INDEX_NONE: out of memory. */
uint32_t ork_index_insert(struct ork_index *index, const struct ork_span *span, uint32_t kinds,
                          uint64_t payload);
void ork_index_remove(struct ork_index *index, uint32_t entry);
/* Put another set with the same bounds in the place of this one, whose number it gets. False: its
 * bounds are others, and nothing has changed. */
bool ork_index_replace(struct ork_index *index, uint32_t entry, const struct ork_span *span,
                       uint64_t payload);

/* A live set with a common byte. False: do not look for others. */
typedef bool ork_index_visitor(void *context, const struct ork_index_entry *entry,
                               const struct ork_common *common);

/* Visit the live sets of at least one of these kinds that have a byte in common with `span`. The
 * index must not change meanwhile. ORK_YES: some were visited. ORK_UNDECIDED: none was visited, but
 * for some the answer is not known, because they are too complicated, or because the bounds of more
 * than ORK_INDEX_NEAR sets meet those of `span`. */
enum { ORK_INDEX_NEAR = 4096 };
enum ork_answer ork_index_visit(const struct ork_index *index, const struct ork_span *span,
                                uint32_t kinds, ork_index_visitor *visitor, void *context);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Equal calls in the last calls of a rank, which are listed once: calls in a row, and iterations,
 * which the leaf has found (leaf/latest.c). */
#include "overlay/root/root_internal.h"

#include "common/text.h"
#include "overlay/findings/describe_internal.h"

#include <assert.h>
#include <string.h>

/* Calls in a list; more if an iteration begins before these. */
enum { CALLS_MAX = 10 };

/* Ignores addresses within one line. */
static bool is_same_place(const struct ork_where *a, const struct ork_where *b)
{
    if (a->line == 0 || b->line == 0)
        return ork_describe_is_same_where(a, b);
    return a->line == b->line && ork_text_is_same(a->file, b->file);
}

/* Ignores the counts. */
bool ork_root_is_same_call(const struct ork_last_call *a, const struct ork_last_call *b)
{
    return ork_text_is_same(a->call, b->call) && ork_text_is_same(a->comm, b->comm) &&
           ork_text_is_same(a->peer, b->peer) && ork_text_is_same(a->tag, b->tag) &&
           ork_text_is_same(a->source, b->source) &&
           ork_text_is_same(a->source_tag, b->source_tag) && ork_text_is_same(a->root, b->root) &&
           ork_text_is_same(a->took, b->took) && a->has_bytes == b->has_bytes &&
           a->bytes == b->bytes && a->requests == b->requests && a->error == b->error &&
           a->inside == b->inside && is_same_place(&a->where, &b->where);
}

/* Which iteration each call is part of: the number of its first call, from 1; 0: none. Drops what
 * does not fit into the list. */
static void find_iterations(struct ork_last_calls *list, uint32_t part_of[ORK_LATEST_CALLS])
{
    uint32_t end = 0;

    for (uint32_t i = 0; i < list->num_calls; i++) {
        struct ork_last_call *c = &list->call[i];
        if (c->iterations < 2 || c->iteration > list->num_calls - i || i < end)
            c->iteration = c->iterations = 0;
        if (c->iteration > 0)
            end = i + c->iteration;
        part_of[i] = c->iteration > 0 ? i + 1 : i < end ? part_of[i - 1] : 0;
    }
}

/* Number the calls from the end, equal ones in a row alike: `row`. RATIONALE: what waits for a
 * request is behind it. */
static void find_rows(struct ork_last_calls *list, const uint32_t *part_of, uint32_t *row)
{
    uint32_t n = 0;

    for (uint32_t i = list->num_calls; i > 0; i--) {
        struct ork_last_call *c = &list->call[i - 1];
        bool is_last = i == list->num_calls || part_of[i] != part_of[i - 1];
        row[i - 1] = !is_last && ork_root_is_same_call(c, &list->call[i]) ? n - 1 : n++;
        uint32_t waits = i - 1 + c->awaited_after;
        c->awaited_after = waits > i - 1 && waits < list->num_calls ? row[i - 1] - row[waits] : 0;
    }
}

/* An iteration of one call is one call that was made more often. */
static void shrink_iteration(struct ork_last_call *first)
{
    first->iteration--;
    if (first->iteration > 1)
        return;
    first->times *= first->iterations;
    first->iteration = first->iterations = 0;
}

static void merge_rows(struct ork_last_calls *list, const uint32_t *part_of, const uint32_t *row)
{
    struct ork_last_call *first = NULL; /* of the iteration */
    uint32_t n = 0;

    for (uint32_t i = 0; i < list->num_calls; i++) {
        struct ork_last_call *last = n > 0 ? &list->call[n - 1] : NULL;
        if (last != NULL && row[i] == row[i - 1]) {
            last->times += list->call[i].times;
            if (last->awaited_after != list->call[i].awaited_after)
                last->awaited_after = 0;
            ork_last_call_release(&list->call[i]);
            if (part_of[i] > 0)
                shrink_iteration(first);
        } else {
            list->call[n] = list->call[i];
            if (part_of[i] == i + 1)
                first = &list->call[n];
            n++;
        }
    }
    list->num_calls = n;
}

/* The latest CALLS_MAX, and the rest of an iteration. */
static void cut(struct ork_last_calls *list)
{
    uint32_t more = list->num_calls > CALLS_MAX ? list->num_calls - CALLS_MAX : 0;

    for (uint32_t i = 0; i < more; i++) {
        if (list->call[i].iteration > more - i)
            more = i;
    }
    for (uint32_t i = 0; i < more; i++)
        ork_last_call_release(&list->call[i]);
    memmove(list->call, list->call + more, (list->num_calls - more) * sizeof(*list->call));
    list->num_calls -= more;
}

/* RATIONALE: equal calls in a row are merged already, except those of a loop that the compiler has
 * unrolled: these have several addresses in one line. */
void ork_root_fold_calls(struct ork_last_calls *list)
{
    uint32_t part_of[ORK_LATEST_CALLS], row[ORK_LATEST_CALLS];

    assert(list->num_calls <= ORK_LATEST_CALLS);
    find_iterations(list, part_of);
    find_rows(list, part_of, row);
    merge_rows(list, part_of, row);
    ork_root_place_calls(list);
    cut(list);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of ranks. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUNS_MAX = 4, /* of ranks that are shown; with more only the first few and the count */
    SHOWN = 3,
};

bool ork_describe_add_rank(struct ork_u32s *set, uint32_t rank)
{
    if ((set->count & (set->count - 1)) == 0) {
        uint32_t *bigger =
            realloc(set->item, (set->count == 0 ? 1 : 2 * (size_t)set->count) * sizeof(*bigger));
        if (bigger == NULL)
            return false;
        set->item = bigger;
    }
    set->item[set->count++] = rank;
    return true;
}

int ork_describe_compare_ranks(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

void ork_describe_sort_unique(struct ork_u32s *set)
{
    uint32_t n = 0;

    if (set->count == 0)
        return;
    qsort(set->item, set->count, sizeof(*set->item), ork_describe_compare_ranks);
    for (uint32_t i = 0; i < set->count; i++) {
        if (i == 0 || set->item[i] != set->item[i - 1])
            set->item[n++] = set->item[i];
    }
    set->count = n;
}

bool ork_describe_has_rank(const struct ork_u32s *set, uint32_t rank)
{
    return set->count > 0 &&
           bsearch(&rank, set->item, set->count, sizeof(rank), ork_describe_compare_ranks) != NULL;
}

bool ork_describe_is_same_set(const struct ork_u32s *a, const struct ork_u32s *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->item, b->item, a->count * sizeof(*a->item)) == 0);
}

static bool is_short(const uint32_t *rank, uint32_t count)
{
    uint32_t runs = 0;

    for (uint32_t i = 0; i < count && runs <= RUNS_MAX; i++)
        runs += i == 0 || rank[i] != rank[i - 1] + 1;
    return runs <= RUNS_MAX || count <= RUNS_MAX + 2;
}

char *ork_describe_ranks(const uint32_t *rank, uint32_t count)
{
    if (is_short(rank, count))
        return ork_phrase_ranks(rank, count);
    return ork_text("%u ranks (%u, %u, %u, ...)", count, rank[0], rank[1], rank[SHOWN - 1]);
}

char *ork_describe_sentence(char *text)
{
    if (text != NULL)
        text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/ranks.h"

#include <stdlib.h>

/* Index after the run of consecutive ranks that starts at i. */
static uint32_t run_end(const uint32_t *rank, uint32_t count, uint32_t i)
{
    uint32_t j = i + 1;

    while (j < count && rank[j] == (uint64_t)rank[j - 1] + 1)
        j++;
    return j;
}

void ork_put_ranks(FILE *out, const uint32_t *rank, uint32_t count, uint32_t max_runs)
{
    uint32_t runs = 0;

    for (uint32_t i = 0; i < count;) {
        uint32_t end = run_end(rank, count, i);
        if (end - i == 2) /* "0, 1" reads better than "0-1" */
            end--;
        if (runs++ == max_runs) {
            fprintf(out, ", ... (%u ranks)", count);
            return;
        }
        fprintf(out, "%s%u", i > 0 ? ", " : "", rank[i]);
        if (end - i > 1)
            fprintf(out, "-%u", rank[end - 1]);
        i = end;
    }
}

int ork_rank_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

bool ork_rank_in(const uint32_t *rank, uint32_t count, uint32_t wanted)
{
    return count > 0 && bsearch(&wanted, rank, count, sizeof(*rank), ork_rank_compare) != NULL;
}

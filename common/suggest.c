/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/suggest.h"

#include <string.h>

#define WORD_MAX 64u

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t ork_edit_distance(const char *a, const char *b)
{
    size_t cost[WORD_MAX][WORD_MAX];
    size_t n = strnlen(a, WORD_MAX - 1);
    size_t m = strnlen(b, WORD_MAX - 1);

    /* cost[i][j]: from the first i bytes of a to the first j bytes of b */
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            cost[i][j] = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            cost[i][j] = min(cost[i][j], 1 + min(cost[i - 1][j], cost[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[n][m];
}

size_t ork_suggest(const char *word, const char *const *known, size_t count)
{
    size_t best = 0;
    size_t best_distance = ork_edit_distance(word, known[0]);

    for (size_t i = 1; i < count; i++) {
        size_t distance = ork_edit_distance(word, known[i]);

        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

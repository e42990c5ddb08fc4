/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the known word that is nearest to a misspelt one. Pure. */
#ifndef ORK_COMMON_SUGGEST_H
#define ORK_COMMON_SUGGEST_H

#include <stddef.h>

/* Number of insertions, deletions, replacements and exchanges of neighbours that turn `a` into `b`;
 * of the first 63 bytes of each. */
size_t ork_edit_distance(const char *a, const char *b);

/* Index of the nearest of `count` >= 1 words, the first of equals. */
size_t ork_suggest(const char *word, const char *const *known, size_t count);

#endif

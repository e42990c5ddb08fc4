/* SPDX-License-Identifier: BSD-3-Clause */
/* The known word that a mistyped one comes nearest to. Pure. */
#ifndef ORK_COMMON_SUGGEST_H
#define ORK_COMMON_SUGGEST_H

#include <stddef.h>

/* Insertions, deletions, replacements and exchanges of neighbours that make `b` of `a`; of the
 * first 63 bytes of each. */
size_t ork_edit_distance(const char *a, const char *b);

/* Number of the nearest of `count` >= 1 words, the first of equals. */
size_t ork_suggest(const char *word, const char *const *known, size_t count);

#endif

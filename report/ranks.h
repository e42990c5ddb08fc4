/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of ranks as text. */
#ifndef ORK_REPORT_RANKS_H
#define ORK_REPORT_RANKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* "0-6, 9": ascending ranks in at most `max_runs` runs, then "... (512 ranks)". Unsorted ranks and
 * repetitions are allowed. */
void ork_put_ranks(FILE *out, const uint32_t *rank, uint32_t count, uint32_t max_runs);

/* For qsort() of uint32_t. */
int ork_rank_compare(const void *a, const void *b);

/* In an ascending list. */
bool ork_rank_in(const uint32_t *rank, uint32_t count, uint32_t wanted);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls a second of each rank, as a strip for each: which rank fell behind, and when. */
#ifndef ORK_VIZ_RATES_H
#define ORK_VIZ_RATES_H

#include "report/report.h"

#include <stdbool.h>
#include <stdio.h>

/* An <svg>; writes nothing if nothing is known. */
void ork_rates_put(FILE *out, const struct ork_finding *finding);
/* "Rank 3 made its last call 14 s before the other ranks." The caller's; "": no rank fell behind;
 * NULL: out of memory. */
char *ork_rates_sentence(const struct ork_finding *finding);

/* For a terminal: a line for ranks that made about as many calls in each second, those first that
 * were the first to make no call any more. */
struct ork_rates_style {
    bool has_blocks;  /* block characters of UTF-8; else ASCII */
    unsigned indent;  /* blanks before each line */
    unsigned lines;   /* at most */
    unsigned seconds; /* at most, the latest ones; 0: all */
};
/* Writes nothing if nothing is known. */
void ork_rates_put_strips(FILE *out, const struct ork_finding *finding,
                          const struct ork_rates_style *style);
/* The same with what they show, and who fell behind. */
void ork_rates_put_text(FILE *out, const struct ork_finding *finding, bool has_blocks);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of ranks as runs with a step, so that every second one of 10,000 ranks is one item. */
#ifndef ORK_REPORT_FOLD_RUNS_H
#define ORK_REPORT_FOLD_RUNS_H

#include "report/report.h"

#include <stdio.h>

/* Ranks in any order, doubles allowed (sorted in place), as few runs. *run is the caller's, NULL
 * for no ranks. ORK_NOMEM. */
enum ork_status ork_runs_make(uint32_t *rank, uint32_t count, struct ork_rank_run **run,
                              uint32_t *num_runs);

/* "0-9998/2, 9999": first-last/step. *text is the caller's. ORK_NOMEM. */
enum ork_status ork_runs_to_text(const struct ork_rank_run *run, uint32_t num_runs, char **text);
/* Untrusted: ORK_INVALID for anything else. *run is the caller's. ORK_NOMEM. */
enum ork_status ork_runs_from_text(const char *text, struct ork_rank_run **run, uint32_t *num_runs);

uint64_t ork_runs_count(const struct ork_rank_run *run, uint32_t num_runs);
bool ork_runs_contain(const struct ork_rank_run *run, uint32_t num_runs, uint32_t rank);

/* For people: "0,2,..,9998, 9999", with at most `max` runs, then "... (512 ranks)". */
void ork_runs_put(FILE *out, const struct ork_rank_run *run, uint32_t num_runs, uint32_t max);

#endif

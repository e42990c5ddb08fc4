/* SPDX-License-Identifier: BSD-3-Clause */
/* How the results of two runs differ. */
#ifndef ORK_MUSTRUN_EXPLORE_DIFFER_H
#define ORK_MUSTRUN_EXPLORE_DIFFER_H

#include "mustrun/explore/output.h"

#include <stdint.h>

/* Clauses, each of a rank: "rank 0, line 3: "sum 4.5" instead of "sum 4.25"". */
struct ork_differences {
    char **item;
    uint32_t count;
};

/* Compare what runs left in these folders: the standard output of each rank, and the file that
 * belongs to the result. Of each, the first line that differs; of a few of them. A file that cannot
 * be read counts as empty. The items are the caller's. ORK_NOMEM: there are none. */
enum ork_status ork_differences_find(const struct ork_output_rules *rules, const char *first,
                                     const char *other, struct ork_differences *found);
void ork_differences_release(struct ork_differences *d);

#endif

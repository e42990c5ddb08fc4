/* SPDX-License-Identifier: BSD-3-Clause */
/* Exploring alternative matches: when, and for how long. ORK_NOMEM. */
#ifndef ORK_OVERLAY_ROOT_INTERLEAVING_H
#define ORK_OVERLAY_ROOT_INTERLEAVING_H

#include "overlay/root/root_internal.h"

/* Records of history before it is searched during the run (--must:probe continuous). */
enum { HISTORY_WORTH = 1 << 10 };

/* No progress: ask for sources, then search, a slice at a time. */
enum ork_status ork_root_explore_hang(struct ork_root *root, uint64_t at);
void ork_root_forget_hang(struct ork_root *root);
/* The result of that search, for the note of a hang; NULL: no wildcard receive is concerned. The
 * caller's. */
char *ork_root_hang_detail(const struct ork_root *root);

/* Stay within the memory limit of unmatched calls: ask for sources, probe, then assume matches. */
enum ork_status ork_root_check_memory(struct ork_root *root);

/* Search at the end of the run. */
enum ork_status ork_root_explore_end(struct ork_root *root);
/* Search during the run. */
enum ork_status ork_root_explore_history(struct ork_root *root);

#endif

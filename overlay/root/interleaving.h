/* SPDX-License-Identifier: BSD-3-Clause */
/* Exploring alternative matches: when, and for how long. ORK_NOMEM. */
#ifndef ORK_OVERLAY_ROOT_INTERLEAVING_H
#define ORK_OVERLAY_ROOT_INTERLEAVING_H

#include "overlay/root/root_internal.h"

/* No progress: ask for sources, then search, a slice at a time. */
enum ork_status ork_root_explore_hang(struct ork_root *root, uint64_t at);
void ork_root_forget_hang(struct ork_root *root);
/* The result of that search, for the note of a hang; NULL: no wildcard receive is concerned. The
 * caller's. */
char *ork_root_hang_detail(const struct ork_root *root);

/* Stay within the memory limit of unmatched calls: ask for sources, probe, then assume matches. */
enum ork_status ork_root_check_memory(struct ork_root *root);

struct root_limits {
    uint64_t steps; /* 0: no limit */
    uint64_t ns;    /* of time, or of processor time of the tool */
    bool is_processor;
};
enum ork_status ork_root_search_matches(struct ork_root *root, struct ork_interleaving *f,
                                        const struct root_limits *limits,
                                        enum ork_interleave_result *result);
/* Report the deadlock that was found, if it takes a choice. */
enum ork_status ork_root_report_matches(struct ork_root *root, struct ork_interleaving *f,
                                        enum ork_interleaving_scope scope, bool hangs);

/* --- history.c --- */

/* Look after the history in each step of the root: what is new is searched, as long as nothing else
 * is to be done, and what repeats is forgotten. */
enum ork_status ork_root_follow_history(struct ork_root *root, bool is_idle);
/* The same after records came; what can be searched later is not searched. RATIONALE: in one step
 * of the root so many may come that the history is full before it was seen to repeat. */
enum ork_status ork_root_follow_records(struct ork_root *root);
void ork_root_forget_history(struct ork_root *root);
/* Search at the end of the run. */
enum ork_status ork_root_explore_end(struct ork_root *root);
/* Search now and then during the run (--must:probe continuous). */
enum ork_status ork_root_explore_history(struct ork_root *root);

#endif

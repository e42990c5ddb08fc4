/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by describe.c (deadlocks, states) and describe_issue.c. */
#ifndef ORK_DESCRIBE_INTERNAL_H
#define ORK_DESCRIBE_INTERNAL_H

#include "overlay/describe.h"

/* false: out of memory */
bool describe_add_rank(struct ork_u32s *set, uint32_t rank);
void describe_sort_unique(struct ork_u32s *set);

/* Takes `text`; NULL: ORK_NOMEM. */
enum ork_status describe_add_detail(struct ork_finding *f, char *text);
/* Who is where, if that is few words: "ranks 0-6 are in MPI_Barrier at a.c:40; rank 7 is in
 * MPI_Recv at a.c:52". */
enum ork_status describe_add_groups(struct ork_finding *f);

/* Which of the ranks in f->waits are spawned processes. See jobs.c. */
enum ork_status describe_add_jobs(const struct ork_detector *d, struct ork_sites *sites,
                                  struct ork_finding *f);

/* Which matches lead to the deadlock. */
enum ork_status describe_add_decisions(struct ork_sites *sites, const struct ork_deadlock *dl,
                                       struct ork_finding *f);

/* Is it a call with a peer and a tag? */
bool describe_has_peer(const struct ork_record *r);

#endif

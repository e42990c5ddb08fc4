/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by describe.c (deadlocks, states) and describe_issue.c. */
#ifndef ORK_DESCRIBE_INTERNAL_H
#define ORK_DESCRIBE_INTERNAL_H

#include "overlay/describe.h"

/* false: out of memory */
bool describe_add_rank(struct ork_u32s *set, uint32_t rank);
void describe_sort_unique(struct ork_u32s *set);

/* For qsort() and bsearch() of ranks. */
int describe_compare_ranks(const void *a, const void *b);

/* The row of a rank in a finding whose rows are by rank; NULL: it has none. */
const struct ork_wait *describe_row(const struct ork_finding *f, uint32_t rank);
bool describe_is_same_where(const struct ork_where *a, const struct ork_where *b);

/* As ork_words_ranks(), of many runs only the first. The caller's; NULL: out of memory. */
char *describe_ranks(const uint32_t *rank, uint32_t count);
/* The first letter becomes a capital; returns `text`, which may be NULL. */
char *describe_sentence(char *text);
/* Takes `text`; NULL: ORK_NOMEM. */
enum ork_status describe_add_detail(struct ork_finding *f, char *text);
/* Who is where, if that is few words: "ranks 0-6 are in MPI_Barrier at a.c:40; rank 7 is in
 * MPI_Recv at a.c:52". */
enum ork_status describe_add_groups(struct ork_finding *f);

/* Which of the ranks in f->waits are spawned processes. See jobs.c. */
enum ork_status describe_add_jobs(const struct ork_detector *d, struct ork_sites *sites,
                                  struct ork_finding *f);

/* What stands around a deadlock, all of it; `supposed`: it rests on what cannot be known. The first
 * sentence (describe_summary.c), messages that just miss (describe_near.c), communicators
 * (describe_comm.c), what would break it (describe_resolve.c). The rows of the finding are there
 * already. */
enum ork_status describe_add_around(const struct ork_detector *d, struct ork_sites *sites,
                                    const struct ork_deadlock *dl, bool supposed,
                                    struct ork_finding *f);
enum ork_status describe_add_summary(struct ork_finding *f);
enum ork_status describe_add_near_misses(const struct ork_detector *d, struct ork_sites *sites,
                                         const struct ork_search *s, uint32_t nprocs,
                                         struct ork_finding *f);
enum ork_status describe_add_communicators(const struct ork_detector *d, struct ork_sites *sites,
                                           const struct ork_search *s, struct ork_finding *f);
/* Communicator `comm` and its ancestors; those in `seen` are left out, the others join it. */
enum ork_status describe_add_communicator(const struct ork_detector *d, struct ork_sites *sites,
                                          uint32_t comm, struct ork_u32s *seen,
                                          struct ork_finding *f);
enum ork_status describe_add_remedies(const struct ork_detector *d, struct ork_sites *sites,
                                      const struct ork_deadlock *dl, struct ork_finding *f);

/* Which matches lead to the deadlock. */
enum ork_status describe_add_decisions(struct ork_sites *sites, const struct ork_deadlock *dl,
                                       struct ork_finding *f);

/* Is it a call with a peer and a tag? */
bool describe_has_peer(const struct ork_record *r);

#endif

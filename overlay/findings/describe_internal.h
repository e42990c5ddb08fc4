/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by describe.c (deadlocks, states) and describe_issue.c. */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_INTERNAL_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_INTERNAL_H

#include "overlay/findings/describe.h"
#include "overlay/findings/ends.h"
#include "overlay/findings/writing.h"

/* ---- sets of ranks (describe_sets.c), and ranks in the same call (describe_groups.c) ---- */

/* false: out of memory */
bool ork_describe_add_rank(struct ork_u32s *set, uint32_t rank);
void ork_describe_sort_unique(struct ork_u32s *set);
/* In a set in ascending order. */
bool ork_describe_has_rank(const struct ork_u32s *set, uint32_t rank);
bool ork_describe_is_same_set(const struct ork_u32s *a, const struct ork_u32s *b);
/* For qsort() and bsearch() of ranks. */
int ork_describe_compare_ranks(const void *a, const void *b);

enum { DESCRIBE_GROUPS_MAX = 4 };
/* Ranks that are in the same call, and the ranks that they wait for. */
struct ork_describe_group {
    const struct ork_rank_row *first; /* the row of the first of them; the finding's */
    struct ork_u32s ranks, targets;   /* ascending */
    bool any;                         /* one of the targets is enough */
};
struct describe_groups {
    struct ork_describe_group item[DESCRIBE_GROUPS_MAX];
    uint32_t count;
    bool more; /* there are further groups, which are not stored */
};
/* Group the rows of these ranks (NULL: all rows) by call and place; `anywhere`: by call alone. The
 * sets are those of `w`. */
struct describe_groups ork_describe_group(struct ork_writing *w, const struct ork_finding *f,
                                          const struct ork_u32s *ranks, bool anywhere);

/* If each waits for one rank of the root at the same distance in the root, that distance; else
 * 0. */
uint32_t ork_describe_step(const struct ork_finding *f, const struct ork_u32s *root);
enum { DESCRIBE_CHAIN_MAX = 4 };
/* The ranks of a small root in the order in which they wait for each other; false: not a single
 * cycle. */
bool ork_describe_chain(const struct ork_finding *f, const struct ork_u32s *root,
                        const struct ork_rank_row *row[DESCRIBE_CHAIN_MAX]);

/* Do both name the same communicator, or none? */
bool ork_describe_is_same_comm(const struct ork_rank_row *a, const struct ork_rank_row *b);
/* What tells `a` from `b` if both are in one call at one place: " on MPI_COMM_WORLD", " called by
 * step (a.c:40)"; "": they are not, or nothing does. */
const char *ork_describe_apart(struct ork_writing *w, const struct ork_rank_row *a,
                               const struct ork_rank_row *b);

/* As ork_phrase_ranks(); many runs are shortened: "16 ranks (0, 7, 8, ...)". The caller's; NULL:
 * out of memory. */
char *ork_describe_ranks(const uint32_t *rank, uint32_t count);
/* Capitalises the first letter; returns `text`, which may be NULL. */
char *ork_describe_sentence(char *text);

/* ---- sentences and rows ---- */

/* The row of a rank in a finding whose rows are by rank; NULL: none. */
const struct ork_rank_row *ork_describe_row(const struct ork_finding *f, uint32_t rank);

/* Adds where the ranks are, if this is short and not yet in the finding: "ranks 0-6 are in
 * MPI_Barrier at a.c:40; rank 7 is in MPI_Recv at a.c:52". */
void ork_describe_add_groups(struct ork_writing *w, struct ork_finding *f);

/* describe_locks.c: who took the window locks that its ranks wait for. */
void ork_describe_add_lock_holders(struct ork_writing *w, struct ork_finding *f);

/* Rows of these ranks, ascending, by `s` (may be NULL), instead of those of the finding. */
void ork_describe_rows(struct ork_writing *w, const struct ork_search *s,
                       const struct ork_u32s *ranks, struct ork_finding *f);

/* Which of the ranks in f->waits are spawned processes. See job_phrase.c. */
void ork_describe_add_jobs(struct ork_writing *w, struct ork_finding *f);

/* Does the sentence state a fact about the run, a possibility, or a consequence? */
enum describe_voice { DESCRIBE_IS, DESCRIBE_COULD, DESCRIBE_WOULD };
/* Which rank waits for which: "ranks 0-6 wait in MPI_Barrier (a.c:3) for rank 7, which waits in
 * MPI_Recv (a.c:9) for rank 0". Needs the rows and roots of the finding. */
const char *ork_describe_circle(struct ork_writing *w, const struct ork_finding *f,
                                enum describe_voice voice);

/* The sentence that leads to the cause. Needs the rows, roots, near misses and decisions. */
const char *ork_describe_headline(struct ork_writing *w, const struct ork_finding *f);
/* Message and summary of the finding: the headline; as a detail, which rank waits for which if the
 * headline does not include it. */
void ork_describe_add_headline(struct ork_writing *w, struct ork_finding *f);

/* describe_edge.c: how the two ends of an edge of a graph contradict each other. */
const char *ork_describe_edge(struct ork_writing *w, const struct ork_issue *issue);

/* What the verdict depends on: calls that returned although MPI does not guarantee it, an assumed
 * match. */
void ork_describe_add_certainty(struct ork_writing *w, const struct ork_deadlock *dl,
                                struct ork_finding *f);

/* Additional details of a deadlock: communicators (describe_comm.c), what would break it
 * (describe_resolve.c), how the verdict was reached. `supposed`: the verdict depends on unknown
 * facts. Needs the rows and near misses of the finding. */
void ork_describe_add_context(struct ork_writing *w, const struct ork_deadlock *dl, bool supposed,
                              struct ork_finding *f);
void ork_describe_add_near_misses(struct ork_writing *w, const struct ork_search *s,
                                  uint32_t nprocs, struct ork_finding *f);
void ork_describe_add_communicators(struct ork_writing *w, const struct ork_search *s,
                                    struct ork_finding *f);
/* Adds communicator `comm` and its ancestors, except those in `seen`, to which it adds them. */
void ork_describe_add_communicator(struct ork_writing *w, uint32_t comm, struct ork_u32s *seen,
                                   struct ork_finding *f);
void ork_describe_add_remedies(struct ork_writing *w, const struct ork_deadlock *dl,
                               struct ork_finding *f);

/* The matches that lead to the deadlock; and the same as text. */
void ork_describe_find_decisions(struct ork_writing *w, const struct ork_deadlock *dl,
                                 struct ork_finding *f);
void ork_describe_add_decisions(struct ork_writing *w, const struct ork_deadlock *dl,
                                struct ork_finding *f);

/* Begin the finding of an issue, with room for `rows` rows; and add the rows of one of its sides.
 */
struct ork_finding ork_describe_begin_issue(struct ork_writing *w, enum ork_issue_kind kind,
                                            uint32_t rows);
void ork_describe_add_side(struct ork_writing *w, const struct ork_issue_side *side,
                           struct ork_finding *f);
/* Sort rows by rank. */
void ork_describe_sort_rows(struct ork_finding *f);

/* The name of a communicator in a sentence that names another one, too: with its ranks, or which
 * was made first, if both have the same name. */
const char *ork_describe_comm_apart(struct ork_writing *w, uint32_t comm, uint32_t other);

/* Value `i` (record/agreed.h) of an argument that must be the same at all ranks: "2 x 2".
 * `is_other`: after a different one, which tells lists apart. */
const char *ork_describe_agreed(struct ork_writing *w, const struct ork_record *call, unsigned i,
                                bool is_other);

/* The difference in a collective mismatch. */
const char *ork_describe_mismatch(struct ork_writing *w, const struct ork_issue *issue);
/* Adds, if there is more to say, the rule that it breaks, or which ranks the roots are. */
void ork_describe_add_mismatch(struct ork_writing *w, const struct ork_issue *issue,
                               struct ork_finding *f);

/* describe_shift.c: collective calls out of step, */
const char *ork_describe_shift(struct ork_writing *w, const struct ork_issue *issue);
void ork_describe_add_shift(struct ork_writing *w, const struct ork_issue *issue,
                            struct ork_finding *f);
/* and where the ranks of such an issue, or of a mismatch, parted, if it is known. */
void ork_describe_add_parting(struct ork_writing *w, const struct ork_issue *issue,
                              struct ork_finding *f);

/* One end of a match or of a near miss; the finding owns its texts. */
struct ork_match_end ork_describe_match_end(struct ork_writing *w, const struct ork_term *t);

/* Is it about a send and a receive, not about collective calls? */
bool ork_describe_is_near_of_messages(const struct ork_near_miss *n);

/* The sentence for ends that ork_ends_lack_ranks(). */
const char *ork_describe_lacking(struct ork_writing *w, const struct ork_ends *ends);

/* `detail`, and what other threads of the rank are in. */
const char *ork_describe_threads(struct ork_writing *w, uint32_t rank, const char *detail);

/* describe_lost.c: the ranks in MPI_Finalize for which sends wait. */
void ork_describe_add_finalized(struct ork_writing *w, const struct ork_search *s,
                                struct ork_finding *f);

#endif

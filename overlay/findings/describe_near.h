/* SPDX-License-Identifier: BSD-3-Clause */
/* Near misses, by kind: each is one sentence about the probable mistake. */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_NEAR_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_NEAR_H

#include "overlay/findings/describe_internal.h"

/* describe_near_end.c */
/* Add one, which the finding owns; NULL: out of memory. */
struct ork_near_miss *ork_describe_add_near(struct ork_writing *w, struct ork_finding *f,
                                            const char *differs, const struct ork_term *waits,
                                            const struct ork_term *pending, uint32_t others,
                                            const char *message);
/* Does a near miss already contain this call? */
bool ork_describe_is_near_reported(struct ork_writing *w, const struct ork_finding *f,
                                   const struct ork_term *waits);
/* "MPI_Send at a.c:31" */
const char *ork_describe_term(struct ork_writing *w, const struct ork_term *t);
/* Does a deadlocked rank of the finding wait for this operation? */
bool ork_describe_is_stuck_in(const struct ork_detector *d, const struct ork_search *s,
                              const struct ork_finding *f, const struct ork_term *term);

/* Does `rank` wait in a send or receive, or for a request, so that it could still receive messages
 * of others? */
bool ork_describe_is_exchanging(const struct ork_detector *d, const struct ork_search *s,
                                uint32_t rank);
/* Does it wait in this way for rank `other`? */
bool ork_describe_exchanges_with(const struct ork_detector *d, const struct ork_search *s,
                                 const struct ork_finding *f, uint32_t rank, uint32_t other);

/* Are these call sites of two ranks at one place? */
bool ork_describe_is_same_site(struct ork_call_sites *sites, uint32_t a_rank, uint32_t a,
                               uint32_t b_rank, uint32_t b);

/* Pending operations of the ranks of the finding. */
struct near_pending {
    struct ork_pending *item, *unstarted;
    uint32_t count, num_unstarted;
};

/* The one argument in which these miss each other: "tag", "communicator", "destination", "source";
 * NULL: they match, or differ in more. A wildcard receive does not miss messages to others. Static
 * storage. */
const char *ork_describe_missed(const struct ork_pending *recv, const struct ork_pending *send);

/* describe_lost.c: which receive missed the message that `side` sent, if any. */
void ork_describe_add_unmatched(struct ork_writing *w, const struct ork_issue_side *side,
                                struct ork_finding *f);

/* describe_types.c: are the calls of both sides at the same places, and about the same types? */
bool ork_issue_has_same_types(struct ork_call_sites *sites, const struct ork_issue *a,
                              const struct ork_issue *b);

/* describe_near.c: sends and receives that differ in one argument. Sorts the list. */
void ork_describe_near_messages(struct ork_writing *w, const struct ork_search *s,
                                struct ork_pending *list, uint32_t count, struct ork_finding *f);
/* describe_near_other.c: a wildcard receive took the message that another receive waits for; a
 * persistent request that would match was not started. */
void ork_describe_near_taken(struct ork_writing *w, const struct ork_search *s,
                             const struct near_pending *pending, struct ork_finding *f);
void ork_describe_near_unstarted(struct ork_writing *w, const struct ork_search *s,
                                 const struct near_pending *pending, struct ork_finding *f);
/* Receives that no other near miss contains: the rank that they name sent to MPI_PROC_NULL. */
void ork_describe_near_null(struct ork_writing *w, const struct ork_search *s,
                            const struct near_pending *pending, struct ork_finding *f);
/* describe_near_inter.c: leaders of MPI_Intercomm_create that do not find each other. */
void ork_describe_near_intercomms(struct ork_writing *w, const struct ork_search *s,
                                  struct ork_finding *f);
/* describe_near_coll.c: the same collective call on another communicator; a rank that left without
 * making it. */
void ork_describe_near_collectives(struct ork_writing *w, const struct ork_search *s,
                                   struct ork_finding *f);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns what the detector found into text for the user. */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_H

#include "detector/detector.h"
#include "detector/issues.h"
#include "order/file/file.h"
#include "overlay/findings/call_sites.h"
#include "overlay/findings/ends.h"
#include "overlay/findings/places.h"
#include "report/report.h"

/* A deadlock, or part of one. */
struct ork_deadlock {
    const struct ork_search *search; /* strict */
    const bool *root;                /* for each bottom knot: is it part of this finding? */
    enum ork_class class_;
    uint32_t nprocs;
    const bool *unsure; /* ORK_SUSPECTED: see ork_busy_wait_unsure(); may be NULL */
    const struct ork_interleaving *interleaving; /* ORK_INTERLEAVING: its origin */
    enum ork_interleaving_scope scope;
    bool hangs; /* ORK_INTERLEAVING: the job hangs, and its origin explains this */
};

/* *finding is the caller's. ORK_NOMEM. */
enum ork_status ork_describe_deadlock(const struct ork_detector *d, struct ork_call_sites *sites,
                                      const struct ork_deadlock *deadlock,
                                      struct ork_finding *finding);

/* Is it about a call of one rank: a ready send, a lost message, a leaked request? */
bool ork_issue_is_single(const struct ork_issue *issue);
/* Is it about the datatypes of a send and a receive? */
bool ork_issue_is_about_types(const struct ork_issue *issue);
/* Are both the same kind of single issue, of calls at one place? ORK_NOMEM. */
enum ork_status ork_issue_is_alike(struct ork_call_sites *sites, const struct ork_issue *a,
                                   const struct ork_issue *b, bool *yes);
/* One finding of `n` single issues that are alike, n at least 1. */
enum ork_status ork_describe_single_issues(const struct ork_detector *d,
                                           struct ork_call_sites *sites,
                                           const struct ork_issue *const *issue, uint32_t n,
                                           struct ork_finding *finding);
/* The same of those for which ork_issue_is_about_types(). */
enum ork_status ork_describe_type_issues(const struct ork_detector *d, struct ork_call_sites *sites,
                                         const struct ork_issue *const *issue, uint32_t n,
                                         struct ork_finding *finding);
/* Are the calls of a SHIFT, at the two places that one call was made at, no alternatives in the
 * program? Otherwise it is no finding. */
bool ork_issue_is_sure_shift(const struct ork_call_sites *sites, const struct ork_issue *issue);
/* A finding of the detector about more than one call that is no deadlock. */
enum ork_status ork_describe_issue(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_issue *issue, struct ork_finding *finding);

/* A rank with invalid records. */
enum ork_status ork_describe_fault(uint32_t rank, const char *why, struct ork_finding *finding);

/* A rank does not follow the recording: its DIVERGED record. `file`: the recording. */
enum ork_status ork_describe_divergence(struct ork_call_sites *sites,
                                        const struct ork_order_file *file, uint32_t rank,
                                        const struct ork_record *diverged,
                                        struct ork_finding *finding);

/* Why the run ended abnormally (`why` is not NONE). `ends` must be classified. Without a detector
 * no rank returned from MPI_Init; `search` (may be NULL) has the wait-for graph. */
enum ork_status ork_describe_end(const struct ork_detector *d, struct ork_call_sites *sites,
                                 const struct ork_search *search, const struct ork_ends *ends,
                                 enum ork_abnormal why, struct ork_finding *finding);

/* `starting`, ranks in MPI_Init, wait for the other ranks of a job of `size` ranks, which have
 * ended.
 */
enum ork_status ork_describe_missing(const struct ork_u32s *starting, uint32_t size,
                                     struct ork_finding *finding);

/* *any: does a rank that has not ended wait for one that did, by `search`? `ends` must be
 * classified. ORK_NOMEM. */
enum ork_status ork_describe_is_awaited(const struct ork_search *search,
                                        const struct ork_ends *ends, bool *any);

/* Add a sentence to the finding; "" adds nothing. Takes ownership of `text`; NULL: ORK_NOMEM. */
enum ork_status ork_describe_add_detail(struct ork_finding *f, char *text);

/* Where every rank is, and which ranks it waits for by `search` (may be NULL), without a verdict.
 * The id is "state", or "hang" after a long time without progress, or "status" on request. */
enum ork_status ork_describe_state(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_search *search, uint32_t nprocs, const char *id,
                                   const char *message, struct ork_finding *finding);

#endif

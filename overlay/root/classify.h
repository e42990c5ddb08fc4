/* SPDX-License-Identifier: BSD-3-Clause */
/* What a search result is worth: potential, manifest, or too early to say.
 *
 * A strict deadlock is real at any cut of the ranks' records. Its class follows from what the run
 * does with it:
 *  - potential: a rank of it passed the call in which it is deadlocked, because of buffering or a
 *    permissive collective;
 *  - manifest: no rank moved between two collects of the published counters (so the job really was
 *    in this state), and either the same ranks are deadlocked under every implementation
 *    (ORK_PERMISSIVE), or all ranks that could release them have had the time for it (see
 *    patience.h).
 *
 * Elapsed time alone never makes a deadlock manifest. Neither verdict is given while a rank of the
 * deadlock may be about to leave its call with an error: one that knows of a mistake in the call,
 * or a collective call where errors are returned, has the same time as a send. */
#ifndef ORK_OVERLAY_ROOT_CLASSIFY_H
#define ORK_OVERLAY_ROOT_CLASSIFY_H

#include "detector/detector.h"
#include "overlay/root/snapshots.h"
#include "overlay/root/usages.h"

/* A certain cause waits this long for others to become certain, so that one report names all. */
#define ORK_CLASSIFIER_MERGE_NS UINT64_C(500000000)

enum ork_verdict {
    ORK_VERDICT_NONE,      /* no deadlock in this state */
    ORK_VERDICT_POTENTIAL, /* report the knots of .root, relax, look again */
    ORK_VERDICT_MOVED,     /* something moved: nothing to report; look again (after relaxing) */
    ORK_VERDICT_WAIT,      /* undecided: needs more records or time */
    ORK_VERDICT_MANIFEST,
};

struct ork_classifier;

enum ork_status ork_classifier_create(uint32_t nprocs, struct ork_classifier **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_classifier_grow(struct ork_classifier *j, uint32_t nprocs);
/* NULL is allowed. */
void ork_classifier_destroy(struct ork_classifier *classifier);

/* The ranks could not go on until now: begin all measurements anew. */
void ork_classifier_restart(struct ork_classifier *classifier);

/* Classify the state of `d` at time `now_ns`. `usages`: the mistakes that the ranks found; may be
 * NULL. `final`: all ranks have ended. On POTENTIAL and
 * MANIFEST *search is the caller's; *root (for each bottom knot) is the classifier's until the next
 * call. */
enum ork_status ork_classifier_run(struct ork_classifier *classifier, struct ork_detector *d,
                                   struct ork_snapshots *snapshots, const struct ork_usages *usages,
                                   uint64_t now_ns, bool final, enum ork_verdict *verdict,
                                   struct ork_search **search, const bool **root);

#endif

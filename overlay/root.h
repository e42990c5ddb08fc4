/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of the tool: records of all ranks into the detector, the decision when to search and
 * what a result is worth, findings out. */
#ifndef ORK_ROOT_H
#define ORK_ROOT_H

#include "detector/detector.h"
#include "overlay/link.h"
#include "viz/report.h"

struct ork_root;

/* When other matches of wildcard receives are searched for deadlocks; each includes those above. */
enum ork_probing {
    ORK_PROBING_OFF,
    ORK_PROBING_HANG, /* nothing moves, and no deadlock explains it */
    ORK_PROBING_END,  /* the run is over */
    ORK_PROBING_CONTINUOUS,
    ORK_PROBING_THOROUGH, /* also suppose that ranks make the same calls whatever they receive */
};

struct ork_root_options {
    bool deadlocks; /* search for deadlocks (--must:nodl: no) */
    enum ork_probing probing;
    uint64_t queue_limit; /* bytes of what waits in the detector (--must:queue-limit); 0: none */
    struct ork_model model;
    const char *trace; /* file to write every record to, or NULL */
};

/* Where findings go: `context` is the first argument of each. A finding stays the caller's. */
struct ork_report_sink {
    void *context;
    void (*finding)(void *context, const struct ork_finding *finding, bool fatal);
    void (*state)(void *context, const struct ork_finding *finding);
    /* Some rank ended without MPI_Finalize; the launcher should have ended the others, which wait
     * for it, and has not. */
    void (*stuck)(void *context);
};

/* `down` and `sink` must outlive the root. ORK_NOMEM, ORK_IO (the trace; logged). */
enum ork_status ork_root_create(const struct ork_root_options *options,
                                const struct ork_report_sink *sink, struct ork_root **out);
void ork_root_destroy(struct ork_root *root);

/* The root as the upper side of a link. */
struct ork_up ork_root_up(struct ork_root *root);
void ork_root_set_down(struct ork_root *root, const struct ork_down *down);

/* Search if there is reason to. `moved` says whether records came since the last call. Statuses:
 * ORK_NOMEM. */
enum ork_status ork_root_step(struct ork_root *root, bool moved);

/* The user stops the run: say where everybody is. What ends from here on was ended from outside. */
enum ork_status ork_root_interrupt(struct ork_root *root);

/* The user asks where everybody is; the run goes on. */
enum ork_status ork_root_status(struct ork_root *root);

/* Every rank is gone: the last search, the findings that only the end shows. */
enum ork_status ork_root_finish(struct ork_root *root);

/* Fill statistics, notes, ranks, complete of *report (initialised by the caller). */
enum ork_status ork_root_summary(struct ork_root *root, struct ork_report *report);

#endif

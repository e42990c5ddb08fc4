/* SPDX-License-Identifier: BSD-3-Clause */
/* How a run ended: what its folder contains when its process has ended. */
#ifndef ORK_MUSTRUN_EXPLORE_RESULT_H
#define ORK_MUSTRUN_EXPLORE_RESULT_H

#include "order/explore/alternatives.h"
#include "order/explore/trace.h"
#include "mustrun/explore/findings.h"
#include "mustrun/explore/output.h"
#include "report/exploration.h"

struct ork_job_result {
    enum ork_outcome_kind kind;
    char *key;     /* the same for runs that ended in the same way; NULL: LOST */
    char *message; /* a sentence without its full stop; ENDED: NULL */
    char *lost;    /* LOST: why; else NULL */
    bool diverged; /* a rank did not make a choice that it was to make */
    bool went_on;  /* a loop that was to give up did not */
    bool has_threads;
    bool has_jobs;            /* it spawned processes */
    struct ork_report report; /* of the run */
    double seconds;
    uint32_t ranks; /* of the first job */
    /* Of its order; NULL and empty: it made no choices. */
    struct ork_order_file *order;
    struct ork_trace trace;
    struct ork_alternatives *alternatives; /* NULL: unknown */
    char *unknown;                         /* why; NULL: they are known */
};

/* Read the folder of a run of `ranks` ranks; 0: of any number. Failures make the run LOST, or its
 * alternatives unknown. ORK_NOMEM. */
enum ork_status ork_job_result_read(const struct ork_output_rules *rules, const char *folder,
                                    struct ork_job_result *result);
/* Its alternatives, from a file; a failure makes them unknown. ORK_NOMEM. */
enum ork_status ork_job_alternatives_read(const char *path, struct ork_job_result *result);
void ork_job_result_release(struct ork_job_result *result);

/* Compare the findings that are no errors with those of the first run. A run that has others gets a
 * key that tells it from runs without them, and if it ended without an error the kind WARNING;
 * unless its result is not that of the runs with the key `of` (NULL: any). ORK_NOMEM. */
enum ork_status ork_job_result_compare(struct ork_job_result *result,
                                       const struct ork_report *first, const char *of);
/* The part of a key that tells results apart; NULL: runs with this key have none. */
const char *ork_job_key_result(const char *key);
/* Do runs with these keys have the same result? */
bool ork_job_has_same_result(const char *a, const char *b);
/* Is all that counts that ranks were killed by signals in MPI_Finalize? */
bool ork_job_crashed_at_end(const struct ork_job_result *r);

#endif

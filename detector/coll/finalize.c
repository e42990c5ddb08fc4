/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize: a job leaves it when all jobs that are connected with it have entered it (MPI-3.1
 * section 8.7). */
#include "detector/coll/wave.h"
#include "detector/match/match.h"

static bool may_leave(struct ork_detector *d, struct job *job)
{
    ork_job_mark_connected(d, job);
    for (uint32_t i = 0; i < d->num_jobs; i++) {
        if (d->job[i]->marked && d->job[i]->end->arrived < d->job[i]->size)
            return false;
    }
    return true;
}

void ork_job_try_finalize(struct ork_detector *d)
{
    bool all = true;

    for (uint32_t i = 0; i < d->num_jobs; i++) {
        struct job *job = d->job[i];
        ORK_ASSERT(job->end->arrived <= job->size);
        if (!job->finalized && job->end->arrived == job->size && may_leave(d, job)) {
            job->finalized = true;
            ork_wave_notify(d, job->end);
        }
        all &= job->finalized;
    }
    if (all && !d->finalized) {
        d->finalized = true;
        ork_match_report_lost(d);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes jobs: which of the numbered ranks are spawned processes, and which ranks wait for
 * processes that are missing. */
#include "overlay/findings/job_phrase.h"

#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>

enum { JOBS_MAX = 16 };

uint32_t ork_job_of(const struct ork_detector *d, uint32_t rank)
{
    uint32_t low = 0, high = ork_detector_num_jobs(d);

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (ork_detector_job(d, middle).first <= rank)
            low = middle;
        else
            high = middle;
    }
    return low;
}

char *ork_job_origin(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t job)
{
    struct ork_job_view v = ork_detector_job(d, job);

    if (!v.spawned)
        return ork_text("origin unknown");
    char *call = ork_phrase_call_at(sites, v.rank, v.call, v.site);
    char *text = call == NULL ? NULL : ork_text("spawned by rank %u in %s", v.rank, call);
    free(call);
    return text;
}

/* "Ranks 2-4 are ranks 0-2 of job 2, spawned by rank 0 in MPI_Comm_spawn at a.c:31." */
static char *job_words(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t job)
{
    struct ork_job_view v = ork_detector_job(d, job);
    char *origin = ork_job_origin(d, sites, job);
    char *text = NULL;

    if (origin != NULL && v.size == 1)
        text = ork_text("Rank %u is rank 0 of job %u, %s.", v.first, job + 1, origin);
    else if (origin != NULL)
        text = ork_text("Ranks %u-%u are ranks 0-%u of job %u, %s.", v.first, v.first + v.size - 1,
                        v.size - 1, job + 1, origin);
    free(origin);
    return text;
}

enum ork_status ork_describe_add_jobs(const struct ork_detector *d, struct ork_call_sites *sites,
                                      struct ork_finding *f)
{
    uint32_t reported = 0, last = 0, more = 0;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < f->num_waits && status == ORK_OK; i++) { /* ascending ranks */
        uint32_t job = ork_job_of(d, f->waits[i].rank);
        if (job <= last)
            continue;
        last = job;
        if (reported++ < JOBS_MAX)
            status = ork_describe_add_detail(f, job_words(d, sites, job));
        else
            more++;
    }
    if (status == ORK_OK && more > 0)
        status = ork_describe_add_detail(f, ork_text("Ranks of %u more jobs are involved.", more));
    return status;
}

/* In a call whose partner may be processes that the tool does not observe. */
static bool reaches_outside(const struct ork_rank_view *v)
{
    return v->status == ORK_RANK_UNKNOWN &&
           (v->call.call == ORK_CALL_MPI_Comm_accept || v->call.call == ORK_CALL_MPI_Comm_connect ||
            v->call.call == ORK_CALL_MPI_Comm_join || v->call.call == ORK_CALL_MPI_Comm_spawn ||
            v->call.call == ORK_CALL_MPI_Comm_spawn_multiple ||
            v->call.call == ORK_CALL_MPI_Lookup_name);
}

static bool waits_for_cancelled(const struct ork_rank_view *v)
{
    return v->cancelled;
}

/* The ranks for which `holds` is true, as long as they are in the same call; NULL: none, or out of
 * memory. */
static char *who_are(const struct ork_detector *d, uint32_t nprocs,
                     bool (*holds)(const struct ork_rank_view *v), uint16_t *call, bool *one)
{
    struct ork_u32s ranks = {0};
    bool good = true;

    *call = 0;
    for (uint32_t r = 0; r < nprocs && good; r++) {
        struct ork_rank_view v = ork_detector_rank(d, r);
        if (!holds(&v) || (ranks.count > 0 && v.call.call != *call))
            continue;
        *call = v.call.call;
        good = ork_describe_add_rank(&ranks, r);
    }
    char *who = good && ranks.count > 0 ? ork_phrase_ranks(ranks.item, ranks.count) : NULL;
    *one = ranks.count == 1;
    free(ranks.item);
    return who;
}

char *ork_job_phrase_hang(const struct ork_detector *d, uint32_t nprocs, bool unsure)
{
    uint16_t call;
    bool one;
    char *text;
    char *who = who_are(d, nprocs, reaches_outside, &call, &one);

    if (who != NULL) {
        text = ork_text("%s %s in %s for a process outside this run, and no deadlock explains the "
                        "hang",
                        who, one ? "waits" : "wait", ork_call_name(call));
    } else if ((who = who_are(d, nprocs, waits_for_cancelled, &call, &one)) != NULL) {
        text =
            ork_text("%s %s in %s for a send that was cancelled: MPI requires that call to return "
                     "(MPI-3.1 section 3.8.4), but this MPI library does not return from it",
                     who, one ? "waits" : "wait", ork_call_name(call));
    } else {
        text = strdup(unsure ? "every rank has been inside an MPI call for 60 seconds; some ranks "
                               "got hardly any CPU time, so they may still continue"
                             : "every rank has been inside an MPI call for 10 seconds, and no "
                               "deadlock explains it");
    }
    free(who);
    return text;
}

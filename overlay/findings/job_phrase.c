/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes jobs: which of the numbered ranks are spawned processes, and which ranks wait for
 * processes that are missing. */
#include "overlay/findings/job_phrase.h"

#include "overlay/findings/describe_internal.h"
#include "record/calls.h"

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

static const char *origin_words(struct ork_writing *w, uint32_t job)
{
    struct ork_job_view v = ork_detector_job(w->d, job);

    if (!v.spawned)
        return ork_plain(SAYS_JOB_UNKNOWN);
    return ork_say(w, SAYS_JOB_SPAWNED, RANK('r', v.rank),
                   TEXT('c', ork_call_at(w, v.rank, v.call, v.site)));
}

char *ork_job_origin(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t job)
{
    struct ork_writing w = {.d = d, .sites = sites};

    return ork_writing_end_text(&w, origin_words(&w, job));
}

/* "ranks 2-4 are ranks 0-2 of job 2, spawned by rank 0 in MPI_Comm_spawn at a.c:31." */
static const char *job_words(struct ork_writing *w, uint32_t job)
{
    struct ork_job_view v = ork_detector_job(w->d, job);
    const struct ork_slot number = NUMBER('x', job + 1);
    const struct ork_slot origin = TEXT('y', origin_words(w, job));

    if (v.size == 1)
        return ork_say(w, SAYS_JOB_OF_ONE, RANK('r', v.first), number, origin);
    return ork_say(w, SAYS_JOB, NUMBER('n', v.first), NUMBER('m', v.first + v.size - 1),
                   NUMBER('w', v.size - 1), number, origin);
}

void ork_describe_add_jobs(struct ork_writing *w, struct ork_finding *f)
{
    uint32_t reported = 0, last = 0;

    for (uint32_t i = 0; i < f->num_waits; i++) { /* ascending ranks */
        uint32_t job = ork_job_of(w->d, f->waits[i].rank);
        if (job <= last)
            continue;
        last = job;
        if (reported++ < JOBS_MAX)
            ork_writing_detail(w, f, job_words(w, job));
    }
    if (reported > JOBS_MAX)
        ork_writing_detail(w, f, ork_say(w, SAYS_JOBS_MORE, NUMBER('n', reported - JOBS_MAX)));
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

/* The ranks for which `holds` is true, as long as they are in the same call. */
static struct ork_u32s find_ranks(struct ork_writing *w, uint32_t nprocs,
                                  bool (*holds)(const struct ork_rank_view *v), uint16_t *call)
{
    struct ork_u32s ranks = {0};

    *call = 0;
    for (uint32_t r = 0; r < nprocs; r++) {
        struct ork_rank_view v = ork_detector_rank(w->d, r);
        if (!holds(&v) || (ranks.count > 0 && v.call.call != *call))
            continue;
        *call = v.call.call;
        ork_writing_add(w, &ranks, r);
    }
    return ranks;
}

static const char *hang_words(struct ork_writing *w, uint32_t nprocs, bool unsure)
{
    uint16_t call;
    struct ork_u32s ranks = find_ranks(w, nprocs, reaches_outside, &call);
    bool is_outside = ranks.count > 0;

    if (!is_outside)
        ranks = find_ranks(w, nprocs, waits_for_cancelled, &call);
    if (ranks.count == 0)
        return ork_plain(unsure ? SAYS_HANG_UNSURE : SAYS_HANG);
    return ork_say(w, is_outside ? SAYS_HANG_OUTSIDE : SAYS_HANG_CANCELLED, RANKS('r', &ranks),
                   TEXT('c', ork_call_name(call)));
}

char *ork_job_phrase_hang(const struct ork_detector *d, uint32_t nprocs, bool unsure)
{
    struct ork_writing w = {.d = d};

    return ork_writing_end_text(&w, hang_words(&w, nprocs, unsure));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/jobs.h"

#include "common/session.h"
#include "common/vec.h"
#include "interceptor/mpi/next.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct job {
    uint32_t number;
    MPI_Group group;
    uint32_t *rank; /* of each member, in its job; NULL: as in the group */
};
static struct job *jobs; /* the own one first, then in the order in which they came */
static uint32_t num_jobs, room_jobs;

/* A communicator has members of another job. */
struct use {
    uint32_t id, job;
};
static struct use *uses;
static uint32_t num_uses, room_uses;

/* Takes ownership of group and ranks. */
static void add(uint32_t number, MPI_Group group, uint32_t *rank)
{
    int saved = errno;

    if (ork_vec_reserve(&jobs, &room_jobs, num_jobs + 1, sizeof(*jobs))) {
        jobs[num_jobs++] = (struct job){.number = number, .group = group, .rank = rank};
    } else {
        ORK_NEXT(MPI_Group_free)(&group);
        free(rank);
    }
    errno = saved;
}

/* Read numbers that are separated by commas. False: it is something else. */
static bool read_number(const char **text, uint32_t *number)
{
    char *end;
    unsigned long value = strtoul(*text, &end, 10);

    if (end == *text || value > UINT32_MAX || (*end != '\0' && *end != ','))
        return false;
    *text = *end == ',' ? end + 1 : end;
    *number = (uint32_t)value;
    return true;
}

/* The ranks of runs (first, stride, count), which must be `size` in all; NULL: they are not. */
static uint32_t *read_ranks(const char *text, uint32_t size)
{
    uint32_t *rank = malloc(size * sizeof(*rank));
    uint32_t run[3], n = 0;

    while (rank != NULL && *text != '\0') {
        bool is_run = read_number(&text, &run[0]) && read_number(&text, &run[1]) &&
                      read_number(&text, &run[2]) && run[2] <= size - n;
        for (uint32_t i = 0; i < run[2] && is_run; i++)
            rank[n++] = run[0] + i * run[1];
        if (!is_run)
            break;
    }
    if (rank != NULL && *text == '\0' && n == size)
        return rank;
    free(rank);
    return NULL;
}

/* See interceptor/process/spawn.c, which writes them. */
static void add_parents(MPI_Comm parent)
{
    const char *text = getenv(ORK_ENV_PARENTS);
    uint32_t number, *rank = NULL;
    MPI_Group group;
    int size = 0;

    ORK_NEXT(MPI_Comm_remote_size)(parent, &size);
    if (text != NULL && read_number(&text, &number))
        rank = read_ranks(text, (uint32_t)size);
    if (rank == NULL || ORK_NEXT(MPI_Comm_remote_group)(parent, &group) != MPI_SUCCESS)
        free(rank);
    else
        add(number, group, rank);
}

void ork_jobs_init(MPI_Group world)
{
    struct ork_job_rank self = {.job = NULL};
    MPI_Comm parent = MPI_COMM_NULL;
    uint32_t own;

    ork_library_job_rank(&self);
    own = self.job != NULL ? ork_job_number(self.job) : 0;
    ORK_NEXT(MPI_Comm_get_parent)(&parent);
    if (own == 0 && parent != MPI_COMM_NULL) /* it could not be told from the first job */
        return;
    add(own, world, NULL);
    if (parent != MPI_COMM_NULL && num_jobs > 0)
        add_parents(parent);
}

bool ork_jobs_name(MPI_Group group, int i, struct ork_process *name)
{
    for (uint32_t n = num_jobs; n-- > 0;) {
        const struct job *job = &jobs[n];
        int rank = MPI_UNDEFINED;
        ORK_NEXT(MPI_Group_translate_ranks)(group, 1, &i, job->group, &rank);
        if (rank == MPI_UNDEFINED)
            continue;
        *name = (struct ork_process){.job = job->number,
                                     .rank = job->rank != NULL ? job->rank[rank] : (uint32_t)rank};
        return true;
    }
    return false;
}

uint32_t ork_jobs_own(void)
{
    return num_jobs > 0 ? jobs[0].number : 0;
}

void ork_jobs_add(MPI_Comm intercomm, uint32_t job)
{
    MPI_Group group;

    if (ORK_NEXT(MPI_Comm_remote_group)(intercomm, &group) == MPI_SUCCESS)
        add(job, group, NULL);
}

/* ---- communicators with members of other jobs ---- */

static bool is_used(uint32_t job)
{
    for (uint32_t i = 0; i < num_uses; i++) {
        if (uses[i].job == job)
            return true;
    }
    return false;
}

/* RATIONALE: without memory for it, the job is forgotten too early, and its processes have no
 * names. */
static void use(uint32_t id, uint32_t job)
{
    int saved = errno;

    if (ork_vec_reserve(&uses, &room_uses, num_uses + 1, sizeof(*uses)))
        uses[num_uses++] = (struct use){id, job};
    errno = saved;
}

static void forget(uint32_t job)
{
    for (uint32_t i = num_jobs; i-- > 1;) {
        if (jobs[i].number != job)
            continue;
        ORK_NEXT(MPI_Group_free)(&jobs[i].group);
        free(jobs[i].rank);
        memmove(&jobs[i], &jobs[i + 1], (--num_jobs - i) * sizeof(*jobs));
    }
}

void ork_jobs_keep(uint32_t id, const uint32_t *word, uint32_t count)
{
    for (uint32_t i = 0; i + 2 < count && num_jobs > 1; i += 3) {
        bool is_job = word[i] == UINT32_MAX && word[i + 2] == 0;
        if (is_job && word[i + 1] != ork_jobs_own())
            use(id, word[i + 1]);
    }
}

void ork_jobs_keep_like(uint32_t id, uint32_t parent)
{
    for (uint32_t i = 0, n = num_uses; i < n; i++) {
        if (uses[i].id == parent)
            use(id, uses[i].job);
    }
}

void ork_jobs_drop(uint32_t id)
{
    for (uint32_t i = num_uses; i-- > 0;) {
        uint32_t job = uses[i].job;
        if (uses[i].id != id)
            continue;
        uses[i] = uses[--num_uses];
        if (!is_used(job))
            forget(job);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs: the processes of one MPI_COMM_WORLD each, numbered consecutively in the order in which the
 * jobs came. This file handles groups across jobs, and which jobs are connected (MPI-3.1 section
 * 10.5.4). */
#include "detector/state/state.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

static bool add_procs(struct ork_detector *d, struct job *job)
{
    struct proc **bigger = realloc(d->proc, (size_t)(job->first + job->size) * sizeof(*bigger));

    if (bigger == NULL)
        return false;
    d->proc = bigger;
    uint8_t *bulk_blockers = realloc(d->bulk.bulk_blockers, job->first + job->size);
    if (bulk_blockers == NULL)
        return false;
    d->bulk.bulk_blockers = bulk_blockers;
    memset(bulk_blockers + job->first, BULK_THREADS, job->size);
    d->bulk.num_bulk_blocked += job->size;
    job->proc = ork_lines_alloc(job->size, sizeof(*job->proc));
    if (job->proc == NULL)
        return false;
    for (uint32_t i = 0; i < job->size; i++) {
        struct proc *p = &job->proc[i];
        p->d = d;
        p->several_may_call = true; /* until MPI_Init tells */
        p->rank = job->first + i;
        p->job = job;
        p->bulk_waves = d->bulk.bulk_waves;
        d->proc[p->rank] = p;
    }
    d->nprocs = job->first + job->size;
    return true;
}

/* One communicator represents MPI_COMM_SELF of all processes; each process is its only member. */
static struct comm *self_of(struct ork_detector *d, const struct job *job)
{
    const uint64_t key[3] = {UINT64_MAX, 1, 0};
    struct comm *self = job->number > 0 ? ork_comm_numbered(d, ORK_COMM_SELF) : NULL;

    if (self == NULL) {
        self = ork_comm_new(d, key, d->nprocs, d->nprocs, NULL);
        if (self != NULL)
            self->self = true;
        return self;
    }
    uint32_t cap = self->size;
    if (!ork_grow(d, &self->index, &cap, d->nprocs, sizeof(*self->index)))
        return NULL;
    self->size = self->local = d->nprocs;
    return self;
}

/* A communicator of all processes of the job. */
static struct comm *comm_of_job(struct ork_detector *d, const struct job *job, uint64_t which)
{
    const uint64_t key[3] = {UINT64_MAX, which, job->number};
    uint32_t *member = NULL;

    if (job->first > 0) {
        member = malloc(job->size * sizeof(*member));
        if (member == NULL)
            return NULL;
        for (uint32_t i = 0; i < job->size; i++)
            member[i] = job->first + i;
    }
    return ork_comm_new(d, key, job->size, job->size, member);
}

/* False: out of memory. */
static bool add_comm(struct proc *p, uint32_t number, struct comm_ref ref)
{
    struct comm_ref *to = ork_number_map_add(&p->comms, number, sizeof(*to));

    if (to == NULL)
        return false;
    *to = ref;
    p->comm_numbers = number + 1;
    return true;
}

static bool add_comms(struct ork_detector *d, struct job *job)
{
    job->world = comm_of_job(d, job, 0);
    struct comm *self = self_of(d, job);

    job->finalize = comm_of_job(d, job, 2);
    if (job->world == NULL || self == NULL || job->finalize == NULL)
        return false;
    job->world->world_of = job;
    job->finalize->ends = job;
    job->end = ork_wave_at(d, job->finalize, 0);
    for (uint32_t i = 0; i < job->size; i++) {
        struct proc *p = &job->proc[i];
        p->world = (struct comm_ref){job->world, i};
        if (!add_comm(p, ORK_COMM_WORLD, p->world) ||
            !add_comm(p, ORK_COMM_SELF, (struct comm_ref){self, p->rank}))
            return false;
    }
    return job->end != NULL;
}

bool ork_job_add(struct ork_detector *d, uint32_t size)
{
    struct job *job = calloc(1, sizeof(*job));

    if (job == NULL || !ork_vec_extend(&d->job, d->num_jobs, d->num_jobs + 1, sizeof(*d->job))) {
        free(job);
        return false;
    }
    d->job[d->num_jobs] = job;
    job->number = d->num_jobs++;
    job->first = d->nprocs;
    job->size = size;
    job->spawner = UINT32_MAX;
    job->kept = job->number;
    return add_procs(d, job) && add_comms(d, job);
}

void ork_job_destroy(struct job *job)
{
    free(job->proc);
    free(job);
}

static struct job *job_find(const struct ork_detector *d, uint32_t name)
{
    for (uint32_t i = 0; i < d->num_jobs && name != 0; i++) {
        if (d->job[i]->name == name)
            return d->job[i];
    }
    return NULL;
}

enum ork_status ork_detector_add_job(struct ork_detector *d, uint32_t first, uint32_t size,
                                     uint32_t name)
{
    if (d->failed)
        return ORK_NOMEM;
    if (first == 0) {
        d->job[0]->name = name;
        return ORK_OK;
    }
    if (first < d->nprocs) /* another rank of the job came before */
        return ORK_OK;
    if (first > d->nprocs || size == 0 || size > INT32_MAX - first)
        return ORK_INVALID;
    if (!ork_job_add(d, size)) {
        d->failed = true;
        return ORK_NOMEM;
    }
    d->job[d->num_jobs - 1]->name = name;
    return ORK_OK;
}

uint32_t ork_detector_num_jobs(const struct ork_detector *d)
{
    return d->num_jobs;
}

bool ork_detector_has_foreign(const struct ork_detector *d)
{
    return d->has_foreign;
}

struct ork_job_view ork_detector_job(const struct ork_detector *d, uint32_t job)
{
    const struct job *j = d->job[job];

    return (struct ork_job_view){.first = j->first,
                                 .size = j->size,
                                 .spawned = j->spawner != UINT32_MAX,
                                 .rank = j->spawner,
                                 .site = j->spawn_site,
                                 .call = j->spawn_call};
}

/* ---- groups ---- */

/* Not a process: a group with this number is rejected. */
#define NO_PROCESS (UINT32_MAX - 1)

/* Translate the runs of one group in place; returns the number of runs left. */
static uint32_t translate(const struct proc *p, uint32_t *list, uint32_t runs, uint32_t *to)
{
    const struct job *job = p->job;
    uint32_t n = 0;

    for (uint32_t i = 0; i < runs; i++) {
        uint32_t run[3] = {list[3 * i], list[3 * i + 1], list[3 * i + 2]};
        if (run[0] == UINT32_MAX && run[2] == 0) {
            job = job_find(p->d, run[1]);
            continue;
        }
        int64_t last = run[0] + (int64_t)(int32_t)run[1] * ((int64_t)run[2] - 1);
        if (job == NULL)
            run[0] = UINT32_MAX;
        else if (run[0] != UINT32_MAX && run[0] < job->size && last >= 0 && last < job->size)
            run[0] += job->first;
        else if (run[0] != UINT32_MAX)
            run[0] = NO_PROCESS;
        memcpy(to + 3 * n++, run, sizeof(run));
    }
    return n;
}

static bool has_runs(const struct ork_record *rec)
{
    return (rec->kind == ORK_KIND_COMM_DEF && (rec->flags & ORK_F_SAME_GROUP) == 0) ||
           (rec->kind == ORK_KIND_COLL &&
            (rec->mode == ORK_COLL_COMM_CREATE_GROUP || rec->mode == ORK_COLL_COMM_CREATE)) ||
           rec->kind == ORK_KIND_WIN_POST || rec->kind == ORK_KIND_WIN_START;
}

void ork_job_translate(const struct proc *p, struct ork_record *rec, uint32_t *list)
{
    uint32_t runs = rec->count / 3;
    uint32_t local = rec->kind == ORK_KIND_COMM_DEF && rec->arg2 < runs ? rec->arg2 : runs;

    if (!has_runs(rec) || rec->count % 3 != 0)
        return;
    uint32_t left = translate(p, list, local, list);
    uint32_t right = translate(p, list + 3 * (size_t)local, runs - local, list + 3 * (size_t)left);
    if (rec->kind == ORK_KIND_COMM_DEF)
        rec->arg2 = left;
    rec->count = 3 * (left + right);
}

/* ---- connected jobs ---- */

static struct job *job_of(const struct ork_detector *d, const struct comm *c, uint32_t member)
{
    return d->proc[ork_comm_member(c, 0, member)]->job;
}

bool ork_job_link(struct ork_detector *d, struct comm *c)
{
    uint32_t *jobs = NULL;
    uint32_t n = 0, cap = 0;

    ORK_ASSERT(c->num_jobs == 0); /* called once, when it is made */
    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t number = job_of(d, c, i)->number;
        uint32_t k = 0;
        while (k < n && jobs[n - 1 - k] != number) /* the latest first: members come job by job */
            k++;
        if (k < n)
            continue;
        if (!ork_grow(d, &jobs, &cap, n + 1, sizeof(*jobs))) {
            free(jobs);
            return false;
        }
        jobs[n++] = number;
    }
    if (n < 2) {
        free(jobs);
        return true;
    }
    c->job = jobs;
    c->num_jobs = n;
    c->link_next = d->link;
    d->link = c;
    return true;
}

/* Jobs that shared a communicator that was freed, but not disconnected, stay connected for good. */
static void keep_together(struct ork_detector *d, uint32_t a, uint32_t b)
{
    uint32_t from = d->job[a]->kept, to = d->job[b]->kept;

    for (uint32_t i = 0; i < d->num_jobs; i++) {
        if (d->job[i]->kept == from)
            d->job[i]->kept = to;
    }
}

bool ork_job_unlink(struct ork_detector *d, struct comm *c, bool severs)
{
    struct comm **i = &d->link;

    if (c->num_jobs == 0)
        return false;
    while (*i != c)
        i = &(*i)->link_next;
    *i = c->link_next;
    for (uint32_t k = 1; k < c->num_jobs && !severs; k++)
        keep_together(d, c->job[0], c->job[k]);
    c->num_jobs = 0;
    return true;
}

/* One step: mark the jobs that share a communicator with a marked job. */
static bool spread(struct ork_detector *d)
{
    bool any = false;

    for (const struct comm *c = d->link; c != NULL; c = c->link_next) {
        bool marked = false, all = true;
        for (uint32_t k = 0; k < c->num_jobs; k++) {
            marked |= d->job[c->job[k]]->marked;
            all &= d->job[c->job[k]]->marked;
        }
        for (uint32_t k = 0; k < c->num_jobs && marked && !all; k++)
            d->job[c->job[k]]->marked = any = true;
    }
    for (uint32_t i = 0; i < d->num_jobs; i++) {
        struct job *kept = d->job[d->job[i]->kept];
        if (d->job[i]->marked != kept->marked)
            d->job[i]->marked = kept->marked = any = true;
    }
    return any;
}

void ork_job_mark_connected(struct ork_detector *d, struct job *job)
{
    for (uint32_t i = 0; i < d->num_jobs; i++)
        d->job[i]->marked = false;
    job->marked = true;
    while (d->num_jobs > 1 && spread(d))
        ;
}

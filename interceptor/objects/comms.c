/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/objects/comms.h"

#include "common/vec.h"
#include "interceptor/objects/context.h"
#include "interceptor/objects/handles.h"
#include "interceptor/objects/kept_bounds.h"
#include "interceptor/mpi/jobs.h"
#include "interceptor/mpi/next.h"

#include <errno.h>
#include <stdlib.h>

static struct ork_map comms;
struct ork_map ork_windows;
struct ork_map ork_files;
static uint32_t next_id; /* shared by all three */
static MPI_Group world_group;

/* The latest one used. */
static MPI_Comm last_comm;
static uint32_t last_id;

_Atomic uint32_t ork_comms_version;

static struct ork_entry *enter(MPI_Comm comm)
{
    struct ork_entry *e = ork_map_find(&comms, ORK_KEY(comm));

    if (e == NULL)
        e = ork_map_insert(&comms, ORK_KEY(comm));
    if (e == NULL)
        return NULL;
    atomic_fetch_add(&ork_comms_version, 1);
    ork_handles_change();
    e->id = next_id++;
    e->flags = 0;
    last_comm = comm;
    last_id = e->id;
    return e;
}

const struct ork_entry *ork_comm_find(MPI_Comm comm)
{
    return ork_map_find(&comms, ORK_KEY(comm));
}

uint32_t ork_comm_id(MPI_Comm comm)
{
    const struct ork_entry *e;

    if (ORK_LIKELY(comm == last_comm))
        return last_id;
    e = ork_comm_find(comm);
    if (e == NULL)
        return ORK_COMM_UNKNOWN;
    last_comm = comm;
    last_id = e->id;
    return last_id;
}

bool ork_comm_set_has_neighbors(MPI_Comm comm)
{
    struct ork_entry *e = ork_map_find(&comms, ORK_KEY(comm));

    if (e == NULL || (e->flags & ORK_COMM_HAS_NEIGHBORS) != 0)
        return false;
    e->flags |= ORK_COMM_HAS_NEIGHBORS;
    return true;
}

void ork_comm_forget(MPI_Comm comm, uint32_t id)
{
    struct ork_entry *e = ork_map_find(&comms, ORK_KEY(comm));

    ork_context_forget(id);
    ork_jobs_drop(id);
    ork_bounds_forget(id);
    if (e == NULL || e->id != id)
        return;
    ork_map_remove(&comms, e);
    atomic_fetch_add(&ork_comms_version, 1);
    ork_handles_change();
    last_comm = MPI_COMM_WORLD;
    last_id = ORK_COMM_WORLD;
}

/* -- groups -- */

struct words {
    uint32_t *item;
    uint32_t count;
    uint32_t room;
};

static bool append(struct words *words, uint32_t word)
{
    int saved = errno;
    bool done = ork_vec_reserve(&words->item, &words->room, words->count + 1, sizeof(*words->item));

    errno = saved;
    if (done)
        words->item[words->count++] = word;
    return done;
}

/* Length of the longest run from process[0] with one stride >= 0, and that stride. */
static int run_length(const struct ork_process *process, int count, uint32_t *stride)
{
    int n = 1;

    *stride = 1;
    if (count < 2 || process[1].job != process[0].job || process[1].rank < process[0].rank)
        return 1;
    *stride = process[1].rank - process[0].rank;
    while (n < count && process[n].job == process[0].job &&
           process[n].rank >= process[n - 1].rank &&
           process[n].rank - process[n - 1].rank == *stride)
        n++;
    return n;
}

static bool append_run(struct words *words, uint32_t first, uint32_t stride, uint32_t count)
{
    return append(words, first) && append(words, stride) && append(words, count);
}

/* The job of processes of a group without names. */
#define NO_JOB UINT32_MAX

/* Job 0 is our own, with which each group begins. */
static bool append_runs(struct words *words, const struct ork_process *process, int count)
{
    uint32_t job = 0;
    uint32_t stride;
    int n;

    for (int i = 0; i < count; i += n) {
        n = run_length(process + i, count - i, &stride);
        bool switched = process[i].job != job && process[i].job != NO_JOB;
        if (switched && !append_run(words, UINT32_MAX, job = process[i].job, 0))
            return false;
        if (process[i].job == NO_JOB ? !append_run(words, UINT32_MAX, 0, (uint32_t)n)
                                     : !append_run(words, process[i].rank, stride, (uint32_t)n))
            return false;
    }
    return true;
}

/* Name the members that are in other jobs. If there are any, name all, because runs only contain
 * changes of the job. */
static void name_members(MPI_Group group, struct ork_process *process, const int *rank, int size)
{
    struct ork_process name;
    bool all_ours = true;

    for (int i = 0; i < size; i++)
        all_ours &= rank[i] != MPI_UNDEFINED;
    for (int i = 0; i < size; i++) {
        if (all_ours)
            process[i] = (struct ork_process){.rank = (uint32_t)rank[i]};
        else if (ork_process_name(group, i, &name))
            process[i] = name;
        else
            process[i] = (struct ork_process){.job = NO_JOB};
    }
}

/* False: out of memory. */
static bool append_group(struct words *words, MPI_Group group)
{
    int saved = errno;
    int size = 0;
    int *rank;
    struct ork_process *process;
    bool done = false;

    ORK_NEXT(MPI_Group_size)(group, &size);
    if (size == 0)
        return true;
    rank = malloc(2 * (size_t)size * sizeof(*rank));
    process = malloc((size_t)size * sizeof(*process));
    errno = saved;
    if (rank != NULL && process != NULL) {
        for (int i = 0; i < size; i++)
            rank[i] = i;
        ORK_NEXT(MPI_Group_translate_ranks)(group, size, rank, world_group, rank + size);
        name_members(group, process, rank + size, size);
        done = append_runs(words, process, size);
    }
    free(process);
    free(rank);
    return done;
}

/* Write the record with its runs and free them. Out of memory: stop recording, because a wrong
 * group would mislead. */
static void put_words(struct ork_record *record, struct words *words, bool is_complete)
{
    struct ork_list list;

    if (is_complete) {
        record->count = words->count;
        ork_list_begin(&list, record);
        for (uint32_t i = 0; i < words->count; i++)
            ork_list_add(&list, words->item[i]);
        ork_list_end(&list);
        ork_publish();
    } else {
        ork_recorder_stop();
    }
    free(words->item);
}

void ork_put_group(struct ork_record *record, MPI_Group group)
{
    struct words words = {.item = NULL};
    bool is_complete = append_group(&words, group);

    put_words(record, &words, is_complete);
}

static bool append_group_of(struct words *words, int (*get)(MPI_Comm, MPI_Group *), MPI_Comm comm)
{
    MPI_Group group;
    bool done;

    get(comm, &group);
    done = append_group(words, group);
    ORK_NEXT(MPI_Group_free)(&group);
    return done;
}

uint32_t *ork_comm_runs(MPI_Comm comm, uint32_t *count)
{
    struct words words = {.item = NULL};

    if (!append_group_of(&words, PMPI_Comm_group, comm)) {
        free(words.item);
        return NULL;
    }
    *count = words.count;
    return words.item;
}

/* `local`: words of the first group. */
static uint64_t hash_groups(const struct words *words, uint32_t local)
{
    uint64_t first = ork_context_group(words->item, local);

    if (words->count == local)
        return first;
    return ork_context_groups(first, ork_context_group(words->item + local, words->count - local));
}

static void put_groups(MPI_Comm comm, struct ork_record *record, bool inter)
{
    struct words words = {.item = NULL};
    bool done = append_group_of(&words, PMPI_Comm_group, comm);
    uint32_t local = words.count;

    record->arg2 = local / 3;
    if (done && inter)
        done = append_group_of(&words, PMPI_Comm_remote_group, comm);
    if (done) {
        record->extra = ork_context_add(record->comm, hash_groups(&words, local));
        ork_jobs_keep(record->comm, words.item, words.count);
    }
    put_words(record, &words, done);
}

/* -- definitions -- */

static void put_same_group(struct ork_record *record)
{
    record->extra = ork_context_add_like(record->comm, record->arg);
    ork_jobs_keep_like(record->comm, record->arg);
    ork_put(record);
    ork_publish();
}

void ork_comm_define(MPI_Comm comm, struct ork_record *record, bool same_group)
{
    struct ork_entry *e;
    int inter = 0;

    if (comm == MPI_COMM_NULL ||
        (record->arg == ORK_COMM_UNKNOWN && !ork_coll_has(record->mode, ORK_IS_DYNAMIC)))
        return;
    ORK_NEXT(MPI_Comm_test_inter)(comm, &inter);
    e = enter(comm);
    if (e == NULL) {
        ork_recorder_stop();
        return;
    }
    e->flags = inter ? ORK_COMM_INTER : 0;
    record->kind = ORK_KIND_COMM_DEF;
    record->comm = e->id;
    if (inter)
        record->flags |= ORK_F_INTER;
    if (!same_group) {
        put_groups(comm, record, inter != 0);
        return;
    }
    record->flags |= ORK_F_SAME_GROUP;
    put_same_group(record);
}

/* -- the predefined ones -- */

static void define_context(uint32_t id, MPI_Group group)
{
    struct words words = {.item = NULL};

    if (append_group(&words, group))
        ork_context_add(id, ork_context_group(words.item, words.count));
    free(words.item);
}

void ork_comms_init(void)
{
    MPI_Group self_group;

    ORK_NEXT(MPI_Comm_group)(MPI_COMM_WORLD, &world_group);
    ork_names_init(world_group);
    ork_fortran_init();
    enter(MPI_COMM_WORLD);
    enter(MPI_COMM_SELF);
    ORK_NEXT(MPI_Comm_group)(MPI_COMM_SELF, &self_group);
    define_context(ORK_COMM_WORLD, world_group);
    define_context(ORK_COMM_SELF, self_group);
    ORK_NEXT(MPI_Group_free)(&self_group);
}

/* -- windows and files -- */

uint32_t ork_object_id(const struct ork_map *objects, uint64_t key)
{
    const struct ork_entry *e = ork_map_find(objects, key);

    return e != NULL ? e->id : ORK_COMM_UNKNOWN;
}

void ork_object_define(struct ork_map *objects, uint64_t key, struct ork_record *record)
{
    struct ork_entry *e = ork_map_find(objects, key);

    if (record->arg == ORK_COMM_UNKNOWN)
        return;
    if (e == NULL)
        e = ork_map_insert(objects, key);
    if (e == NULL) {
        ork_recorder_stop();
        return;
    }
    e->id = next_id++;
    e->flags = ORK_REQUEST_NULL;
    record->kind = ORK_KIND_COMM_DEF;
    record->comm = e->id;
    record->flags |= ORK_F_SAME_GROUP;
    put_same_group(record);
}

void ork_object_forget(struct ork_map *objects, uint64_t key, uint32_t id)
{
    struct ork_entry *e = ork_map_find(objects, key);

    ork_context_forget(id);
    ork_jobs_drop(id);
    if (e != NULL && e->id == id)
        ork_map_remove(objects, e);
}

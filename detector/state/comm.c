/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators. A rank knows a communicator by a number of its own; who shares it follows from
 * where it was made: parent, place in the parent's order of collective calls, and first member. No
 * message is needed to agree on it. */
#include "detector/internal.h"

#include <stdlib.h>
#include <string.h>

/* Numbers are given densely: one far beyond all others is none. */
enum { LOCAL_IDS_MAX = 1 << 22, LOCAL_IDS_AHEAD = 1 << 16, NAME_MAX_BYTES = 1 << 16 };

static uint32_t hash_identity(const uint64_t key[3])
{
    uint64_t h = key[0] * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ h >> 31 ^ key[1]) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 31 ^ key[2]) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(h >> 32);
}

static struct comm *comm_find(const struct ork_detector *d, const uint64_t key[3])
{
    if (d->comm_buckets == 0)
        return NULL;
    struct comm *c = d->comm_hash[hash_identity(key) & (d->comm_buckets - 1)];
    while (c != NULL && memcmp(c->key, key, sizeof(c->key)) != 0)
        c = c->hash_next;
    return c;
}

static bool comm_rehash(struct ork_detector *d)
{
    uint32_t buckets = d->comm_buckets == 0 ? 64 : d->comm_buckets * 2;
    struct comm **bigger = calloc(buckets, sizeof(struct comm *));

    if (bigger == NULL) {
        d->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < d->comm_buckets; i++) {
        while (d->comm_hash[i] != NULL) {
            struct comm *c = d->comm_hash[i];
            d->comm_hash[i] = c->hash_next;
            struct comm **to = &bigger[hash_identity(c->key) & (buckets - 1)];
            c->hash_next = *to;
            *to = c;
        }
    }
    free(d->comm_hash);
    d->comm_hash = bigger;
    d->comm_buckets = buckets;
    return true;
}

/* `member` is taken over (NULL: member i is process i). */
struct comm *comm_new(struct ork_detector *d, const uint64_t key[3], uint32_t size, uint32_t local,
                      uint32_t *member)
{
    struct comm *c = calloc(1, sizeof(*c));
    uint32_t *index = calloc(size, sizeof(*index));

    if (d->num_comms >= d->comm_buckets && !comm_rehash(d))
        goto err;
    if (c == NULL || index == NULL ||
        !grow(d, &d->comm, &d->comm_cap, d->num_comms + 1, sizeof(*d->comm)))
        goto err;
    c->id = c->shown = d->num_comms;
    c->size = size;
    c->local = local;
    c->member = member;
    c->index = index;
    memcpy(c->key, key, sizeof(c->key));
    d->comm[d->num_comms++] = c;
    struct comm **to = &d->comm_hash[hash_identity(key) & (d->comm_buckets - 1)];
    c->hash_next = *to;
    *to = c;
    return c;
err:
    free(c);
    free(index);
    free(member);
    d->failed = true;
    return NULL;
}

/* Leave but what describes it. */
static void comm_hollow(struct comm *c)
{
    free(c->member);
    free(c->index);
    free(c->wave);
    free(c->job);
    free(c->met);
    passage_put(c->passage);
    c->passage = NULL;
    c->member = c->index = c->job = NULL;
    c->wave = NULL;
    c->met = NULL;
}

void comm_destroy(struct comm *c)
{
    if (c == NULL)
        return;
    comm_hollow(c);
    free(c->name);
    free(c);
}

uint32_t comm_member(const struct comm *c, uint32_t me, uint32_t i)
{
    if (c->self)
        return me;
    return c->member != NULL ? c->member[i] : i;
}

bool comm_peer(const struct comm_ref *ref, int32_t r, uint32_t *process)
{
    const struct comm *c = ref->comm;
    uint32_t first = 0;
    uint32_t count = c->self ? 1 : c->local;

    if (c->inter && ref->me < c->local) {
        first = c->local;
        count = c->size - c->local;
    }
    if (r < 0 || (uint32_t)r >= count)
        return false;
    *process = comm_member(c, ref->me, first + (uint32_t)r);
    return true;
}

/* ---- groups as strided runs (first, stride, count) ---- */

bool runs_are_valid(const struct ork_detector *d, const uint32_t *list, uint32_t runs,
                    uint32_t *size)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < runs; i++) {
        uint32_t first = list[3 * i];
        int64_t stride = (int32_t)list[3 * i + 1];
        uint32_t count = list[3 * i + 2];
        if (count == 0 || count > d->nprocs || first >= d->nprocs)
            return false;
        int64_t last = (int64_t)first + stride * ((int64_t)count - 1);
        if (last < 0 || last >= (int64_t)d->nprocs)
            return false;
        total += count;
    }
    *size = (uint32_t)total;
    return total <= d->nprocs;
}

void runs_expand(const uint32_t *list, uint32_t runs, uint32_t *member)
{
    for (uint32_t i = 0; i < runs; i++) {
        for (uint32_t k = 0; k < list[3 * i + 2]; k++)
            *member++ = list[3 * i] + (uint32_t)((int32_t)list[3 * i + 1] * (int32_t)k);
    }
}

static bool runs_find(const uint32_t *list, uint32_t runs, uint32_t process, uint32_t *position)
{
    uint32_t before = 0;

    for (uint32_t i = 0; i < runs; i++) {
        int64_t stride = (int32_t)list[3 * i + 1];
        int64_t off = (int64_t)process - (int64_t)list[3 * i];
        int64_t k = stride == 0 ? 0 : off / stride;
        if (k >= 0 && k < (int64_t)list[3 * i + 2] && k * stride == off) {
            *position = before + (uint32_t)k;
            return true;
        }
        before += list[3 * i + 2];
    }
    return false;
}

bool layout_of(struct proc *p, const struct ork_record *rec, const uint32_t *list, struct layout *l)
{
    uint32_t runs = rec->count / 3;
    uint32_t local_runs = rec->arg2 < runs ? rec->arg2 : runs;
    uint32_t local, remote = 0;

    *l = (struct layout){.inter = (rec->flags & ORK_F_INTER) != 0};
    if (!l->inter)
        local_runs = runs;
    if (rec->count % 3 != 0 || local_runs == 0 || !runs_are_valid(p->d, list, local_runs, &local) ||
        !runs_are_valid(p->d, list + 3 * (size_t)local_runs, runs - local_runs, &remote) ||
        !runs_find(list, local_runs, p->rank, &l->me) || (l->inter && remote == 0))
        return false;
    l->size = local + remote;
    l->swapped = l->inter && list[3 * (size_t)local_runs] < list[0];
    l->local = l->swapped ? remote : local;
    if (l->swapped)
        l->me += remote;
    return true;
}

uint32_t *layout_members(struct ork_detector *d, const struct ork_record *rec, const uint32_t *list,
                         const struct layout *l)
{
    uint32_t *member = malloc(l->size * sizeof(*member));
    uint32_t runs = rec->count / 3;
    uint32_t local_runs = l->inter ? rec->arg2 : runs;
    uint32_t here = l->swapped ? l->local : 0;
    uint32_t there = l->swapped ? 0 : l->local;

    if (member == NULL) {
        d->failed = true;
        return NULL;
    }
    runs_expand(list, local_runs, member + here);
    if (l->inter)
        runs_expand(list + 3 * (size_t)local_runs, runs - local_runs, member + there);
    return member;
}

/* ---- definitions ---- */

void comm_set_ref(struct proc *p, uint32_t id, struct comm *c, uint32_t me)
{
    if (id >= LOCAL_IDS_MAX || id >= p->num_comms + LOCAL_IDS_AHEAD) {
        proc_fault(p, "a communicator has an invalid number");
        return;
    }
    p->d->definitions++;
    if (grow(p->d, &p->comm, &p->num_comms, id + 1, sizeof(*p->comm)))
        p->comm[id] = (struct comm_ref){c, me};
}

static struct comm *same_group(struct strand *st, const uint64_t key[3],
                               const struct comm_ref *parent)
{
    const struct comm *from = parent->comm;
    uint32_t size = from->self ? 1 : from->size;
    uint32_t *member = malloc(size * sizeof(*member));

    if (member == NULL) {
        st->proc->d->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < size; i++)
        member[i] = comm_member(from, parent->me, i);
    struct comm *c = comm_new(st->proc->d, key, size, from->self ? 1 : from->local, member);
    if (c != NULL)
        c->inter = from->inter;
    return c;
}

void comm_describe(struct comm *c, const struct strand *st, const struct ork_record *rec,
                   const struct comm_ref *parent)
{
    c->made_by = rec->mode < ORK_COLL_MAX ? (enum ork_coll)rec->mode : ORK_COLL_NONE;
    c->parent = parent != NULL ? parent->comm->id : 0;
    c->color = rec->tag2;
    c->rank = st->proc->rank;
    c->site = rec->site;
}

static void identity(const struct strand *st, const struct ork_record *rec, uint32_t first,
                     uint64_t key[3])
{
    key[0] = (uint64_t)st->made_on << 32 | st->made_at;
    key[1] = first;
    key[2] = rec->mode;
}

/* Are there processes in the group of which nothing is known? */
static bool is_foreign(const struct ork_record *rec, const uint32_t *list)
{
    for (uint32_t i = 0; i + 2 < rec->count; i += 3) {
        if (list[i] == UINT32_MAX)
            return true;
    }
    return false;
}

void comm_define(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    struct proc *p = st->proc;
    struct comm_ref *parent = comm_ref(p, rec->arg);
    uint64_t key[3];
    struct layout l;

    if (is_foreign(rec, list))
        return; /* so is what it made: calls on it are beyond us */
    if (is_meeting(rec->mode) || rec->mode == ORK_COLL_INTERCOMM_CREATE) {
        meet_define(st, rec, list);
        return;
    }
    if (st->made_on == MADE_ON_UNKNOWN)
        return;
    if (rec->comm <= ORK_COMM_SELF || st->made_on == MADE_ON_NONE) {
        proc_fault(p, "a communicator was defined without the call that creates it");
        return;
    }
    bool same = (rec->flags & ORK_F_SAME_GROUP) != 0;
    if (same ? parent == NULL : !layout_of(p, rec, list, &l)) {
        proc_fault(p, "a communicator was defined with an invalid group");
        return;
    }
    uint32_t first = same ? comm_member(parent->comm, parent->me, 0) : list[0];
    if (!same && l.swapped)
        first = list[3 * (size_t)rec->arg2];
    identity(st, rec, first, key);
    uint32_t me = !same ? l.me : parent->comm->self ? 0 : parent->me;
    struct comm *c = comm_find(p->d, key);
    if (c == NULL) {
        uint32_t *member = same ? NULL : layout_members(p->d, rec, list, &l);
        if (!same && member == NULL)
            return;
        c = same ? same_group(st, key, parent) : comm_new(p->d, key, l.size, l.local, member);
        if (c == NULL)
            return;
        c->inter = same ? c->inter : l.inter;
        comm_describe(c, st, rec, parent);
        if (p->d->num_jobs > 1 && !job_link(p->d, c))
            return;
    }
    if (me >= c->size || comm_member(c, me, me) != p->rank) {
        proc_fault(p, "the members of a communicator define it differently");
        return;
    }
    comm_set_ref(p, rec->comm, c, me);
}

void comm_drop(struct ork_detector *d, struct comm *c, unsigned coll)
{
    if (++c->freed < c->size || c->waves > 0)
        return;
    struct comm **i = &d->comm_hash[hash_identity(c->key) & (d->comm_buckets - 1)];
    while (*i != c)
        i = &(*i)->hash_next;
    *i = c->hash_next;
    rma_release(d, c);
    meet_forget(d, c);
    job_unlink(d, c, coll != ORK_COLL_COMM_FREE);
    if (c->recorded && !d->history_full)
        return;
    if (c->mentioned) {
        comm_hollow(c);
        return;
    }
    d->comm[c->id] = NULL;
    comm_destroy(c);
}

void comm_release(struct proc *p, uint32_t local_id, unsigned coll)
{
    struct comm_ref *ref = comm_ref(p, local_id);

    if (ref == NULL || local_id <= ORK_COMM_SELF)
        return;
    struct comm *c = ref->comm;
    ref->comm = NULL;
    p->d->definitions++;
    comm_drop(p->d, c, coll);
}

struct comm *comm_of_starts(struct strand *st, const struct comm_ref *ref, uint32_t index)
{
    const uint64_t key[3] = {UINT64_C(1) << 62 | ref->comm->id, index, ORK_COLL_NONE};
    struct comm *c = comm_find(st->proc->d, key);

    if (c == NULL)
        c = same_group(st, key, ref);
    if (c != NULL)
        c->shown = ref->comm->id;
    return c;
}

void comm_mention(struct ork_detector *d, uint32_t id)
{
    const struct comm *c = id < d->num_comms ? d->comm[id] : NULL;

    while (c != NULL && !c->mentioned) {
        d->comm[c->id]->mentioned = true;
        c = c->id > ORK_COMM_SELF && c->parent < d->num_comms ? d->comm[c->parent] : NULL;
    }
}

void comm_set_name(struct proc *p, const struct ork_record *rec, const uint32_t *list)
{
    struct comm_ref *ref = comm_ref(p, rec->comm);

    if (rec->bytes > (uint64_t)rec->count * 4 || rec->bytes > NAME_MAX_BYTES) {
        proc_fault(p, "the name of a communicator is longer than its record");
        return;
    }
    if (ref == NULL || ref->comm->self)
        return;
    char *name = malloc((size_t)rec->bytes + 1);
    if (name == NULL) {
        p->d->failed = true;
        return;
    }
    if (rec->bytes > 0)
        memcpy(name, list, (size_t)rec->bytes);
    name[rec->bytes] = '\0';
    free(ref->comm->name);
    ref->comm->name = name;
}

bool comm_is_outside(const struct proc *p, const struct ork_record *rec, const uint32_t *list)
{
    uint32_t size, position;

    return rec->count % 3 == 0 && runs_are_valid(p->d, list, rec->count / 3, &size) &&
           !runs_find(list, rec->count / 3, p->rank, &position);
}

/* MPI_Comm_create_group: the waves of one group and tag below a parent communicator are in an order
 * of their own. */
struct comm *comm_of_group(struct ork_detector *d, struct proc *p, const struct ork_record *rec,
                           const uint32_t *list, uint32_t *me)
{
    struct comm_ref *parent = comm_ref(p, rec->comm);
    struct layout l;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    if (parent == NULL || (rec->flags & ORK_F_INTER) || !layout_of(p, rec, list, &l)) {
        proc_fault(p, "MPI_Comm_create_group with an invalid group");
        return NULL;
    }
    for (uint32_t i = 0; i < rec->count; i++)
        hash = (hash ^ list[i]) * UINT64_C(0x100000001b3);
    const uint64_t key[3] = {UINT64_C(1) << 63 | parent->comm->id, hash, (uint32_t)rec->tag};
    struct comm *c = comm_find(d, key);
    if (c == NULL) {
        uint32_t *member = layout_members(d, rec, list, &l);
        c = member == NULL ? NULL : comm_new(d, key, l.size, l.local, member);
        if (c == NULL)
            return NULL;
        c->made_by = ORK_COLL_COMM_CREATE_GROUP;
        c->parent = parent->comm->id;
    }
    if (l.me >= c->size || comm_member(c, l.me, l.me) != p->rank) {
        proc_fault(p, "MPI_Comm_create_group with different groups");
        return NULL;
    }
    *me = l.me;
    return c;
}

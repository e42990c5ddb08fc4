/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators. Each rank has its own number for a communicator. The ranks that share it are
 * identified by where it was made: parent, place in the parent's order of collective calls, and
 * first member. The ranks need no message to agree on it. */
#include "detector/state/state.h"

#include <stdlib.h>
#include <string.h>

/* Numbers are dense: a number far above all others is invalid. */
enum { LOCAL_IDS_AHEAD = 1 << 16, NAME_MAX_BYTES = 1 << 16 };

static uint32_t hash_identity(const uint64_t key[3])
{
    uint64_t h = key[0] * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ h >> 31 ^ key[1]) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 31 ^ key[2]) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(h >> 32);
}

struct comm *ork_comm_find(const struct ork_detector *d, const uint64_t key[3])
{
    if (d->comms.buckets == 0)
        return NULL;
    struct comm *c = d->comms.bucket[hash_identity(key) & (d->comms.buckets - 1)];
    while (c != NULL && memcmp(c->key, key, sizeof(c->key)) != 0)
        c = c->hash_next;
    return c;
}

static bool comm_rehash(struct ork_detector *d)
{
    struct comms *all = &d->comms;
    uint32_t buckets = all->buckets == 0 ? 64 : all->buckets * 2;
    struct comm **bigger = calloc(buckets, sizeof(struct comm *));

    if (bigger == NULL) {
        d->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < all->buckets; i++) {
        while (all->bucket[i] != NULL) {
            struct comm *c = all->bucket[i];
            all->bucket[i] = c->hash_next;
            struct comm **to = &bigger[hash_identity(c->key) & (buckets - 1)];
            c->hash_next = *to;
            *to = c;
        }
    }
    free(all->bucket);
    all->bucket = bigger;
    all->buckets = buckets;
    return true;
}

/* With the next number. False: out of memory. */
static bool comm_link(struct ork_detector *d, struct comm *c)
{
    struct comms *all = &d->comms;

    if (all->made == ORK_COMM_UNKNOWN)
        return false;
    struct comm **numbered = ork_number_map_add(&all->by_number, all->made, sizeof(*numbered));
    if (numbered == NULL)
        return false;
    *numbered = c;
    c->id = c->shown = all->made++;
    c->older = all->latest;
    if (all->latest != NULL)
        all->latest->newer = c;
    else
        all->oldest = c;
    all->latest = c;
    all->count++;
    struct comm **to = &all->bucket[hash_identity(c->key) & (all->buckets - 1)];
    c->hash_next = *to;
    *to = c;
    return true;
}

static void comm_unlink(struct ork_detector *d, struct comm *c)
{
    struct comms *all = &d->comms;

    ORK_ASSERT(all->count > 0 && ork_comm_numbered(d, c->id) == c);
    ork_number_map_remove(&all->by_number, c->id, sizeof(struct comm *));
    if (c->older != NULL)
        c->older->newer = c->newer;
    else
        all->oldest = c->newer;
    if (c->newer != NULL)
        c->newer->older = c->older;
    else
        all->latest = c->older;
    all->count--;
    ORK_ASSERT(all->count == all->by_number.used);
}

/* Takes ownership of `member` (NULL: member i is process i). */
struct comm *ork_comm_new(struct ork_detector *d, const uint64_t key[3], uint32_t size,
                          uint32_t local, uint32_t *member)
{
    struct comm *c = calloc(1, sizeof(*c));
    uint32_t *index = calloc(size, sizeof(*index));

    if (d->comms.count >= d->comms.buckets && !comm_rehash(d))
        goto err;
    if (c == NULL || index == NULL)
        goto err;
    c->size = size;
    c->local = local;
    c->member = member;
    c->index = index;
    memcpy(c->key, key, sizeof(c->key));
    if (comm_link(d, c))
        return c;
err:
    free(c);
    free(index);
    free(member);
    d->failed = true;
    return NULL;
}

/* Free everything except its description. */
static void comm_hollow(struct comm *c)
{
    free(c->member);
    free(c->index);
    free(c->calls_at_full);
    c->calls_at_full = NULL;
    ork_wave_ring_release(c);
    free(c->job);
    free(c->joined);
    for (uint32_t i = 0; c->neighbors != NULL && i < c->size; i++)
        free(c->neighbors[i]);
    free(c->neighbors);
    for (uint32_t i = 0; c->lock_number != NULL && i < c->size; i++)
        free(c->lock_number[i]);
    free(c->lock_number);
    free(c->in_step);
    ork_bulk_wave_put(c->bulk_wave);
    c->bulk_wave = NULL;
    c->member = c->index = c->job = NULL;
    c->joined = NULL;
    c->neighbors = NULL;
    c->lock_number = NULL;
    c->in_step = NULL;
}

static void comm_destroy(struct comm *c)
{
    comm_hollow(c);
    free(c->name);
    free(c);
}

void ork_comms_release(struct ork_detector *d)
{
    for (struct comm *next, *c = d->comms.oldest; c != NULL; c = next) {
        next = c->newer;
        comm_destroy(c);
    }
    ork_number_map_release(&d->comms.by_number);
    free(d->comms.bucket);
}

void ork_comm_unhash(struct ork_detector *d, const struct comm *c)
{
    struct comm **i = &d->comms.bucket[hash_identity(c->key) & (d->comms.buckets - 1)];

    while (*i != c)
        i = &(*i)->hash_next;
    *i = c->hash_next;
}

void ork_comm_discard(struct ork_detector *d, struct comm *c)
{
    ORK_ASSERT(c->waves == 0 && c->lock == NULL && c->refs == 0);
    d->comms.num_given_up -= c->is_given_up;
    c->is_given_up = c->recorded && !d->history.full;
    d->comms.num_given_up += c->is_given_up;
    if (c->is_given_up)
        return;
    if (c->mentioned) {
        comm_hollow(c);
        return;
    }
    comm_unlink(d, c);
    comm_destroy(c);
}

void ork_comms_discard_unrecorded(struct ork_detector *d)
{
    for (struct comm *next, *c = d->comms.oldest; c != NULL; c = next) {
        next = c->newer;
        if (c->is_given_up && !c->recorded)
            ork_comm_discard(d, c);
    }
}

uint32_t ork_comm_member(const struct comm *c, uint32_t me, uint32_t i)
{
    if (c->self)
        return me;
    return c->member != NULL ? c->member[i] : i;
}

bool ork_comm_peer(const struct comm_ref *ref, int32_t r, uint32_t *process)
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
    *process = ork_comm_member(c, ref->me, first + (uint32_t)r);
    return true;
}

/* ---- definitions ---- */

void ork_comm_set_ref(struct proc *p, uint32_t id, struct comm *c, uint32_t me)
{
    if (id == ORK_COMM_UNKNOWN ||
        (id >= LOCAL_IDS_AHEAD && id - LOCAL_IDS_AHEAD >= p->comm_numbers)) {
        ork_proc_fault(p, "a communicator has an invalid number");
        return;
    }
    p->d->definitions++;
    struct comm_ref *ref = ork_number_map_add(&p->comms, id, sizeof(*ref));
    if (ref == NULL) {
        p->d->failed = true;
        return;
    }
    if (ref->comm != NULL && ref->comm->refs > 0)
        ref->comm->refs--;
    c->refs++;
    *ref = (struct comm_ref){c, me};
    if (id >= p->comm_numbers)
        p->comm_numbers = id + 1;
}

struct comm *ork_comm_same_group(struct mpi_thread *th, const uint64_t key[3],
                                 const struct comm_ref *parent)
{
    const struct comm *from = parent->comm;
    uint32_t size = from->self ? 1 : from->size;
    uint32_t *member = malloc(size * sizeof(*member));

    if (member == NULL) {
        th->proc->d->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < size; i++)
        member[i] = ork_comm_member(from, parent->me, i);
    struct comm *c = ork_comm_new(th->proc->d, key, size, from->self ? 1 : from->local, member);
    if (c != NULL)
        c->inter = from->inter;
    return c;
}

void ork_comm_describe(struct comm *c, const struct mpi_thread *th, const struct ork_record *rec,
                       const struct comm_ref *parent)
{
    c->made_by = rec->mode < ORK_COLL_MAX ? (enum ork_coll)rec->mode : ORK_COLL_NONE;
    c->parent = parent != NULL ? parent->comm->id : 0;
    c->color = rec->tag2;
    c->rank = th->proc->rank;
    c->site = rec->site;
}

struct comm *ork_comm_of_starts(struct mpi_thread *th, const struct comm_ref *ref, uint32_t index)
{
    const uint64_t key[3] = {UINT64_C(1) << 62 | ref->comm->id, index, ORK_COLL_NONE};
    struct comm *c = ork_comm_find(th->proc->d, key);

    if (c == NULL)
        c = ork_comm_same_group(th, key, ref);
    if (c != NULL)
        c->shown = ref->comm->id;
    return c;
}

void ork_comm_mention(struct ork_detector *d, uint32_t id)
{
    struct comm *c = ork_comm_numbered(d, id);

    while (c != NULL && !c->mentioned) {
        c->mentioned = true;
        c = c->id > ORK_COMM_SELF ? ork_comm_numbered(d, c->parent) : NULL;
    }
}

void ork_comm_set_name(struct proc *p, const struct ork_record *rec, const uint32_t *list)
{
    struct comm_ref *ref = ork_comm_ref(p, rec->comm);

    if (rec->bytes > (uint64_t)rec->count * 4 || rec->bytes > NAME_MAX_BYTES) {
        ork_proc_fault(p, "the name of a communicator is longer than its record");
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

/* MPI_Comm_create_group: the waves of one group and tag below a parent communicator have an order
 * of their own. */
struct comm *ork_comm_of_group(struct ork_detector *d, struct proc *p, const struct ork_record *rec,
                               const uint32_t *list, uint32_t *me)
{
    struct comm_ref *parent = ork_comm_ref(p, rec->comm);
    struct layout l;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    if (parent == NULL || (rec->flags & ORK_F_INTER) || !ork_layout_of(p, rec, list, &l)) {
        ork_proc_fault(p, "MPI_Comm_create_group with an invalid group");
        return NULL;
    }
    for (uint32_t i = 0; i < rec->count; i++)
        hash = (hash ^ list[i]) * UINT64_C(0x100000001b3);
    const uint64_t key[3] = {UINT64_C(1) << 63 | parent->comm->id, hash, (uint32_t)rec->tag};
    struct comm *c = ork_comm_find(d, key);
    if (c == NULL) {
        uint32_t *member = ork_layout_members(d, rec, list, &l);
        c = member == NULL ? NULL : ork_comm_new(d, key, l.size, l.local, member);
        if (c == NULL)
            return NULL;
        c->made_by = ORK_COLL_COMM_CREATE_GROUP;
        c->parent = parent->comm->id;
    }
    if (l.me >= c->size || ork_comm_member(c, l.me, l.me) != p->rank) {
        ork_proc_fault(p, "MPI_Comm_create_group with different groups");
        return NULL;
    }
    *me = l.me;
    return c;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/comms/comms.h"

#include "order/comms/group.h"
#include "common/hash.h"
#include "common/number_map.h"

#include <stdlib.h>

enum { BUCKETS = 1024 };

/* Communicators of one rank by their number. */
struct numbers {
    struct ork_number_map refs; /* entries: struct ork_comm_ref */
    uint32_t count;             /* all were lower so far */
};

struct ork_comms {
    uint32_t nprocs;
    struct ork_comm_user user;
    struct ork_comm *bucket[BUCKETS];
    struct ork_comm *self; /* MPI_COMM_SELF of each rank */
    struct numbers *rank;
};

static bool init(const struct ork_comms *s, struct ork_comm *c, uint64_t context,
                 struct ork_group *g)
{
    c->context = context;
    c->group = g;
    c->joined = calloc(g->size, sizeof(*c->joined));
    return c->joined != NULL && s->user.make(s->user.context, c);
}

static void clear(const struct ork_comms *s, struct ork_comm *c)
{
    s->user.destroy(s->user.context, c);
    free(c->joined);
    ork_comms_group_release(c->group);
}

static struct ork_comm **bucket_of(struct ork_comms *s, uint64_t context)
{
    return &s->bucket[context % BUCKETS];
}

static struct ork_comm *find(struct ork_comms *s, uint64_t context)
{
    struct ork_comm *c = *bucket_of(s, context);

    while (c != NULL && c->context != context)
        c = c->next;
    return c;
}

static struct ork_comm *make(struct ork_comms *s, uint64_t context, struct ork_group *g)
{
    struct ork_comm *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return NULL;
    g->refs++;
    if (!init(s, c, context, g)) {
        clear(s, c);
        free(c);
        return NULL;
    }
    c->next = *bucket_of(s, context);
    *bucket_of(s, context) = c;
    return c;
}

/* False: out of memory. */
static bool set_ref(struct numbers *n, uint32_t id, struct ork_comm_ref ref)
{
    struct ork_comm_ref *to = ork_number_map_add(&n->refs, id, sizeof(*to));

    if (to == NULL)
        return false;
    *to = ref;
    return true;
}

/* MPI_COMM_WORLD has the context number 0 here, which no other one has. */
static bool make_world(struct ork_comms *s)
{
    struct ork_group *world = ork_comms_group_make(0, s->nprocs);

    if (world == NULL)
        return false;
    struct ork_comm *c = make(s, 0, world);
    ork_comms_group_release(world);
    for (uint32_t r = 0; c != NULL && r < s->nprocs; r++) {
        struct numbers *n = &s->rank[r];
        struct ork_group *g = ork_comms_group_make(r, 1);
        if (g == NULL || !init(s, &s->self[r], 0, g) ||
            !set_ref(n, ORK_COMM_WORLD, (struct ork_comm_ref){.comm = c, .me = r}) ||
            !set_ref(n, ORK_COMM_SELF, (struct ork_comm_ref){.comm = &s->self[r]}))
            return false;
        n->count = ORK_COMM_SELF + 1;
    }
    return c != NULL;
}

struct ork_comms *ork_comms_create(uint32_t nprocs, struct ork_comm_user user)
{
    struct ork_comms *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return NULL;
    s->nprocs = nprocs;
    s->user = user;
    s->rank = calloc(nprocs, sizeof(*s->rank));
    s->self = calloc(nprocs, sizeof(*s->self));
    if (s->rank == NULL || s->self == NULL || !make_world(s)) {
        ork_comms_destroy(s);
        return NULL;
    }
    return s;
}

void ork_comms_destroy(struct ork_comms *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < BUCKETS; i++) {
        while (s->bucket[i] != NULL) {
            struct ork_comm *c = s->bucket[i];
            s->bucket[i] = c->next;
            clear(s, c);
            free(c);
        }
    }
    for (uint32_t r = 0; s->self != NULL && r < s->nprocs; r++) {
        if (s->self[r].group != NULL)
            clear(s, &s->self[r]);
    }
    for (uint32_t r = 0; s->rank != NULL && r < s->nprocs; r++)
        ork_number_map_release(&s->rank[r].refs);
    free(s->self);
    free(s->rank);
    free(s);
}

struct ork_comm_ref ork_comms_ref(const struct ork_comms *s, uint32_t rank, uint32_t id)
{
    const struct ork_comm_ref *ref = ork_number_map_find(&s->rank[rank].refs, id, sizeof(*ref));

    return ref != NULL ? *ref : (struct ork_comm_ref){0};
}

void ork_comms_visit(const struct ork_comms *s,
                     bool (*visit)(void *context, const struct ork_comm *comm), void *context)
{
    for (unsigned i = 0; i < BUCKETS; i++) {
        for (const struct ork_comm *c = s->bucket[i]; c != NULL; c = c->next) {
            if (!visit(context, c))
                return;
        }
    }
    for (uint32_t r = 0; r < s->nprocs; r++) {
        if (!visit(context, &s->self[r]))
            return;
    }
}

/* Does the group contain processes of another job? */
static bool is_foreign(const struct ork_record *record, const uint32_t *list)
{
    for (uint32_t i = 0; i + 2 < record->count; i += 3) {
        if (list[i] == UINT32_MAX)
            return true;
    }
    return false;
}

static enum ork_status join(struct ork_comms *s, struct numbers *n, uint32_t id, uint64_t context,
                            struct ork_group *g, uint32_t me)
{
    struct ork_comm *c = find(s, context);

    if (c == NULL)
        c = make(s, context, g);
    if (c == NULL)
        return ORK_NOMEM;
    if (!ork_comms_group_is_same(c->group, g) || c->joined[me])
        return ORK_INVALID;
    c->joined[me] = true;
    return set_ref(n, id, (struct ork_comm_ref){.comm = c, .me = me}) ? ORK_OK : ORK_NOMEM;
}

enum ork_status ork_comms_define(struct ork_comms *s, uint32_t rank,
                                 const struct ork_record *record, const uint32_t *list,
                                 struct ork_comm **dropped)
{
    struct numbers *n = &s->rank[rank];
    struct ork_comm_ref parent = ork_comms_ref(s, rank, record->arg);
    bool same = (record->flags & ORK_F_SAME_GROUP) != 0;
    uint32_t id = record->comm, me = parent.me;
    struct ork_group *g = NULL;

    *dropped = NULL;
    if (id == ORK_COMM_UNKNOWN)
        return ORK_OK;
    if (id <= ORK_COMM_SELF || (id >= ORK_NUMBERS_AHEAD && id - ORK_NUMBERS_AHEAD >= n->count))
        return ORK_INVALID;
    if (id >= n->count)
        n->count = id + 1;
    if (same && parent.comm != NULL) {
        g = parent.comm->group;
        g->refs++;
    }
    *dropped = ork_comms_drop(s, rank, id);
    if (record->extra == 0 || is_foreign(record, list) || (same && g == NULL)) {
        ork_comms_group_release(g);
        return ORK_OK;
    }
    enum ork_status status = ORK_OK;
    if (!same)
        status = ork_comms_group_read(s->nprocs, rank, record, list, &me, &g);
    if (status == ORK_OK)
        status = join(s, n, id, record->extra, g, me);
    ork_comms_group_release(g);
    return status;
}

/* RATIONALE: contexts are hashes, too. A collision makes a group that is not the same, and then the
 * call is not followed. */
static uint64_t context_of_group(uint64_t parent, int32_t tag, const struct ork_group *g)
{
    uint64_t h = ork_hash_add(ork_hash_add(parent, (uint32_t)tag), g->size);

    for (uint32_t i = 0; i < g->size; i++)
        h = ork_hash_add(h, g->member[i]);
    return h;
}

enum ork_status ork_comms_of_group(struct ork_comms *s, uint32_t rank,
                                   const struct ork_record *call, const uint32_t *list,
                                   struct ork_comm_ref *ref)
{
    const struct ork_record group = {.kind = ORK_KIND_COMM_DEF, .count = call->count};
    struct ork_comm_ref parent = ork_comms_ref(s, rank, call->comm);
    struct ork_group *g = NULL;
    uint32_t me = 0;

    *ref = (struct ork_comm_ref){0};
    if (parent.comm == NULL || is_foreign(call, list))
        return ORK_OK;
    enum ork_status status = ork_comms_group_read(s->nprocs, rank, &group, list, &me, &g);
    if (status != ORK_OK)
        return status == ORK_NOMEM ? ORK_NOMEM : ORK_OK;
    uint64_t context = context_of_group(parent.comm->context, call->tag, g);
    struct ork_comm *c = find(s, context);
    if (c == NULL)
        c = make(s, context, g);
    if (c == NULL)
        status = ORK_NOMEM;
    else if (ork_comms_group_is_same(c->group, g))
        *ref = (struct ork_comm_ref){.comm = c, .me = me};
    ork_comms_group_release(g);
    return status;
}

struct ork_comm *ork_comms_drop(struct ork_comms *s, uint32_t rank, uint32_t id)
{
    struct ork_comm *c = ork_comms_ref(s, rank, id).comm;

    if (c == NULL || id <= ORK_COMM_SELF)
        return NULL;
    ork_number_map_remove(&s->rank[rank].refs, id, sizeof(struct ork_comm_ref));
    return ++c->freed < c->group->size ? NULL : c;
}

bool ork_comms_has_root(const struct ork_comm *comm, const struct ork_record *call)
{
    return comm->group->inter || call->mode == ORK_COLL_INTERCOMM_CREATE || call->peer < 0 ||
           (uint32_t)call->peer < comm->group->size;
}

void ork_comms_remove(struct ork_comms *s, struct ork_comm *c)
{
    struct ork_comm **link = bucket_of(s, c->context);

    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    clear(s, c);
    free(c);
}

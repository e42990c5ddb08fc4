/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, windows and files. All members know them by the same context number. */
#include "arbiter/internal.h"

#include <stdlib.h>

static bool init(struct comm *c, uint64_t context, struct group *g)
{
    c->context = context;
    c->group = g;
    c->mailbox = calloc(g->size, sizeof(struct mailbox *));
    c->calls = calloc(g->size, sizeof(*c->calls));
    c->joined = calloc(g->size, sizeof(*c->joined));
    return c->mailbox != NULL && c->calls != NULL && c->joined != NULL;
}

static void clear(struct comm *c)
{
    for (uint32_t i = 0; c->mailbox != NULL && i < c->group->size; i++) {
        if (c->mailbox[i] != NULL)
            ork_arbiter_mailbox_destroy(c->mailbox[i]);
    }
    ork_arbiter_waves_destroy(c);
    free(c->mailbox);
    free(c->calls);
    free(c->joined);
    ork_arbiter_group_release(c->group);
}

static struct comm **bucket_of(struct ork_arbiter *a, uint64_t context)
{
    return &a->bucket[context % BUCKETS];
}

static struct comm *find(struct ork_arbiter *a, uint64_t context)
{
    struct comm *c = *bucket_of(a, context);

    while (c != NULL && c->context != context)
        c = c->next;
    return c;
}

static struct comm *make(struct ork_arbiter *a, uint64_t context, struct group *g)
{
    struct comm *c = calloc(1, sizeof(*c));

    if (c == NULL) {
        a->failed = true;
        return NULL;
    }
    g->refs++;
    if (!init(c, context, g)) {
        a->failed = true;
        clear(c);
        free(c);
        return NULL;
    }
    c->next = *bucket_of(a, context);
    *bucket_of(a, context) = c;
    return c;
}

/* MPI_COMM_WORLD has the context number 0 here, which no other one has. */
bool ork_arbiter_comm_init(struct ork_arbiter *a)
{
    struct group *world = calloc(1, sizeof(*world));

    a->self = calloc(a->nprocs, sizeof(*a->self));
    if (world == NULL || a->self == NULL) {
        free(world);
        return false;
    }
    *world = (struct group){.refs = 1, .size = a->nprocs, .local = a->nprocs};
    struct comm *c = make(a, 0, world);
    ork_arbiter_group_release(world);
    for (uint32_t r = 0; c != NULL && r < a->nprocs; r++) {
        struct group *g = calloc(1, sizeof(*g));
        if (g == NULL)
            return false;
        *g = (struct group){.refs = 1, .size = 1, .local = 1, .member = malloc(sizeof(uint32_t))};
        if (!init(&a->self[r], 0, g) || g->member == NULL)
            return false;
        g->member[0] = r;
        a->rank[r].comm[ORK_COMM_WORLD] = (struct comm_ref){.comm = c, .me = r};
        a->rank[r].comm[ORK_COMM_SELF] = (struct comm_ref){.comm = &a->self[r]};
        a->rank[r].comms = ORK_COMM_SELF + 1;
    }
    return c != NULL;
}

void ork_arbiter_comm_destroy_all(struct ork_arbiter *a)
{
    for (uint32_t i = 0; i < BUCKETS; i++) {
        while (a->bucket[i] != NULL) {
            struct comm *c = a->bucket[i];
            a->bucket[i] = c->next;
            clear(c);
            free(c);
        }
    }
    for (uint32_t r = 0; a->self != NULL && r < a->nprocs; r++) {
        if (a->self[r].group != NULL)
            clear(&a->self[r]);
    }
    free(a->self);
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

static void join(struct rank *p, const struct ork_record *record, struct group *g, uint32_t me)
{
    struct comm *c = find(p->arbiter, record->extra);

    if (c == NULL)
        c = make(p->arbiter, record->extra, g);
    if (c == NULL)
        return;
    if (!ork_arbiter_group_is_same(c->group, g) || c->joined[me]) {
        ork_arbiter_rank_lose(p);
        return;
    }
    c->joined[me] = true;
    p->comm[record->comm] = (struct comm_ref){.comm = c, .me = me};
}

void ork_arbiter_comm_define(struct rank *p, const struct ork_record *record, const uint32_t *list)
{
    struct comm_ref parent = ork_arbiter_comm_ref(p, record->arg);
    bool same = (record->flags & ORK_F_SAME_GROUP) != 0;
    uint32_t id = record->comm, me = parent.me;

    if (id == ORK_COMM_UNKNOWN)
        return;
    if (id <= ORK_COMM_SELF || id >= p->comms + NUMBERS_AHEAD) {
        ork_arbiter_rank_lose(p);
        return;
    }
    if (!ork_vec_reserve(&p->comm, &p->comm_room, id + 1, sizeof(*p->comm))) {
        p->arbiter->failed = true;
        return;
    }
    if (id >= p->comms)
        p->comms = id + 1;
    ork_arbiter_comm_drop(p, id);
    if (record->extra == 0 || is_foreign(record, list) || (same && parent.comm == NULL))
        return;
    struct group *g = same ? parent.comm->group : ork_arbiter_group_read(p, record, list, &me);
    if (g == NULL) {
        ork_arbiter_rank_lose(p);
        return;
    }
    join(p, record, g, me);
    if (!same)
        ork_arbiter_group_release(g);
}

void ork_arbiter_comm_drop(struct rank *p, uint32_t id)
{
    struct comm *c = ork_arbiter_comm_ref(p, id).comm;

    if (c == NULL || id <= ORK_COMM_SELF)
        return;
    p->comm[id].comm = NULL;
    if (++c->freed < c->group->size)
        return;
    for (uint32_t i = 0; i < c->group->size; i++) {
        if (c->mailbox[i] != NULL && !ork_arbiter_mailbox_is_empty(c->mailbox[i]))
            return; /* freed with all others in the end */
    }
    if (c->first_wave != NULL)
        return;
    struct comm **link = bucket_of(p->arbiter, c->context);
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    clear(c);
    free(c);
}

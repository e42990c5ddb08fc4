/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that MPI_Comm_spawn, accept, connect and join return (MPI-3.1 chapter 10),
 * MPI_Comm_get_parent in a child, and MPI_Intercomm_create (section 6.6.2).
 *
 * The two sides have no common communicator before, so its order of calls cannot identify the new
 * one. But each such call returns only after that of the other side: two groups that connect
 * repeatedly do so in the same order on both sides. (This does not hold if threads of one process
 * accept the same group at the same time; spawned processes are always new.) */
#include "detector/coll/dynamic_comm.h"

#include <stdlib.h>
#include <string.h>

/* Only the tag of MPI_Intercomm_create identifies anything. */
static int32_t tag_of(const struct ork_record *rec)
{
    return rec->mode == ORK_COLL_INTERCOMM_CREATE ? rec->tag : ORK_ANY_TAG;
}

static struct comm *find(const struct ork_detector *d, const struct layout *l,
                         const uint32_t *member, int32_t tag)
{
    struct comm *c = d->dynamic;

    while (c != NULL &&
           (c->leader_tag != tag || c->size != l->size || c->local != l->local ||
            c->joined[l->me] || memcmp(c->member, member, l->size * sizeof(*member)) != 0))
        c = c->dynamic_next;
    return c;
}

/* Takes ownership of `member`. */
static struct comm *begin(struct ork_detector *d, const struct layout *l, uint32_t *member,
                          int32_t tag)
{
    const uint64_t key[3] = {UINT64_MAX - 2, d->num_meetings++, 0};
    struct comm *c = ork_comm_new(d, key, l->size, l->local, member);
    struct comm **end = &d->dynamic;

    if (c == NULL)
        return NULL;
    c->inter = true;
    c->leader_tag = tag;
    c->joined = calloc(c->size, sizeof(*c->joined));
    if (c->joined == NULL || !ork_job_link(d, c)) {
        d->failed = true;
        return NULL;
    }
    while (*end != NULL)
        end = &(*end)->dynamic_next;
    *end = c;
    return c;
}

void ork_dynamic_forget(struct ork_detector *d, struct comm *c)
{
    struct comm **i = &d->dynamic;

    while (*i != NULL && *i != c)
        i = &(*i)->dynamic_next;
    if (*i == c)
        *i = c->dynamic_next;
}

static void note_spawn(struct comm *c, const struct mpi_thread *th, const struct ork_record *rec,
                       const struct comm_ref *parent, const struct layout *l)
{
    const struct proc *p = th->proc;
    uint32_t other = l->swapped ? 0 : l->local;
    struct job *children = p->d->proc[c->member[other]]->job;
    bool is_root = parent != NULL && rec->peer >= 0 && (uint32_t)rec->peer < parent->comm->size &&
                   ork_comm_member(parent->comm, parent->me, (uint32_t)rec->peer) == p->rank;

    if (children->spawner != UINT32_MAX && !is_root)
        return;
    children->spawner = p->rank;
    children->spawn_site = rec->site;
    children->spawn_call = rec->call;
}

/* A child got it from MPI_Init and knows it as MPI_COMM_PARENT; its parents know the call that made
 * it. */
static void describe(struct comm *c, const struct mpi_thread *th, const struct ork_record *rec,
                     const struct comm_ref *parent, const struct layout *l)
{
    bool by_spawn = rec->mode == ORK_COLL_COMM_SPAWN || rec->mode == ORK_COLL_COMM_SPAWN_MULTIPLE;
    bool by_child = by_spawn && th->made_on == MADE_ON_NONE;

    if (c->made_by == ORK_COLL_NONE || (c->made_by_child && !by_child)) {
        ork_comm_describe(c, th, rec, parent);
        c->made_by_child = by_child;
    }
    if (by_spawn && !by_child)
        note_spawn(c, th, rec, parent, l);
}

void ork_dynamic_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    struct proc *p = th->proc;
    struct ork_detector *d = p->d;
    struct layout l;

    if ((rec->flags & (ORK_F_INTER | ORK_F_SAME_GROUP)) != ORK_F_INTER ||
        rec->comm <= ORK_COMM_SELF || !ork_layout_of(p, rec, list, &l)) {
        ork_proc_fault(p, "a communicator was defined with an invalid group");
        return;
    }
    uint32_t *member = ork_layout_members(d, rec, list, &l);
    if (member == NULL)
        return;
    struct comm *c = find(d, &l, member, tag_of(rec));
    if (c != NULL)
        free(member);
    else
        c = begin(d, &l, member, tag_of(rec));
    if (c == NULL)
        return;
    ORK_ASSERT(!c->joined[l.me]);
    c->joined[l.me] = true;
    describe(c, th, rec, ork_comm_ref(p, rec->arg), &l);
    ork_comm_set_ref(p, rec->comm, c, l.me);
    if (memchr(c->joined, false, c->size) == NULL) /* all members have joined */
        ork_dynamic_forget(d, c);
}

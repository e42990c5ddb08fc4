/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation and destruction of communicators: COMM_DEF records, and the calls that free. */
#include "detector/calls/definition.h"
#include "detector/calls/rma.h"
#include "detector/coll/dynamic_comm.h"
#include "detector/coll/wave.h"

#include <stdlib.h>

static void identity(const struct mpi_thread *th, const struct ork_record *rec, uint32_t first,
                     uint64_t key[3])
{
    key[0] = (uint64_t)th->made_on << 32 | th->made_at;
    key[1] = first;
    key[2] = rec->mode;
}

/* Does the group contain unknown processes? */
static bool is_foreign(const struct ork_record *rec, const uint32_t *list)
{
    for (uint32_t i = 0; i + 2 < rec->count; i += 3) {
        if (list[i] == UINT32_MAX)
            return true;
    }
    return false;
}

void ork_comm_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    struct proc *p = th->proc;
    struct comm_ref *parent = ork_comm_ref(p, rec->arg);
    uint64_t key[3];
    struct layout l;

    if (is_foreign(rec, list)) {
        p->d->has_foreign = true;
        return; /* then the new communicator is unknown too: calls on it are not analysed */
    }
    if (ork_coll_has(rec->mode, ORK_IS_DYNAMIC) || rec->mode == ORK_COLL_INTERCOMM_CREATE) {
        ork_dynamic_define(th, rec, list);
        return;
    }
    if (th->made_on == MADE_ON_UNKNOWN)
        return;
    if (rec->comm <= ORK_COMM_SELF || th->made_on == MADE_ON_NONE) {
        ork_proc_fault(p, "a communicator was defined without the call that creates it");
        return;
    }
    bool same = (rec->flags & ORK_F_SAME_GROUP) != 0;
    if (same ? parent == NULL : !ork_layout_of(p, rec, list, &l)) {
        ork_proc_fault(p, "a communicator was defined with an invalid group");
        return;
    }
    uint32_t first = same ? ork_comm_member(parent->comm, parent->me, 0) : list[0];
    if (!same && l.swapped)
        first = list[3 * (size_t)rec->arg2];
    identity(th, rec, first, key);
    uint32_t me = !same ? l.me : parent->comm->self ? 0 : parent->me;
    struct comm *c = ork_comm_find(p->d, key);
    if (c == NULL) {
        uint32_t *member = same ? NULL : ork_layout_members(p->d, rec, list, &l);
        if (!same && member == NULL)
            return;
        c = same ? ork_comm_same_group(th, key, parent)
                 : ork_comm_new(p->d, key, l.size, l.local, member);
        if (c == NULL)
            return;
        c->inter = same ? c->inter : l.inter;
        ork_comm_describe(c, th, rec, parent);
        if (p->d->num_jobs > 1 && !ork_job_link(p->d, c))
            return;
    } else if (p->rank < c->rank) { /* a report does not depend on who comes first */
        ork_comm_describe(c, th, rec, parent);
    }
    if (me >= c->size || ork_comm_member(c, me, me) != p->rank) {
        ork_proc_fault(p, "the members of a communicator define it differently");
        return;
    }
    ork_comm_set_ref(p, rec->comm, c, me);
}

static void discard_if_unused(struct ork_detector *d, struct comm *c)
{
    /* invalid records may give it two numbers in one process */
    if (c->freed < c->size || c->refs > 0 || c->waves > 0)
        return;
    ork_comm_unhash(d, c);
    ork_rma_release(d, c);
    ork_dynamic_forget(d, c);
    if (ork_job_unlink(d, c, c->freed_by != ORK_COLL_COMM_FREE))
        ork_job_try_finalize(d);
    ork_comm_discard(d, c);
}

void ork_comm_drop(struct ork_detector *d, struct comm *c, unsigned coll)
{
    c->freed++;
    c->freed_by = (uint16_t)coll;
    discard_if_unused(d, c);
}

void ork_comm_hold(struct proc *p, uint32_t local_id, struct comm_ref *on)
{
    const struct comm_ref *ref = ork_comm_ref(p, local_id);

    *on = ref != NULL ? *ref : (struct comm_ref){0};
    if (on->comm != NULL && local_id > ORK_COMM_SELF)
        on->comm->refs++;
}

void ork_comm_let_go(struct ork_detector *d, uint32_t local_id, struct comm_ref *on)
{
    struct comm *c = on->comm;

    on->comm = NULL;
    if (c == NULL || local_id <= ORK_COMM_SELF)
        return;
    c->refs -= c->refs > 0;
    discard_if_unused(d, c);
}

/* A thread that is in a call on it. */
static struct mpi_thread *user_of(const struct proc *p, uint32_t local_id)
{
    for (uint32_t i = 0; i < p->num_threads; i++) {
        struct mpi_thread *th = p->thread[i];
        if (th->in_call && th->call.comm == local_id && ork_record_has(&th->call, ORK_HAS_COMM))
            return th;
    }
    return NULL;
}

void ork_comm_release(struct proc *p, uint32_t local_id, unsigned coll)
{
    struct comm_ref *ref = ork_comm_ref(p, local_id);
    struct mpi_thread *user = p->num_threads > 1 ? user_of(p, local_id) : NULL;

    if (ref == NULL || local_id <= ORK_COMM_SELF)
        return;
    if (user != NULL) {
        user->frees = (uint16_t)coll;
        return;
    }
    struct comm *c = ref->comm;
    ork_number_map_remove(&p->comms, local_id, sizeof(*ref));
    c->refs -= c->refs > 0;
    p->d->definitions++;
    ork_comm_drop(p->d, c, coll);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a rank, one after the other: first the history, then what waits in the queue of
 * its thread. */
#include "detector/interleaving/program_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct ork_record *request_slot_at(const struct reader *r, size_t i)
{
    const struct mpi_thread *th = r->p->thread[0];

    if (!r->in_queue)
        return record_log_at(&r->p->history.record_log, i);
    return i < th->queue.count ? &th->queue.slot[(th->queue.first + i) & (th->queue.cap - 1)]
                               : NULL;
}

/* The record at `at` and its list; what follows it. */
static size_t read_one(struct reader *r, size_t at, struct ork_record *rec, uint32_t **list,
                       uint32_t *cap)
{
    *rec = *request_slot_at(r, at++);
    if (!ork_grow(r->o->d, list, cap, rec->count, sizeof(**list)))
        return at;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS, at++) {
        struct ork_cont cont;
        memcpy(&cont, request_slot_at(r, at), sizeof(cont));
        memcpy(*list + done, cont.word, cont.words * sizeof(**list));
    }
    return at;
}

bool ork_read_next(struct reader *r)
{
    const struct ork_record *front = request_slot_at(r, r->at);

    /* what lies between a full history and the queue is not known */
    if (front == NULL && !r->in_queue && !r->o->d->history.full) {
        r->in_queue = true;
        r->at = 0;
        front = request_slot_at(r, 0);
    }
    if (front == NULL || r->o->d->failed)
        return false;
    r->at = read_one(r, r->at, &r->rec, &r->list, &r->list_cap);
    /* the EXIT of the call that a thread is in may be in its queue */
    struct reader ahead = *r;
    if (request_slot_at(&ahead, ahead.at) == NULL && !ahead.in_queue && !r->o->d->history.full) {
        ahead.in_queue = true;
        ahead.at = 0;
    }
    front = request_slot_at(&ahead, ahead.at);
    r->has_exit = front != NULL && front->kind == ORK_KIND_EXIT;
    if (r->has_exit)
        read_one(&ahead, ahead.at, &r->exit, &r->outcome, &r->outcome_cap);
    return true;
}

/* ---- communicators ---- */

bool ork_read_comm(const struct reader *r, const struct ork_record *rec, struct comm_ref *ref)
{
    if (!r->in_queue) {
        *ref = (struct comm_ref){.comm = rec->comm < r->o->d->num_comms ? r->o->d->comm[rec->comm]
                                                                        : NULL,
                                 .me = rec->extra <= UINT32_MAX ? (uint32_t)rec->extra : 0};
        return ref->comm != NULL && ref->comm->index != NULL && ref->me < ref->comm->size;
    }
    const struct comm_ref *have = ork_comm_ref(r->p, rec->comm);
    if (have == NULL)
        return false;
    *ref = *have;
    return true;
}

static uint32_t group_of(struct program_builder *o, const struct comm *c, unsigned which)
{
    struct comm_builder *comm_builder = &o->comm_builder[c->id];
    uint32_t first = which == 2 ? c->local : 0;
    uint32_t end = which == 1 ? c->local : c->size;

    if (comm_builder->group[which] == 0) {
        uint32_t *rank = malloc((c->size + (size_t)1) * sizeof(*rank));
        if (rank == NULL) {
            o->d->failed = true;
            return ORK_INTERLEAVE_NONE;
        }
        for (uint32_t i = first; i < end; i++)
            rank[i - first] = ork_comm_member(c, 0, i);
        comm_builder->group[which] = ork_interleave_group(o->program, rank, end - first) + 1;
        free(rank);
    }
    return comm_builder->group[which] - 1;
}

uint32_t ork_senders_of(struct program_builder *o, const struct comm_ref *ref)
{
    const struct comm *c = ref->comm;

    return group_of(o, c, !c->inter ? 0 : ref->me < c->local ? 2 : 1);
}

uint32_t ork_wave_of(struct program_builder *o, struct comm *c, uint32_t index)
{
    struct comm_builder *comm_builder = &o->comm_builder[c->id];
    uint32_t i = index - comm_builder->base;

    if (!ork_grow(o->d, &comm_builder->wave, &comm_builder->waves, i + 1,
                  sizeof(*comm_builder->wave)))
        return ORK_INTERLEAVE_NONE;
    if (comm_builder->wave[i] == 0)
        comm_builder->wave[i] =
            ork_interleave_wave(o->program, group_of(o, c, 0), c->ends != NULL, c->id) + 1;
    return comm_builder->wave[i] - 1;
}

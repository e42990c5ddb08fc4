/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a rank in order: first the history, then the queue of its thread. */
#include "detector/interleaving/build.h"

#include <stdlib.h>
#include <string.h>

static const struct ork_record *record_at(const struct reader *r, size_t i)
{
    const struct mpi_thread *th = r->p->thread[0];

    if (!r->in_queue)
        return record_log_at(&r->p->history.record_log, i);
    return i < th->queue.count ? &th->queue.slot[(th->queue.first + i) & (th->queue.cap - 1)]
                               : NULL;
}

/* Read the record at `at` and its list; returns the position after it. */
static size_t read_one(struct reader *r, size_t at, struct ork_record *rec, uint32_t **list,
                       uint32_t *cap)
{
    *rec = *record_at(r, at++);
    if (!ork_grow(r->o->d, list, cap, rec->count, sizeof(**list)))
        return at;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS, at++) {
        struct ork_cont cont;
        memcpy(&cont, record_at(r, at), sizeof(cont));
        ORK_ASSERT(cont.kind == ORK_KIND_CONT && cont.words <= rec->count - done);
        memcpy(*list + done, cont.word, cont.words * sizeof(**list));
    }
    return at;
}

bool ork_read_next(struct reader *r)
{
    const struct ork_record *front = record_at(r, r->at);

    /* the records between a full history and the queue are unknown */
    if (front == NULL && !r->in_queue && !r->o->d->history.full) {
        r->in_queue = true;
        r->at = 0;
        front = record_at(r, 0);
    }
    if (front == NULL || r->o->d->failed)
        return false;
    r->at = read_one(r, r->at, &r->rec, &r->list, &r->list_cap);
    /* the EXIT of the call that a thread is in may be in its queue */
    struct reader ahead = *r;
    if (record_at(&ahead, ahead.at) == NULL && !ahead.in_queue && !r->o->d->history.full) {
        ahead.in_queue = true;
        ahead.at = 0;
    }
    front = record_at(&ahead, ahead.at);
    r->has_exit = front != NULL && front->kind == ORK_KIND_EXIT;
    if (r->has_exit)
        read_one(&ahead, ahead.at, &r->exit, &r->outcome, &r->outcome_cap);
    return true;
}

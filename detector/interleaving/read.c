/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a rank in order: what was pending when the history began, the history, and the
 * queue of its thread. */
#include "detector/interleaving/build.h"

#include <stdlib.h>
#include <string.h>

/* Where a record is. */
struct place {
    enum reads from;
    size_t at;
};

static const struct ork_record *record_at(const struct reader *r, struct place place)
{
    const struct history *h = &r->p->history;
    const struct record_queue *q = &r->p->thread[0]->queue;

    if (place.from == READS_PENDING)
        return place.at < h->before.count ? &h->before.record[place.at] : NULL;
    if (place.from == READS_HISTORY)
        return record_log_at(&h->record_log, place.at);
    return place.at < q->count ? &q->slot[(q->first + place.at) & (q->cap - 1)] : NULL;
}

/* The first record from this place on. NULL: no more; those between a full history and the queue
 * are unknown. */
static const struct ork_record *find(const struct reader *r, struct place *place)
{
    enum reads last = r->o->d->history.full ? READS_HISTORY : READS_QUEUE;

    while (record_at(r, *place) == NULL && place->from < last)
        *place = (struct place){.from = place->from + 1};
    return record_at(r, *place);
}

/* Read the record at this place and its list; the place is then after it. */
static void read_one(const struct reader *r, struct place *place, struct ork_record *rec,
                     uint32_t **list, uint32_t *cap)
{
    *rec = *record_at(r, *place);
    place->at++;
    if (!ork_grow(r->o->d, list, cap, rec->count, sizeof(**list)))
        return;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS, place->at++) {
        struct ork_cont cont;
        memcpy(&cont, record_at(r, *place), sizeof(cont));
        ORK_ASSERT(cont.kind == ORK_KIND_CONT && cont.words <= rec->count - done);
        memcpy(*list + done, cont.word, cont.words * sizeof(**list));
    }
}

bool ork_read_next(struct reader *r)
{
    struct place place = {.from = r->from, .at = r->at};

    if (find(r, &place) == NULL || r->o->d->failed)
        return false;
    r->in_queue = place.from == READS_QUEUE;
    read_one(r, &place, &r->rec, &r->list, &r->list_cap);
    r->from = place.from;
    r->at = place.at;
    /* the EXIT of the call that a thread is in may be in its queue */
    const struct ork_record *next = find(r, &place);
    r->has_exit = next != NULL && next->kind == ORK_KIND_EXIT;
    if (r->has_exit)
        read_one(r, &place, &r->exit, &r->outcome, &r->outcome_cap);
    return true;
}

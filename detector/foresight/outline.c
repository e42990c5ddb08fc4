/* SPDX-License-Identifier: BSD-3-Clause */
/* From records to a program for probing. Of a rank with several threads nothing is known. */
#include "detector/calls/call.h"
#include "detector/foresight/outline_internal.h"
#include "detector/history/history.h"
#include "detector/verdict/search.h"

#include <stdlib.h>
#include <string.h>

static void read_rank(struct outline *o, struct proc *p)
{
    struct reader r = {.o = o, .p = p};
    bool known = !p->several && p->fault == NULL && !p->misled;

    while (known && p->num_strands == 1 && ork_read_next(&r))
        known = ork_read_record(&r);
    known = known && !o->d->history.full && ork_search_is_gone(p);
    ork_interleave_set_end(o->probe, p->rank,
                           known ? ORK_INTERLEAVE_ENDED : ORK_INTERLEAVE_UNKNOWN);
    free(r.list);
    free(r.outcome);
}

/* Take a record of rank `r` back from the count of the calls that it made. */
static void count_back(struct outline *o, uint32_t r, const struct ork_record *rec)
{
    struct ork_detector *d = o->d;
    bool is_last = rec->kind == ORK_KIND_FINALIZE;
    uint32_t id = is_last ? d->proc[r]->job->finalize->id : rec->comm;
    uint32_t me = is_last ? r - d->proc[r]->job->first : (uint32_t)rec->extra;

    if ((!is_last && (rec->kind != ORK_KIND_COLL || rec->mode == ORK_COLL_COMM_CREATE_GROUP)) ||
        id >= d->num_comms || o->roster[id].next == NULL)
        return;
    uint32_t *next = &o->roster[id].next[me];
    if (*next > 0 && (is_last || ork_call_arrives(d->comm[id], rec)))
        --*next;
}

/* Where the members' counts of collective calls were when the history began. */
static bool find_beginning(struct outline *o)
{
    struct ork_detector *d = o->d;

    for (uint32_t i = 0; i < d->num_comms; i++) {
        const struct comm *c = d->comm[i];
        if (c == NULL || c->index == NULL || c->self)
            continue;
        o->roster[i].next = malloc((c->size + (size_t)1) * sizeof(*o->roster[i].next));
        if (o->roster[i].next == NULL)
            return false;
        for (uint32_t k = 0; k < c->size; k++)
            o->roster[i].next[k] = ork_comm_calls(c, k);
    }
    for (uint32_t r = 0; r < d->nprocs; r++) {
        const struct history *h = ork_history_of(d->proc[r]);
        for (uint32_t i = 0; i < h->diary.count; i++)
            count_back(o, r, diary_at(&h->diary, i));
    }
    for (uint32_t i = 0; i < d->num_comms; i++) {
        struct roster *roster = &o->roster[i];
        roster->base = UINT32_MAX;
        for (uint32_t k = 0; roster->next != NULL && k < d->comm[i]->size; k++)
            roster->base = roster->next[k] < roster->base ? roster->next[k] : roster->base;
    }
    return true;
}

struct outline *ork_outline_make(struct ork_detector *d, enum ork_foresight_scope scope)
{
    struct outline *o = calloc(1, sizeof(*o));

    if (o == NULL)
        return NULL;
    *o = (struct outline){.d = d, .scope = scope, .ranks = d->nprocs, .num_rosters = d->num_comms};
    o->sheet = calloc(d->nprocs, sizeof(*o->sheet));
    o->roster = calloc(d->num_comms, sizeof(*o->roster));
    if (o->sheet == NULL || o->roster == NULL || !find_beginning(o) ||
        ork_interleave_create(d->nprocs, &o->probe) != ORK_OK) {
        ork_outline_destroy(o);
        return NULL;
    }
    for (uint32_t r = 0; r < d->nprocs; r++)
        read_rank(o, d->proc[r]);
    for (uint32_t i = 0; i < ork_interleave_num_ops(o->probe); i++) {
        const struct ork_interleave_op *op = ork_interleave_op(o->probe, i);
        bool any = !op->is_send && op->peer == ORK_INTERLEAVE_ANY;
        o->undecided += any && op->took == ORK_INTERLEAVE_ANY;
    }
    return o;
}

void ork_outline_destroy(struct outline *o)
{
    if (o == NULL)
        return;
    for (uint32_t r = 0; o->sheet != NULL && r < o->ranks; r++) {
        free(o->sheet[r].slot);
        free(o->sheet[r].message);
        free(o->sheet[r].bag);
    }
    for (uint32_t i = 0; o->roster != NULL && i < o->num_rosters; i++) {
        free(o->roster[i].next);
        free(o->roster[i].wave);
    }
    ork_interleave_destroy(o->probe);
    free(o->sheet);
    free(o->roster);
    free(o->call);
    free(o);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Translate records to a program for interleave/. A rank with several threads is unknown. */
#include "detector/calls/call.h"
#include "detector/calls/collective.h"
#include "detector/interleaving/build.h"
#include "detector/history/history.h"
#include "detector/verdict/search.h"

#include <stdlib.h>
#include <string.h>

/* Did the call, which has failed, fail before it was made? Then it has no steps. */
static bool was_rejected(const struct ork_record *rec, const struct ork_record *exit)
{
    return rec->kind == ORK_KIND_COLL && (exit->flags & ORK_F_MATCHED) == 0 &&
           (rec->flags & (ORK_F_FALLIBLE | ORK_F_NONBLOCKING)) == ORK_F_FALLIBLE;
}

/* The steps of one record; false: its effect is unknown, and so is everything after it. Cancelled
 * requests, general active target, locks and errors end the known part of a rank. */
static bool read_record(struct reader *r)
{
    if (r->has_exit && (r->exit.flags & ORK_F_ERROR))
        return was_rejected(&r->rec, &r->exit);
    if (r->rec.kind == ORK_KIND_EARLY)
        ork_program_observe(r, &r->rec, r->rec.request, r->rec.peer, r->rec.tag);
    return ork_call_to_steps(r);
}

static void read_rank(struct program_builder *o, struct proc *p)
{
    struct reader r = {.o = o, .p = p};
    bool known = !p->several && p->fault == NULL && !p->is_open && !p->state_lost;

    while (known && p->num_threads == 1 && ork_read_next(&r))
        known = read_record(&r);
    o->unknown += !known;
    known = known && !o->d->history.full && ork_search_is_gone(p);
    ork_interleave_set_end(o->program, p->rank,
                           known ? ORK_INTERLEAVE_ENDED : ORK_INTERLEAVE_UNKNOWN);
    free(r.list);
    free(r.outcome);
}

/* Subtract a record of rank `r` from the number of calls that it made. */
static void count_back(struct program_builder *o, uint32_t r, const struct ork_record *rec)
{
    struct ork_detector *d = o->d;
    bool is_last = rec->kind == ORK_KIND_FINALIZE;
    uint32_t id = is_last ? d->proc[r]->job->finalize->id : rec->comm;
    uint32_t me = is_last ? r - d->proc[r]->job->first : (uint32_t)rec->extra;
    struct comm *c = ork_comm_numbered(d, id);

    if ((!is_last && (rec->kind != ORK_KIND_COLL || rec->mode == ORK_COLL_COMM_CREATE_GROUP)) ||
        c == NULL || ork_comm_builder(o, c)->next == NULL)
        return;
    ORK_ASSERT(me < c->size);
    uint32_t *next = &ork_comm_builder(o, c)->next[me];
    if (*next > 0 && (is_last || ork_collective_arrives(c, rec)))
        --*next;
}

static void count_back_log(struct program_builder *o, uint32_t r, const struct record_log *y)
{
    for (uint32_t i = 0; i < y->count; i++) {
        const struct ork_record *rec = record_log_at(y, i);
        const struct ork_record *next = record_log_at(y, i + 1 + ork_record_conts(rec->count));
        bool has_failed =
            next != NULL && next->kind == ORK_KIND_EXIT && (next->flags & ORK_F_ERROR) != 0;
        if (!has_failed || !was_rejected(rec, next))
            count_back(o, r, rec);
    }
}

/* Calls of the member at the end of the history. */
static uint32_t calls_of(const struct ork_detector *d, const struct comm *c, uint32_t member)
{
    if (!d->history.full)
        return ork_comm_calls(c, member);
    return c->calls_at_full != NULL ? c->calls_at_full[member] : 0; /* NULL: made later */
}

/* Find the members' numbers of collective calls at the beginning of the history. */
static bool find_beginning(struct program_builder *o)
{
    struct ork_detector *d = o->d;

    for (const struct comm *c = d->comms.oldest; c != NULL; c = c->newer) {
        if (c->index == NULL || c->self)
            continue;
        uint32_t *next = malloc((c->size + (size_t)1) * sizeof(*next));
        if (next == NULL)
            return false;
        ork_comm_builder(o, c)->next = next;
        for (uint32_t k = 0; k < c->size; k++)
            next[k] = calls_of(d, c, k);
    }
    for (uint32_t r = 0; r < d->nprocs; r++) {
        const struct history *h = ork_history_of(d->proc[r]);
        for (uint32_t i = 0; i < h->before.count; i++)
            count_back(o, r, &h->before.record[i]);
        count_back_log(o, r, &h->record_log);
    }
    for (const struct comm *c = d->comms.oldest; c != NULL; c = c->newer) {
        struct comm_builder *comm_builder = ork_comm_builder(o, c);
        comm_builder->base = UINT32_MAX;
        for (uint32_t k = 0; comm_builder->next != NULL && k < c->size; k++)
            comm_builder->base = comm_builder->next[k] < comm_builder->base ? comm_builder->next[k]
                                                                            : comm_builder->base;
    }
    return true;
}

static void number_comms(struct ork_detector *d)
{
    uint32_t at = 0;

    for (struct comm *c = d->comms.oldest; c != NULL; c = c->newer)
        c->at = at++;
    ORK_ASSERT(at == d->comms.count);
}

struct program_builder *ork_program_build(struct ork_detector *d, enum ork_interleaving_scope scope)
{
    struct program_builder *o = calloc(1, sizeof(*o));

    if (o == NULL)
        return NULL;
    if (d->history.rests)
        ork_detector_renew_history(d);
    *o = (struct program_builder){
        .d = d, .scope = scope, .ranks = d->nprocs, .num_comm_builders = d->comms.count};
    number_comms(d);
    o->rank_builder = calloc(d->nprocs, sizeof(*o->rank_builder));
    o->comm_builder = calloc(o->num_comm_builders, sizeof(*o->comm_builder));
    if (o->rank_builder == NULL || o->comm_builder == NULL || !find_beginning(o) ||
        ork_interleave_create(d->nprocs, &o->program) != ORK_OK) {
        ork_program_builder_destroy(o);
        return NULL;
    }
    for (uint32_t r = 0; r < d->nprocs; r++)
        read_rank(o, d->proc[r]);
    for (uint32_t i = 0; i < ork_interleave_num_ops(o->program); i++) {
        const struct ork_interleave_op *op = ork_interleave_op(o->program, i);
        bool any = !op->is_send && op->peer == ORK_INTERLEAVE_ANY;
        o->undecided += any && op->took == ORK_INTERLEAVE_ANY;
    }
    return o;
}

void ork_program_builder_destroy(struct program_builder *o)
{
    if (o == NULL)
        return;
    for (uint32_t r = 0; o->rank_builder != NULL && r < o->ranks; r++) {
        free(o->rank_builder[r].request_slot);
        free(o->rank_builder[r].message);
        free(o->rank_builder[r].shared);
    }
    for (uint32_t i = 0; o->comm_builder != NULL && i < o->num_comm_builders; i++) {
        free(o->comm_builder[i].next);
        free(o->comm_builder[i].wave);
    }
    ork_interleave_destroy(o->program);
    free(o->rank_builder);
    free(o->comm_builder);
    free(o->call);
    free(o);
}

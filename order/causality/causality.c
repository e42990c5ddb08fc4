/* SPDX-License-Identifier: BSD-3-Clause */
/* The records that come in. */
#include "order/causality/watch.h"

#include <stdlib.h>

enum ork_status ork_causality_create(uint32_t nprocs, struct ork_causality **out)
{
    return ork_causality_create_with(nprocs, &ork_clocks_exact, out);
}

enum ork_status ork_causality_create_with(uint32_t nprocs, const struct clocks *clocks,
                                          struct ork_causality **out)
{
    struct ork_causality *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return ORK_NOMEM;
    c->nprocs = nprocs;
    c->clocks = clocks;
    c->rank = calloc(nprocs, sizeof(*c->rank));
    bool good = c->clocks->create(c) && c->rank != NULL;
    for (uint32_t r = 0; good && r < nprocs; r++) {
        c->rank[r].causality = c;
        c->rank[r].number = r;
    }
    if (good)
        c->comms = ork_comms_create(nprocs,
                                    (struct ork_comm_user){.context = c,
                                                           .make = ork_causality_place_make,
                                                           .destroy = ork_causality_place_destroy});
    if (c->comms == NULL) {
        ork_causality_destroy(c);
        return ORK_NOMEM;
    }
    *out = c;
    return ORK_OK;
}

void ork_causality_set_limit(struct ork_causality *c, uint64_t bytes)
{
    c->limit = bytes;
}

static void free_choice(struct choice *c)
{
    free(c->op);
    free(c->index);
    free(c);
}

static void destroy_rank(struct rank *p)
{
    while (p->first_step != NULL) {
        if (p->first_step->type == STEP_SEND)
            free(p->first_step->message);
        if (p->first_step->type == STEP_ARRIVE && !p->first_step->part->is_retracted)
            free(p->first_step->part);
        ork_causality_step_end(p);
    }
    ork_causality_epochs_destroy(p);
    for (uint32_t i = 0; i < p->requests; i++)
        ork_causality_request_free(&p->request[i]);
    for (uint32_t i = 0; i < p->receives; i++) {
        p->causality->clocks->release(p->receive[i]->stamp);
        free(p->receive[i]);
    }
    for (uint32_t i = 0; i < p->choices; i++)
        free_choice(p->choice[i]);
    for (uint32_t i = 0; i < p->polls; i++)
        ork_causality_distinct_destroy(p->poll[i].distinct);
    free(p->poll);
    ork_causality_neighbors_destroy(p);
    free(p->request);
    free(p->receive);
    free(p->choice);
    free(p->completed);
    free(p->queue);
    free(p->list);
    free(p->call_list);
    free(p->tests);
    free(p->forcing);
    ork_watch_destroy(p->watch);
    free(p->done_before);
}

void ork_causality_destroy(struct ork_causality *c)
{
    if (c == NULL)
        return;
    for (uint32_t r = 0; c->rank != NULL && r < c->nprocs; r++)
        destroy_rank(&c->rank[r]);
    ork_comms_destroy(c->comms);
    c->clocks->destroy(c);
    free(c->rank);
    free(c);
}

/* ---- records and their lists ---- */

static bool keep(struct rank *p, const struct ork_record *record)
{
    if (!ork_vec_reserve(&p->queue, &p->queue_room, p->queued + 1, sizeof(*p->queue))) {
        p->causality->failed = true;
        return false;
    }
    p->queue[p->queued++] = *record;
    return true;
}

static bool read_list(struct rank *p, const struct ork_record *first)
{
    if (!ork_vec_reserve(&p->list, &p->list_room, first->count, sizeof(*p->list))) {
        p->causality->failed = true;
        return false;
    }
    if (!ork_record_read_list(first, p->list)) {
        ork_causality_lose(p, "a list of its records is invalid");
        return false;
    }
    return true;
}

static bool is_valid(const struct ork_record *record)
{
    return record->kind != ORK_KIND_CONT && record->kind < ORK_KIND_MAX &&
           record->count <= ORK_LIST_MAX;
}

/* Read the record at `record`, of which `n` with its list are here. Returns how many were used; 0:
 * some are missing. */
static size_t read_one(struct rank *p, const struct ork_record *record, size_t n)
{
    if (!is_valid(record)) {
        ork_causality_lose(p, "its records are invalid");
        return n;
    }
    size_t size = 1 + (size_t)ork_record_conts(record->count);
    if (size > n)
        return 0;
    if (read_list(p, record))
        ork_causality_read(p, record, p->list);
    return size;
}

/* Complete the record of an earlier batch. Returns how many were used. */
static size_t read_kept(struct rank *p, const struct ork_record *record, size_t n)
{
    size_t used = 0;

    while (p->queued > 0 && used < n && keep(p, &record[used])) {
        used++;
        if (read_one(p, p->queue, p->queued) > 0)
            p->queued = 0;
    }
    return used;
}

enum ork_status ork_causality_feed(struct ork_causality *c, uint32_t rank,
                                   const struct ork_record *record, size_t n)
{
    ORK_ASSERT(rank < c->nprocs);
    struct rank *p = &c->rank[rank];
    if (!ork_causality_limit_clocks(c))
        c->failed = true;
    size_t done = p->ended ? n : read_kept(p, record, n);

    while (done < n && !p->ended && !c->failed) {
        size_t used = read_one(p, record + done, n - done);
        for (; used == 0 && done < n && keep(p, &record[done]);)
            done++;
        done += used;
    }
    ork_causality_wake(p);
    ork_causality_follow(c);
    return c->failed ? ORK_NOMEM : ORK_OK;
}

void ork_causality_end(struct ork_causality *c, uint32_t rank, enum ork_causal_end how)
{
    ORK_ASSERT(rank < c->nprocs);
    struct rank *p = &c->rank[rank];

    if (p->ended)
        return;
    if (p->inside && p->call.kind == ORK_KIND_ACCESS) /* the rank ended in this call */
        ork_causality_return(p, NULL, NULL);
    p->ended = true;
    p->how = how;
    ork_causality_wake_all(c);
    ork_causality_follow(c);
}

const char *ork_causality_lost(const struct ork_causality *c, uint32_t rank)
{
    ORK_ASSERT(rank < c->nprocs);
    const struct rank *p = &c->rank[rank];

    if (p->lost == NULL && p->ended && p->first_step != NULL)
        return "its calls depend on calls of other ranks that are not known";
    return p->lost;
}

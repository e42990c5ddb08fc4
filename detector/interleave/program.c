/* SPDX-License-Identifier: BSD-3-Clause */
/* Construction of the program. */
#include "detector/interleave/internal.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

static void fail(struct ork_interleave *p, enum ork_status status)
{
    if (p->status == ORK_OK)
        p->status = status;
}

void *ork_vector_add(struct ork_interleave *p, struct vector *v, uint32_t size)
{
    if (p->status != ORK_OK)
        return NULL;
    if (v->count >= UINT32_MAX / 2 || !ork_vec_reserve(&v->item, &v->cap, v->count + 1, size)) {
        fail(p, ORK_NOMEM);
        return NULL;
    }
    void *item = (char *)v->item + (size_t)v->count++ * size;
    memset(item, 0, size);
    return item;
}

enum ork_status ork_interleave_create(uint32_t ranks, struct ork_interleave **out)
{
    struct ork_interleave *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return ORK_NOMEM;
    p->ranks = ranks;
    p->rank = calloc((size_t)ranks + 1, sizeof(*p->rank));
    if (p->rank == NULL) {
        free(p);
        return ORK_NOMEM;
    }
    for (uint32_t r = 0; r < ranks; r++)
        p->rank[r].differs = NIL;
    p->dirty_first = p->ready_first = p->component = NIL;
    *out = p;
    return ORK_OK;
}

void ork_interleave_graph_release(struct ork_interleave_graph *g)
{
    ork_wfg_destroy(g->wfg);
    free(g->term);
    free(g->hub);
    *g = (struct ork_interleave_graph){0};
}

void ork_interleave_destroy(struct ork_interleave *p)
{
    if (p == NULL)
        return;
    for (uint32_t r = 0; r < p->ranks; r++) {
        free(p->rank[r].step);
        free(p->rank[r].suffix);
        free(p->rank[r].waits_for);
    }
    for (uint32_t i = 0; i < p->group.count; i++) {
        free(group_at(p, i)->rank);
        free(group_at(p, i)->index);
    }
    for (uint32_t i = 0; i < p->wave.count; i++)
        free(collective_at(p, i)->arrival);
    for (uint32_t i = 0; i < p->dest.count; i++)
        free(dest_at(p, i)->receive);
    struct vector *v[] = {&p->op,   &p->dest,    &p->chan,  &p->group,  &p->wave,
                          &p->part, &p->journal, &p->frame, &p->choice, &p->path};
    for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++)
        free(v[i]->item);
    ork_interleave_graph_release(&p->found);
    free(p->rank);
    ork_hash_map_release(&p->by_key);
    free(p->memo);
    free(p);
}

uint32_t ork_interleave_group(struct ork_interleave *p, const uint32_t *rank, uint32_t count)
{
    struct group *g = ork_vector_add(p, &p->group, sizeof(*g));

    if (g == NULL)
        return ORK_INTERLEAVE_NONE;
    g->rank = malloc(((size_t)count + 1) * sizeof(*g->rank));
    g->index = malloc(((size_t)p->ranks + 1) * sizeof(*g->index));
    if (g->rank == NULL || g->index == NULL) {
        fail(p, ORK_NOMEM);
        return ORK_INTERLEAVE_NONE;
    }
    memset(g->index, 0xff, p->ranks * sizeof(*g->index));
    for (uint32_t i = 0; i < count; i++) {
        if (rank[i] >= p->ranks) {
            fail(p, ORK_INVALID);
            return ORK_INTERLEAVE_NONE;
        }
        g->rank[i] = rank[i];
        g->index[rank[i]] = i;
    }
    g->count = count;
    return p->group.count - 1;
}

uint32_t ork_interleave_wave(struct ork_interleave *p, uint32_t group, bool is_last, uint32_t info)
{
    if (group >= p->group.count) {
        fail(p, ORK_INVALID);
        return ORK_INTERLEAVE_NONE;
    }
    struct collective *w = ork_vector_add(p, &p->wave, sizeof(*w));
    uint32_t count = group_at(p, group)->count;
    if (w == NULL)
        return ORK_INTERLEAVE_NONE;
    *w = (struct collective){.group = group, .info = info, .is_last = is_last, .component = NIL};
    w->arrival = malloc(((size_t)count + 1) * sizeof(*w->arrival));
    if (w->arrival == NULL) {
        fail(p, ORK_NOMEM);
        return ORK_INTERLEAVE_NONE;
    }
    memset(w->arrival, 0xff, count * sizeof(*w->arrival));
    return p->wave.count - 1;
}

/* NULL: no such wave or member. */
static uint32_t *arrival_of(struct ork_interleave *p, uint32_t wave, uint32_t rank)
{
    const struct collective *w = wave < p->wave.count ? collective_at(p, wave) : NULL;
    uint32_t i = w == NULL || rank >= p->ranks ? NIL : group_at(p, w->group)->index[rank];

    if (i != NIL)
        return &w->arrival[i];
    fail(p, ORK_INVALID);
    return NULL;
}

/* ---- steps ---- */

static struct step *add_step(struct ork_interleave *p, uint32_t rank, enum step_type type)
{
    struct rank *r = rank < p->ranks ? &p->rank[rank] : NULL;

    if (r == NULL)
        fail(p, ORK_INVALID);
    if (p->status != ORK_OK)
        return NULL;
    if (!ork_vec_reserve(&r->step, &r->cap, r->steps + 1, sizeof(*r->step))) {
        fail(p, ORK_NOMEM);
        return NULL;
    }
    struct step *s = &r->step[r->steps++];
    *s = (struct step){.type = (uint8_t)type, .number = NIL, .info = ORK_INTERLEAVE_NONE};
    return s;
}

void ork_interleave_arrive(struct ork_interleave *p, uint32_t rank, uint32_t wave)
{
    uint32_t *arrival = arrival_of(p, wave, rank);
    struct step *s = arrival == NULL ? NULL : add_step(p, rank, STEP_ARRIVE);

    if (s == NULL)
        return;
    s->number = wave;
    *arrival = p->rank[rank].steps;
}

void ork_interleave_release(struct ork_interleave *p, uint32_t op)
{
    if (op >= p->op.count) {
        fail(p, ORK_INVALID);
        return;
    }
    struct step *s = add_step(p, posting_at(p, op)->is.rank, STEP_RELEASE);
    if (s != NULL)
        s->number = op;
}

void ork_interleave_await(struct ork_interleave *p, uint32_t rank, enum ork_interleave_mode mode,
                          const struct ork_interleave_part *part, uint32_t parts, uint32_t took,
                          uint32_t info)
{
    struct step *s = add_step(p, rank, STEP_AWAIT);

    if (s == NULL)
        return;
    s->mode = (uint8_t)mode;
    s->part = p->part.count;
    s->parts = parts;
    s->took = took;
    s->info = info;
    for (uint32_t i = 0; i < parts; i++) {
        struct ork_interleave_part *copy = ork_vector_add(p, &p->part, sizeof(*copy));
        if (copy == NULL)
            return;
        *copy = part[i];
        if (part[i].number >= (part[i].is_wave ? p->wave.count : p->op.count))
            fail(p, ORK_INVALID);
        else if (!part[i].is_wave && posting_at(p, part[i].number)->shown == NIL)
            posting_at(p, part[i].number)->shown = p->rank[rank].steps - 1;
    }
}

void ork_interleave_set_end(struct ork_interleave *p, uint32_t rank, enum ork_interleave_end end)
{
    if (rank >= p->ranks)
        fail(p, ORK_INVALID);
    else
        p->rank[rank].ended = end == ORK_INTERLEAVE_ENDED;
    p->has_ended |= end == ORK_INTERLEAVE_ENDED;
}

/* ---- destinations and channels ---- */

enum { IS_DEST = UINT32_MAX }; /* instead of a source */

static void key_of(const struct ork_interleave *p, uint32_t entry, uint32_t key[3])
{
    const struct chan *c = entry & 1 ? chan_at(p, entry >> 1) : NULL;
    const struct dest *d = dest_at(p, c != NULL ? c->dest : entry >> 1);

    key[0] = d->comm, key[1] = d->rank, key[2] = c != NULL ? c->src : IS_DEST;
}

static uint64_t hash_of(const uint32_t key[3])
{
    return ork_hash_mix(ork_hash_mix((uint64_t)key[0] << 32 | key[1]) ^ key[2]);
}

/* The number of the destination or channel with this key; NIL: there is none. */
static uint32_t find(const struct ork_interleave *p, const uint32_t key[3])
{
    const uint64_t hash = hash_of(key);

    for (uint32_t probe = 0, i; (i = ork_hash_map_next(&p->by_key, hash, &probe)) != 0;) {
        uint32_t have[3];
        key_of(p, i - 1, have);
        if (memcmp(have, key, sizeof(have)) == 0)
            return (i - 1) >> 1;
    }
    return NIL;
}

static bool enter(struct ork_interleave *p, const uint32_t key[3], uint32_t entry)
{
    bool done = ork_hash_map_add(&p->by_key, hash_of(key), entry + 1);

    if (!done)
        fail(p, ORK_NOMEM);
    return done;
}

static uint32_t dest_get(struct ork_interleave *p, uint32_t comm, uint32_t rank)
{
    const uint32_t key[3] = {comm, rank, IS_DEST};
    uint32_t number = find(p, key);

    if (number != NIL)
        return number;
    number = p->dest.count;
    struct dest *d = ork_vector_add(p, &p->dest, sizeof(*d));
    if (d == NULL)
        return NIL;
    *d = (struct dest){.comm = comm, .rank = rank, .first = NIL, .last = NIL, .first_chan = NIL};
    return enter(p, key, number << 1) ? number : NIL;
}

static uint32_t chan_get(struct ork_interleave *p, uint32_t dest, uint32_t src)
{
    uint32_t number = ork_chan_find(p, dest, src);

    if (number != NIL)
        return number;
    struct dest *d = dest_at(p, dest);
    const uint32_t key[3] = {d->comm, d->rank, src};
    number = p->chan.count;
    struct chan *c = ork_vector_add(p, &p->chan, sizeof(*c));
    if (c == NULL)
        return NIL;
    *c = (struct chan){.dest = dest,
                       .src = src,
                       .next = d->first_chan,
                       .first = NIL,
                       .last = NIL,
                       .all = NIL,
                       .all_last = NIL,
                       .all_receives = NIL,
                       .receives_last = NIL,
                       .unposted = NIL};
    d->first_chan = number;
    return enter(p, key, number << 1 | 1) ? number : NIL;
}

static void append_same(struct ork_interleave *p, uint32_t *first, uint32_t *last, uint32_t number)
{
    if (*last == NIL)
        *first = number;
    else
        posting_at(p, *last)->same = number;
    *last = number;
}

/* Assign the operation to its destination and channel; false: an error. */
static bool place(struct ork_interleave *p, uint32_t number)
{
    struct posting *op = posting_at(p, number);
    bool any = op->is.peer == ORK_INTERLEAVE_ANY;

    if (op->is.rank >= p->ranks || (!any && op->is.peer >= p->ranks) ||
        (any && (op->is.is_send || op->is.group >= p->group.count))) {
        fail(p, ORK_INVALID);
        return false;
    }
    uint32_t dst = op->is.is_send ? op->is.peer : op->is.rank;
    uint32_t src = op->is.is_send ? op->is.rank : op->is.peer;
    op->dest = dest_get(p, op->is.comm, dst);
    op->chan = any || op->dest == NIL ? NIL : chan_get(p, op->dest, src);
    op->same = op->next = op->prev = op->mate = op->partner = op->differs_next = op->shown = NIL;
    return p->status == ORK_OK;
}

uint32_t ork_interleave_post(struct ork_interleave *p, const struct ork_interleave_op *is)
{
    uint32_t number = p->op.count;
    struct posting *op = ork_vector_add(p, &p->op, sizeof(*op));

    if (op == NULL)
        return ORK_INTERLEAVE_NONE;
    op->is = *is;
    struct step *s = place(p, number) ? add_step(p, is->rank, STEP_POST) : NULL;
    if (s == NULL)
        return ORK_INTERLEAVE_NONE;
    s->number = number;
    op->step = p->rank[is->rank].steps - 1;
    struct dest *d = dest_at(p, op->dest);
    struct chan *c = op->chan == NIL ? NULL : chan_at(p, op->chan);
    if (is->is_send)
        append_same(p, &c->all, &c->all_last, number);
    else if (c != NULL)
        append_same(p, &c->all_receives, &c->receives_last, number);
    d->num_sends += is->is_send;
    d->num_receives += !is->is_send;
    d->num_wildcards += is_wildcard(op);
    return number;
}

struct ork_interleave_op *ork_interleave_change(struct ork_interleave *p, uint32_t op)
{
    return op < p->op.count ? &posting_at(p, op)->is : &p->nothing;
}

void ork_interleave_peek(struct ork_interleave *p, const struct ork_interleave_op *is,
                         uint32_t info)
{
    uint32_t number = p->op.count;
    struct posting *op = ork_vector_add(p, &p->op, sizeof(*op));

    if (op == NULL)
        return;
    op->is = *is;
    struct step *s = place(p, number) ? add_step(p, is->rank, STEP_PEEK) : NULL;
    if (s == NULL)
        return;
    s->number = number;
    s->info = info;
    op->step = p->rank[is->rank].steps - 1;
}

uint32_t ork_chan_find(const struct ork_interleave *p, uint32_t dest, uint32_t src)
{
    const struct dest *d = dest_at(p, dest);
    const uint32_t key[3] = {d->comm, d->rank, src};

    return find(p, key);
}

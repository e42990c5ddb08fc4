/* SPDX-License-Identifier: BSD-3-Clause */
#include "explore/explored.h"

#include "common/assert.h"
#include "common/hash.h"
#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

/* A nonblocking or persistent receive, when it was complete. */
struct posted {
    uint64_t post;
    int32_t source, tag;
};

/* Ranks have the numbers that they have after symmetric ones are exchanged: see struct names. */
struct kept_rank {
    uint64_t *prefix; /* as in struct ork_trace_rank */
    uint32_t num;
    struct posted *posted; /* by `post` */
    uint32_t num_posted;
    const struct ork_trace_rank *own; /* with the number of the run */
};

struct run {
    struct kept_rank *kept;
    struct ork_trace own; /* with the numbers of the run */
};

/* New numbers of symmetric ranks. */
struct names {
    uint32_t *name; /* by rank; UINT32_MAX: none yet */
    uint32_t next;  /* the symmetric rank whose number is given next; == ranks: none is left */
};

struct entry {
    uint32_t run, next;
};

struct ork_explored {
    uint32_t ranks;
    bool *symmetric; /* NULL: no rank */
    struct run *run;
    uint32_t runs, room;
    struct ork_map first; /* runs by the hash of what they did: an entry, from 1 */
    struct entry *entry;
    uint32_t entries, entry_room;
    struct names names; /* of the decision that is looked at */
};

enum ork_status ork_explored_create(uint32_t ranks, const bool *symmetric,
                                    struct ork_explored **out)
{
    struct ork_explored *e = calloc(1, sizeof(*e));

    if (e == NULL)
        return ORK_NOMEM;
    e->ranks = ranks;
    e->names.name = malloc((ranks + (size_t)1) * sizeof(*e->names.name));
    e->symmetric = symmetric != NULL ? malloc(ranks * sizeof(*symmetric)) : NULL;
    if (e->names.name == NULL || (symmetric != NULL && e->symmetric == NULL)) {
        ork_explored_destroy(e);
        return ORK_NOMEM;
    }
    if (symmetric != NULL)
        memcpy(e->symmetric, symmetric, ranks * sizeof(*symmetric));
    *out = e;
    return ORK_OK;
}

void ork_explored_destroy(struct ork_explored *e)
{
    if (e == NULL)
        return;
    for (uint32_t i = 0; i < e->runs; i++) {
        for (uint32_t r = 0; r < e->ranks; r++) {
            free(e->run[i].kept[r].prefix);
            free(e->run[i].kept[r].posted);
        }
        free(e->run[i].kept);
        ork_trace_release(&e->run[i].own);
    }
    free(e->run);
    free(e->entry);
    ork_map_release(&e->first);
    free(e->symmetric);
    free(e->names.name);
    free(e);
}

uint32_t ork_explored_ranks(const struct ork_explored *e)
{
    return e->ranks;
}

/* ---- symmetric ranks: they get numbers in the order in which messages of them are received ----
 */

static bool is_symmetric(const struct ork_explored *e, int64_t rank)
{
    return e->symmetric != NULL && rank >= 0 && rank < e->ranks && e->symmetric[rank];
}

static uint32_t next_symmetric(const struct ork_explored *e, uint32_t from)
{
    while (from < e->ranks && !is_symmetric(e, from))
        from++;
    return from;
}

static void begin_names(struct ork_explored *e)
{
    for (uint32_t r = 0; r < e->ranks; r++)
        e->names.name[r] = is_symmetric(e, r) ? UINT32_MAX : r;
    e->names.next = next_symmetric(e, 0);
}

static uint32_t name_of(struct ork_explored *e, uint32_t rank)
{
    struct names *n = &e->names;

    if (n->name[rank] == UINT32_MAX) {
        ORK_ASSERT(n->next < e->ranks);
        n->name[rank] = n->next;
        n->next = next_symmetric(e, n->next + 1);
    }
    return n->name[rank];
}

static int32_t name_source(struct ork_explored *e, int32_t source)
{
    return is_symmetric(e, source) ? (int32_t)name_of(e, (uint32_t)source) : source;
}

/* The hash of the first choices of a rank, with the new numbers of their sources. */
static uint64_t hash_own(struct ork_explored *e, const struct ork_trace_rank *own, uint64_t choices)
{
    uint64_t h = 0;

    for (uint64_t i = 0; i < choices; i++)
        h = ork_trace_join(h, ork_trace_own(&own->choice[i]),
                           name_source(e, own->choice[i].source));
    return h;
}

/* ---- adding ---- */

static uint64_t key_of_prefix(uint32_t rank, uint64_t prefix)
{
    return ork_hash_add(prefix, rank);
}

static uint64_t key_of_posted(uint32_t rank, uint64_t post, int32_t source, int32_t tag)
{
    uint64_t h = ork_hash_add(rank, post);

    return ork_hash_add(h, (uint64_t)(uint32_t)source << 32 | (uint32_t)tag);
}

static bool index_key(struct ork_explored *e, uint64_t key)
{
    uint32_t *first = ork_map_use(&e->first, key);

    if (first == NULL ||
        !ork_vec_reserve(&e->entry, &e->entry_room, e->entries + 1, sizeof(*e->entry)))
        return false;
    e->entry[e->entries++] = (struct entry){.run = e->runs, .next = *first};
    *first = e->entries;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct posted *x = a, *y = b;

    return (x->post > y->post) - (x->post < y->post);
}

/* A choice after these was made after a poll that failed. */
static uint64_t after_failed_poll(uint64_t prefix)
{
    return ork_hash_add(prefix, UINT64_MAX);
}

/* A nonblocking receive and its message. */
static bool keep_posted(struct ork_explored *e, const struct ork_pending_receive *receive,
                        uint32_t rank, struct kept_rank *to)
{
    int32_t source = name_source(e, receive->source);

    to->posted[to->num_posted++] = (struct posted){receive->post, source, receive->tag};
    return index_key(e, key_of_posted(rank, receive->post, source, receive->tag));
}

/* Choice number `n` of the rank, and those before it. */
static bool keep_choice(struct ork_explored *e, const struct ork_choice *c, uint64_t n,
                        uint32_t rank, struct kept_rank *to)
{
    int32_t source = name_source(e, c->source);

    to->prefix[n] = ork_trace_join(to->prefix[n - 1], ork_trace_own(c), source);
    if (!index_key(e, key_of_prefix(rank, to->prefix[n])))
        return false;
    if (c->polls > 0 && !index_key(e, key_of_prefix(rank, after_failed_poll(to->prefix[n - 1]))))
        return false;
    if (!ork_choice_is_posted(c))
        return true;
    struct ork_pending_receive receive = {.post = c->post, .source = c->source, .tag = c->tag};
    return keep_posted(e, &receive, rank, to);
}

/* What the rank did, under its new number. */
static bool keep(struct ork_explored *e, const struct ork_trace_rank *own, uint32_t rank,
                 struct kept_rank *to)
{
    bool done = true;

    to->prefix = calloc(own->num + (size_t)1, sizeof(*to->prefix));
    to->posted = calloc((size_t)own->num + own->num_pending + 1, sizeof(*to->posted));
    if (to->prefix == NULL || to->posted == NULL)
        return false;
    to->num = own->num;
    to->own = own;
    for (uint32_t i = 0; i < own->num && done; i++)
        done = keep_choice(e, &own->choice[i], i + UINT64_C(1), rank, to);
    if (own->last_polls > 0 && done)
        done = index_key(e, key_of_prefix(rank, after_failed_poll(to->prefix[own->num])));
    for (uint32_t i = 0; i < own->num_pending && done; i++)
        done = keep_posted(e, &own->pending[i], rank, to);
    qsort(to->posted, to->num_posted, sizeof(*to->posted), compare);
    return done;
}

enum ork_status ork_explored_add(struct ork_explored *e, struct ork_trace *trace)
{
    struct kept_rank *kept = calloc(e->ranks + (size_t)1, sizeof(*kept));
    bool done = true;

    ORK_ASSERT(trace->ranks == e->ranks);
    if (kept == NULL || !ork_vec_reserve(&e->run, &e->room, e->runs + 1, sizeof(*e->run))) {
        free(kept);
        return ORK_NOMEM;
    }
    struct run *run = &e->run[e->runs];
    *run = (struct run){.kept = kept, .own = *trace};
    *trace = (struct ork_trace){0};
    begin_names(e);
    for (uint32_t r = 0; r < e->ranks && done; r++) {
        if (!is_symmetric(e, r))
            done = keep(e, &run->own.rank[r], r, &kept[r]);
    }
    for (uint32_t r = 0; r < e->ranks && done; r++) {
        uint32_t name = name_of(e, r);
        if (is_symmetric(e, r))
            done = keep(e, &run->own.rank[r], name, &kept[name]);
    }
    e->runs++; /* also after a failure: it has to be freed */
    return done ? ORK_OK : ORK_NOMEM;
}

/* ---- decisions ---- */

const struct ork_choice *ork_explored_choice(const struct ork_explored *e, uint32_t run,
                                             uint32_t rank, uint64_t number)
{
    return run < e->runs ? ork_trace_choice(&e->run[run].own, rank, number) : NULL;
}

struct ork_choice ork_change_apply(const struct ork_choice *choice, const struct ork_change *change)
{
    struct ork_choice to = *choice;

    if (change->polls == ORK_POLLS_ONE_MORE) {
        to = (struct ork_choice){.kind = ORK_CHOICE_FREE,
                                 .call = choice->call,
                                 .site = choice->site,
                                 .place = choice->place,
                                 .polls = choice->polls + 1};
    } else if (choice->kind == ORK_CHOICE_TEST || choice->kind == ORK_CHOICE_WAIT) {
        to.index = change->index;
        to.count = change->count;
    } else {
        to.source = change->source;
        to.tag = change->tag;
    }
    return to;
}

/* Is the choice as the change says? One of a receive that was not complete is in no stream. */
static bool has_choice(const struct ork_explored *e, uint32_t run, const struct ork_change *change)
{
    const struct ork_choice *c = ork_explored_choice(e, run, change->rank, change->number);
    uint64_t keep = change->keep[change->rank];

    if (change->post != 0)
        return change->kind == ORK_CHOICE_RECEIVE &&
               (change->number == 0 || (c != NULL && ork_choice_is_posted(c) &&
                                        c->post == change->post && keep < change->number));
    if (change->polls == ORK_POLLS_FEWER)
        return (change->kind == ORK_CHOICE_TEST || change->kind == ORK_CHOICE_PROBE) &&
               keep + 1 == change->number;
    return c != NULL && c->kind == change->kind && !ork_choice_is_posted(c) &&
           keep == change->number - 1;
}

bool ork_explored_fits(const struct ork_explored *e, uint32_t run, const struct ork_change *change)
{
    if (run >= e->runs || change->rank >= e->ranks || !has_choice(e, run, change))
        return false;
    for (uint32_t r = 0; r < e->ranks; r++) {
        if (change->keep[r] > e->run[run].own.rank[r].num)
            return false;
    }
    for (uint32_t i = 0; i < change->num_ahead; i++) {
        if (change->ahead[i].rank >= e->ranks || change->ahead[i].post == 0)
            return false;
    }
    return true;
}

struct ork_choice ork_explored_changed(const struct ork_explored *e, uint32_t run,
                                       const struct ork_change *change)
{
    const struct ork_choice *c = ork_explored_choice(e, run, change->rank, change->number);

    if (change->polls == ORK_POLLS_FEWER)
        return (struct ork_choice){.kind = change->kind,
                                   .call = change->poll.call,
                                   .site = change->poll.site,
                                   .place = change->poll.place,
                                   .polls = change->poll.polls};
    if (c != NULL)
        return *c;
    return (struct ork_choice){.kind = ORK_CHOICE_RECEIVE,
                               .post = change->post,
                               .source = change->took_source,
                               .tag = change->took_tag};
}

uint64_t ork_explored_kept_polls(const struct ork_explored *e, uint32_t run,
                                 const struct ork_change *change, uint32_t rank)
{
    uint64_t polls = change->keep_polls[rank];

    return polls == ORK_POLLS_ALL ? ork_trace_polls(&e->run[run].own.rank[rank], change->keep[rank])
                                  : polls;
}

/* A decision with the new numbers of ranks. */
struct decision {
    uint32_t run;
    const struct ork_change *change;
    enum { CHANGES_NEXT, CHANGES_POLL, CHANGES_POSTED } what;
    uint32_t rank;
    uint64_t key, prefix; /* NEXT: up to the changed choice */
    uint64_t polls;       /* POLL: so many are unsuccessful */
};

/* RATIONALE: a symmetric rank of which no message was received has no new number, so it keeps its
 * own, and decisions that differ only in it count as different. */
static uint32_t known_name(const struct ork_explored *e, uint32_t rank)
{
    return e->names.name[rank] != UINT32_MAX ? e->names.name[rank] : rank;
}

/* What the rank keeps. */
static uint64_t hash_rank(struct ork_explored *e, const struct decision *d, uint32_t rank)
{
    const struct run *run = &e->run[d->run];
    uint64_t keep = d->change->keep[rank];

    return e->symmetric == NULL ? run->kept[rank].prefix[keep]
                                : hash_own(e, &run->own.rank[rank], keep);
}

/* RATIONALE: numbers are given in the order of ork_explored_add(). */
static struct decision look_at(struct ork_explored *e, uint32_t run,
                               const struct ork_change *change)
{
    struct ork_choice c = ork_explored_changed(e, run, change);
    struct decision d = {.run = run, .change = change};

    ORK_ASSERT(ork_explored_fits(e, run, change));
    begin_names(e);
    for (uint32_t r = 0; e->symmetric != NULL && r < e->ranks; r++) {
        if (!is_symmetric(e, r))
            hash_rank(e, &d, r);
    }
    struct ork_choice to = ork_change_apply(&c, change);
    int32_t source = name_source(e, to.source);
    d.rank = known_name(e, change->rank);
    if (change->post != 0) {
        d.what = CHANGES_POSTED;
        d.key = key_of_posted(d.rank, to.post, source, to.tag);
        return d;
    }
    d.what = change->polls == ORK_POLLS_ONE_MORE ? CHANGES_POLL : CHANGES_NEXT;
    d.polls = to.polls;
    d.prefix = hash_rank(e, &d, change->rank);
    d.prefix = d.what == CHANGES_POLL ? after_failed_poll(d.prefix)
                                      : ork_trace_join(d.prefix, ork_trace_own(&to), source);
    d.key = key_of_prefix(d.rank, d.prefix);
    return d;
}

/* The receive of this ordinal, complete; NULL: it was not. */
static const struct posted *find_posted(const struct kept_rank *kept, uint64_t post)
{
    struct posted wanted = {.post = post};

    return kept->num_posted == 0
               ? NULL
               : bsearch(&wanted, kept->posted, kept->num_posted, sizeof(wanted), compare);
}

static bool has_ahead(struct ork_explored *e, const struct run *m, const struct decision *d)
{
    for (uint32_t i = 0; i < d->change->num_ahead; i++) {
        const struct ork_kept_receive *a = &d->change->ahead[i];
        const struct posted *p = find_posted(&m->kept[known_name(e, a->rank)], a->post);
        if (p == NULL || p->source != name_source(e, a->source) || p->tag != a->tag)
            return false;
    }
    return true;
}

/* Did run m make all these choices? It has the key of the decision. */
static bool has_made(struct ork_explored *e, const struct run *m, const struct decision *d)
{
    for (uint32_t r = 0; r < e->ranks; r++) {
        const struct kept_rank *kept = &m->kept[known_name(e, r)];
        uint64_t keep = d->change->keep[r];
        if (keep > 0 && e->names.name[r] == UINT32_MAX)
            return false;
        if (keep > kept->num || kept->prefix[keep] != hash_rank(e, d, r) ||
            ork_trace_polls(kept->own, keep) < ork_explored_kept_polls(e, d->run, d->change, r))
            return false;
    }
    const struct kept_rank *kept = &m->kept[d->rank];
    if (d->what == CHANGES_POLL &&
        ork_trace_polls(kept->own, d->change->keep[d->change->rank]) < d->polls)
        return false;
    if (d->what == CHANGES_NEXT &&
        (kept->num < d->change->number || kept->prefix[d->change->number] != d->prefix))
        return false;
    return has_ahead(e, m, d);
}

uint64_t ork_explored_hash(struct ork_explored *e, uint32_t run, const struct ork_change *change)
{
    struct decision d = look_at(e, run, change);
    uint64_t h = ork_hash_add(ork_hash_add(d.key, d.what), d.polls);

    for (uint32_t r = 0; r < e->ranks; r++) {
        uint64_t kept =
            ork_hash_add(hash_rank(e, &d, r), ork_explored_kept_polls(e, run, change, r));
        h ^= ork_hash_add(kept, known_name(e, r));
    }
    for (uint32_t i = 0; i < change->num_ahead; i++) {
        const struct ork_kept_receive *a = &change->ahead[i];
        h ^= key_of_posted(known_name(e, a->rank), a->post, name_source(e, a->source), a->tag);
    }
    return h;
}

bool ork_explored_covers(struct ork_explored *e, uint32_t run, const struct ork_change *change)
{
    struct decision d = look_at(e, run, change);

    for (uint32_t i = ork_map_get(&e->first, d.key); i != 0; i = e->entry[i - 1].next) {
        if (has_made(e, &e->run[e->entry[i - 1].run], &d))
            return true;
    }
    return false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/explored.h"

#include "common/assert.h"
#include "common/vec.h"
#include "order/explore/explored_internal.h"

#include <stdlib.h>
#include <string.h>

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
            free(e->run[i].kept[r].again);
            free(e->run[i].kept[r].posted);
        }
        free(e->run[i].kept);
        ork_trace_release(&e->run[i].own);
    }
    free(e->run);
    free(e->entry);
    ork_hash_map_release(&e->first);
    free(e->symmetric);
    free(e->names.name);
    free(e);
}

uint32_t ork_explored_ranks(const struct ork_explored *e)
{
    return e->ranks;
}

/* ---- adding ---- */

static bool index_key(struct ork_explored *e, uint64_t key)
{
    uint32_t *first = ork_hash_map_use(&e->first, key);

    if (first == NULL ||
        !ork_vec_reserve(&e->entry, &e->entry_room, e->entries + 1, sizeof(*e->entry)))
        return false;
    ORK_ASSERT(*first <= e->entries);
    e->entry[e->entries++] = (struct entry){.run = e->runs, .next = *first};
    *first = e->entries;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct posted *x = a, *y = b;

    return (x->post > y->post) - (x->post < y->post);
}

/* A nonblocking receive and its message. */
static bool keep_posted(struct ork_explored *e, const struct ork_pending_receive *receive,
                        uint32_t rank, struct kept_rank *to)
{
    int32_t source = ork_names_of_source(e, receive->source);

    to->posted[to->num_posted++] = (struct posted){receive->post, source, receive->tag};
    return index_key(e, key_of_posted(rank, receive->post, source, receive->tag));
}

/* Choice number `n` of the rank, and those before it. */
static bool keep_choice(struct ork_explored *e, const struct ork_trace_rank *own, uint32_t n,
                        uint32_t rank, struct kept_rank *to)
{
    ORK_ASSERT(n > 0 && n <= own->num);
    const struct ork_choice *c = &own->choice[n - 1];
    int32_t source = ork_names_of_source(e, c->source);
    uint64_t hash = ork_names_of_own(e, c, own->polled[n - 1]);

    to->prefix[n] = ork_trace_join(to->prefix[n - 1], hash, source);
    if (!index_key(e, key_of_prefix(rank, to->prefix[n])))
        return false;
    if (c->polls > 0 && !index_key(e, key_of_prefix(rank, after_failed_poll(to->prefix[n - 1]))))
        return false;
    if (own->again[n - 1] != 0) {
        to->again[n - 1] =
            key_of_again(to->prefix[n - 1], ork_trace_own(c, own->again[n - 1]), source);
        if (!index_key(e, key_of_prefix(rank, to->again[n - 1])))
            return false;
    }
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

    ORK_ASSERT(to->prefix == NULL); /* the names are a permutation */
    to->prefix = calloc(own->num + (size_t)1, sizeof(*to->prefix));
    to->again = calloc(own->num + (size_t)1, sizeof(*to->again));
    to->posted = calloc((size_t)own->num + own->num_pending + 1, sizeof(*to->posted));
    if (to->prefix == NULL || to->again == NULL || to->posted == NULL)
        return false;
    to->num = own->num;
    to->own = own;
    for (uint32_t i = 0; i < own->num && done; i++)
        done = keep_choice(e, own, i + 1, rank, to);
    if (own->last_polls > 0 && done)
        done = index_key(e, key_of_prefix(rank, after_failed_poll(to->prefix[own->num])));
    for (uint32_t i = 0; i <= own->num && done; i++) {
        if (own->abandoned[i].series > 0)
            done = index_key(e, key_of_prefix(rank, after_series(to->prefix[i])));
        if (own->abandoned[i].all > 0 && done)
            done = index_key(e, key_of_prefix(rank, after_abandoned(to->prefix[i])));
    }
    for (uint32_t i = 0; i < own->num_pending && done; i++)
        done = keep_posted(e, &own->pending[i], rank, to);
    ORK_ASSERT(to->num_posted <= (uint64_t)own->num + own->num_pending);
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
    struct explored_run *run = &e->run[e->runs];
    *run = (struct explored_run){.kept = kept, .own = *trace};
    *trace = (struct ork_trace){0};
    ork_names_begin(e);
    for (uint32_t r = 0; r < e->ranks && done; r++) {
        if (!ork_names_are_for(e, r))
            done = keep(e, &run->own.rank[r], r, &kept[r]);
    }
    for (uint32_t r = 0; r < e->ranks && done; r++) {
        uint32_t name = ork_names_of(e, r);
        if (ork_names_are_for(e, r))
            done = keep(e, &run->own.rank[r], name, &kept[name]);
    }
    e->runs++; /* also after a failure: it has to be freed */
    return done ? ORK_OK : ORK_NOMEM;
}

const struct posted *ork_explored_find_posted(const struct kept_rank *kept, uint64_t post)
{
    struct posted wanted = {.post = post};

    return kept->num_posted == 0
               ? NULL
               : bsearch(&wanted, kept->posted, kept->num_posted, sizeof(wanted), compare);
}

/* ---- decisions ---- */

const struct ork_choice *ork_explored_choice(const struct ork_explored *e, uint32_t run,
                                             uint32_t rank, uint64_t number)
{
    return run < e->runs ? ork_trace_choice(&e->run[run].own, rank, number) : NULL;
}

const struct ork_trace_rank *ork_explored_rank(const struct ork_explored *e, uint32_t run,
                                               uint32_t rank)
{
    ORK_ASSERT(run < e->runs && rank < e->ranks);
    return &e->run[run].own.rank[rank];
}

/* The choice is free, after unsuccessful polls. */
static struct ork_choice fail(const struct ork_choice *choice, const struct ork_change *change)
{
    struct ork_choice to = {.kind = ORK_CHOICE_FREE,
                            .call = choice->call,
                            .site = choice->site,
                            .place = choice->place,
                            .polls = choice->polls + 1};

    if (change->polls == ORK_POLLS_ONE_MORE)
        return to;
    to.polls = change->polls == ORK_POLLS_ABANDONED ? ORK_CHOICE_POLLS_ROW : ORK_CHOICE_POLLS_EQUAL;
    to.post = choice->polls;
    return to;
}

struct ork_choice ork_change_apply(const struct ork_choice *choice, const struct ork_change *change)
{
    struct ork_choice to = *choice;

    if (ork_change_is_failure(change)) {
        to = fail(choice, change);
    } else if (choice->kind == ORK_CHOICE_TEST || choice->kind == ORK_CHOICE_WAIT) {
        to.index = change->index;
        to.count = change->count;
    } else if (choice->kind == ORK_CHOICE_LOCK) {
        to.tag = change->tag;
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
    if (ork_change_is_other_poll(change))
        return (change->kind == ORK_CHOICE_TEST || change->kind == ORK_CHOICE_PROBE) &&
               keep + 1 == change->number && (change->poll.polls != ORK_POLLS_ALL || c != NULL);
    if (ork_change_is_request(change))
        return change->polls == ORK_POLLS_SAME && c == NULL && keep + 1 == change->number &&
               keep == e->run[run].own.rank[change->rank].num;
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

/* Number of the next lock of the rank. */
static uint64_t next_lock(const struct ork_trace_rank *own)
{
    for (uint32_t i = own->num; i-- > 0;) {
        if (ork_order_is_lock(own->choice[i].kind))
            return own->choice[i].post + 1;
    }
    return 1;
}

struct ork_choice ork_explored_changed(const struct ork_explored *e, uint32_t run,
                                       const struct ork_change *change)
{
    const struct ork_choice *c = ork_explored_choice(e, run, change->rank, change->number);

    if (ork_change_is_other_poll(change)) {
        bool as_before = change->poll.polls == ORK_POLLS_ALL;
        return (struct ork_choice){.kind = change->kind,
                                   .call = change->poll.call,
                                   .site = change->poll.site,
                                   .place = change->poll.place,
                                   .polls = as_before ? c->polls : change->poll.polls};
    }
    if (ork_change_is_request(change)) {
        const struct ork_trace_rank *own = &e->run[run].own.rank[change->rank];
        return (struct ork_choice){.kind = ORK_CHOICE_LOCK,
                                   .call = change->poll.call,
                                   .site = change->poll.site,
                                   .place = change->poll.place,
                                   .polls = own->last_polls,
                                   .post = next_lock(own),
                                   .source = change->source};
    }
    if (c != NULL)
        return *c;
    return (struct ork_choice){.kind = ORK_CHOICE_RECEIVE,
                               .post = change->post,
                               .source = change->took_source,
                               .tag = change->took_tag};
}

/* RATIONALE: a poll that is equal to an unsuccessful one has one outcome, whatever the number of
 * unsuccessful ones and what was done between them. */
uint64_t ork_explored_outcome(const struct ork_explored *e, uint32_t run, uint32_t rank,
                              uint64_t number)
{
    const struct ork_trace_rank *own = ork_explored_rank(e, run, rank);

    if (ork_explored_choice(e, run, rank, number) == NULL)
        return 0;
    return own->again[number - 1] != 0 ? own->again[number - 1] : own->polled[number - 1];
}

uint64_t ork_explored_changed_polled(const struct ork_explored *e, uint32_t run,
                                     const struct ork_change *change)
{
    const struct ork_trace_rank *own = &e->run[run].own.rank[change->rank];

    switch (change->polls) {
    case ORK_POLLS_FEWER:
        return ork_trace_polled(change->poll.different, change->poll.same);
    case ORK_POLLS_AGAIN:
        return ork_trace_again(change->poll.num_distinct, change->poll.poll_index);
    default:
        if (change->number == own->num + UINT64_C(1))
            return own->last_polled;
        return change->number == 0 || change->number > own->num ? 0
                                                                : own->polled[change->number - 1];
    }
}

uint64_t ork_explored_changed_outcome(const struct ork_explored *e, uint32_t run,
                                      const struct ork_change *change)
{
    if (!ork_change_is_other_poll(change))
        return ork_explored_outcome(e, run, change->rank, change->number);
    return change->poll.poll_index != 0
               ? ork_trace_again(change->poll.num_distinct, change->poll.poll_index)
               : ork_explored_changed_polled(e, run, change);
}

bool ork_explored_abandoned_last(const struct ork_explored *e, uint32_t run, uint32_t rank,
                                 uint64_t choices)
{
    const struct ork_trace_rank *own = ork_explored_rank(e, run, rank);

    ORK_ASSERT(choices <= own->num);
    return choices == own->num && own->abandoned[choices].is_whole && !own->has_ended;
}

bool ork_explored_ends_in_vain(const struct ork_explored *e, uint32_t run, uint32_t rank,
                               struct ork_choice *to)
{
    const struct ork_trace_rank *own = ork_explored_rank(e, run, rank);
    const struct ork_abandoned *abandoned = &own->abandoned[own->num];

    *to = (struct ork_choice){.kind = ORK_CHOICE_FREE,
                              .call = abandoned->call,
                              .place = abandoned->place,
                              .polls = ORK_CHOICE_POLLS_EQUAL,
                              .post = own->last_polls};
    return abandoned->is_whole;
}

uint64_t ork_explored_kept_polls(const struct ork_explored *e, uint32_t run,
                                 const struct ork_change *change, uint32_t rank)
{
    uint64_t polls = change->keep_polls[rank];

    ORK_ASSERT(change->keep[rank] <= ork_explored_rank(e, run, rank)->num);
    return polls == ORK_POLLS_ALL ? ork_trace_polls(&e->run[run].own.rank[rank], change->keep[rank])
                                  : polls;
}

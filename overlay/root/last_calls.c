/* SPDX-License-Identifier: BSD-3-Clause */
/* The last calls of the ranks that a finding names, collected when it is made: see latest.h. */
#include "overlay/root/root_internal.h"

#include "common/vec.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

/* Number of lists in a finding, and of calls in each. */
enum { LISTS_MAX = 8, CALLS_MAX = 10 };

/* ---- which ranks to ask ---- */

static void choose_from(const struct ork_u32s *set, struct asked asked[ROOT_ASKED_MAX], uint32_t *n)
{
    for (uint32_t i = 0; i < set->count && *n < ROOT_ASKED_MAX; i++) {
        bool known = false;
        for (uint32_t k = 0; k < *n && !known; k++)
            known = asked[k].rank == set->item[i];
        if (!known)
            asked[(*n)++] = (struct asked){.rank = set->item[i]};
    }
}

uint32_t ork_root_choose_asked(const struct ork_finding *f, struct asked asked[ROOT_ASKED_MAX])
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < f->num_roots; k++)
        choose_from(&f->roots[k], asked, &n);
    if (f->num_roots == 0)
        choose_from(&f->ranks, asked, &n);
    return n;
}

/* RATIONALE: the run is past the call. The call is identified by its number if the strict analysis
 * has not reached it. A list that does not end in that call is dropped. */
static bool find_until(const struct ork_root *root, struct asked *asked, bool past,
                       struct ork_until *until)
{
    uint64_t queued = ork_detector_queued(root->detector, asked->rank);
    struct ork_rank_view v = ork_detector_rank(root->detector, asked->rank);

    *until = (struct ork_until){.past = past};
    if (!past || v.status == ORK_RANK_DONE)
        return true;
    if (queued > ORK_RING_RECORDS)
        return false;
    until->records = (uint32_t)ork_snapshots_taken(root->snapshots, asked->rank);
    until->skip = (uint32_t)queued;
    asked->past = true;
    asked->call = v.call;
    return true;
}

enum ork_status ork_root_ask_last_calls(struct ork_root *root, struct asked *asked, uint32_t count,
                                        bool past)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < count && status == ORK_OK; i++) {
        struct ork_order order = {.kind = ORK_ORDER_LATEST, .latest.rank = asked[i].rank};
        if (find_until(root, &asked[i], past, &order.latest.until))
            status = ork_down_send(&root->down, &order);
        else
            asked[i].answered = true;
    }
    return status;
}

/* ---- as text ---- */

static bool has_comm(const struct ork_record *r)
{
    return ork_record_has(r, ORK_HAS_PEER) || r->kind == ORK_KIND_COLL ||
           ork_record_has(r, ORK_IS_WINDOW);
}

static bool has_requests(const struct ork_record *r)
{
    return ork_record_has(r, ORK_LISTS_REQUESTS);
}

static bool has_bytes(const struct ork_record *r)
{
    return ork_record_has(r, ORK_IS_MESSAGE) || (r->kind == ORK_KIND_COLL && r->bytes > 0);
}

/* Names of communicators are those that the strict analysis has reached; latest.c explains numbers
 * that mean another communicator by now. */
static enum ork_status fill_comm(struct ork_root *root, uint32_t rank, const struct ork_record *r,
                                 struct ork_last_call *c)
{
    uint32_t comm = ork_detector_comm_of(root->detector, rank, r->comm);

    if (!has_comm(r) || comm == UINT32_MAX)
        return ORK_OK;
    if (r->comm > ORK_COMM_SELF && ork_detector_queued(root->detector, rank) == UINT64_MAX)
        return ORK_OK;
    c->comm = ork_phrase_comm(root->detector, root->sites, comm);
    return c->comm == NULL ? ORK_NOMEM : ORK_OK;
}

static bool fill_peers(const struct ork_latest_call *from, struct ork_last_call *c)
{
    const struct ork_record *r = &from->call;
    bool sendrecv = r->kind == ORK_KIND_SENDRECV, locks = r->kind == ORK_KIND_WIN_LOCK;
    bool ok = true;

    if (ork_record_has(r, ORK_HAS_PEER) ||
        ((locks || r->kind == ORK_KIND_WIN_UNLOCK) && r->peer != ORK_NO_PEER))
        ok = (c->peer = ork_phrase_peer(r->peer)) != NULL;
    if (ork_record_has(r, ORK_HAS_PEER))
        ok = ok && (c->tag = ork_phrase_tag(r->tag)) != NULL;
    if (sendrecv)
        ok = ok && (c->source = ork_phrase_peer(r->peer2)) != NULL &&
             (c->source_tag = ork_phrase_tag(r->tag2)) != NULL;
    if (r->kind == ORK_KIND_COLL && r->peer != ORK_NO_PEER)
        ok = ok && (c->root = ork_phrase_peer(r->peer)) != NULL;
    if (from->took >= 0)
        ok = ok && (c->took = ork_text("rank %d, tag %d", from->took, from->took_tag)) != NULL;
    return ok;
}

static enum ork_status fill_call(struct ork_root *root, uint32_t rank,
                                 const struct ork_latest_call *from, struct ork_last_call *c)
{
    const struct ork_record *r = &from->call;

    c->call = strdup(ork_call_name(r->call));
    if (c->call == NULL || !fill_peers(from, c))
        return ORK_NOMEM;
    c->has_bytes = has_bytes(r);
    c->bytes = c->has_bytes ? r->bytes : 0;
    c->requests = has_requests(r) ? r->count : 0;
    c->times = from->times > 0 ? from->times : 1;
    c->error = from->error;
    c->inside = from->inside;
    enum ork_status status = fill_comm(root, rank, r, c);
    return status == ORK_OK ? ork_call_sites_find(root->sites, rank, r->site, &c->where) : status;
}

/* ---- merge equal ones ---- */

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Ignores addresses within one line. */
static bool is_same_place(const struct ork_where *a, const struct ork_where *b)
{
    if (a->line == 0 || b->line == 0)
        return ork_describe_is_same_where(a, b);
    return a->line == b->line && is_same_text(a->file, b->file);
}

/* Ignores the counts. */
static bool is_same_call(const struct ork_last_call *a, const struct ork_last_call *b)
{
    return is_same_text(a->call, b->call) && is_same_text(a->comm, b->comm) &&
           is_same_text(a->peer, b->peer) && is_same_text(a->tag, b->tag) &&
           is_same_text(a->source, b->source) && is_same_text(a->source_tag, b->source_tag) &&
           is_same_text(a->root, b->root) && is_same_text(a->took, b->took) &&
           a->has_bytes == b->has_bytes && a->bytes == b->bytes && a->requests == b->requests &&
           a->error == b->error && a->inside == b->inside && is_same_place(&a->where, &b->where);
}

/* RATIONALE: equal calls in a row are merged already, except those of a loop that the compiler has
 * unrolled: these have several addresses in one line. */
static void fold_calls(struct ork_last_calls *list)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < list->num_calls; i++) {
        struct ork_last_call *last = n > 0 ? &list->call[n - 1] : NULL;
        if (last != NULL && is_same_call(last, &list->call[i])) {
            last->times += list->call[i].times;
            ork_last_call_release(&list->call[i]);
        } else {
            list->call[n++] = list->call[i];
        }
    }
    uint32_t more = n > CALLS_MAX ? n - CALLS_MAX : 0;
    for (uint32_t i = 0; i < more; i++)
        ork_last_call_release(&list->call[i]);
    memmove(list->call, list->call + more, (n - more) * sizeof(*list->call));
    list->num_calls = n - more;
}

static bool is_same_list(const struct ork_last_calls *a, const struct ork_last_calls *b)
{
    bool same = a->thread == b->thread && a->num_calls == b->num_calls;

    for (uint32_t i = 0; i < a->num_calls && same; i++)
        same = is_same_call(&a->call[i], &b->call[i]) && a->call[i].times == b->call[i].times;
    return same;
}

static void cut(struct ork_finding *f, uint32_t count)
{
    while (f->num_last_calls > count)
        ork_last_calls_drain(&f->last_calls[--f->num_last_calls]);
}

/* Merge the last list with an equal one. */
static bool fold_last(struct ork_finding *f, uint32_t rank)
{
    struct ork_last_calls *last = &f->last_calls[f->num_last_calls - 1];

    for (struct ork_last_calls *list = f->last_calls; list < last; list++) {
        if (!is_same_list(list, last))
            continue;
        cut(f, f->num_last_calls - 1);
        return ork_describe_add_rank(&list->ranks, rank);
    }
    return ork_describe_add_rank(&last->ranks, rank);
}

static enum ork_status add_list(struct ork_root *root, struct ork_finding *f, uint32_t rank,
                                const struct ork_latest_call *from, uint32_t count, bool alone)
{
    size_t n = f->num_last_calls;
    enum ork_status status = ORK_OK;

    if (!ork_vec_extend(&f->last_calls, n, n + 1, sizeof(*f->last_calls)))
        return ORK_NOMEM;
    struct ork_last_calls *list = &f->last_calls[f->num_last_calls++];
    *list = (struct ork_last_calls){.thread = alone ? -1 : (int64_t)from->call.thread,
                                    .call = calloc(count, sizeof(*list->call))};
    if (list->call == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < count && status == ORK_OK; i++) {
        list->num_calls++;
        status = fill_call(root, rank, &from[i], &list->call[i]);
    }
    if (status == ORK_OK)
        fold_calls(list);
    return status != ORK_OK || fold_last(f, rank) ? status : ORK_NOMEM;
}

/* Does the list end in the requested call? */
static bool is_what_was_asked(const struct asked *asked, const struct ork_latest *latest)
{
    const struct ork_record *last = &latest->call[latest->num_calls - 1].call;

    return !asked->past || (last->kind == asked->call.kind && last->call == asked->call.call &&
                            last->site == asked->call.site && last->peer == asked->call.peer &&
                            last->tag == asked->call.tag);
}

enum ork_status ork_root_add_last_calls(struct ork_root *root, struct ork_finding *f,
                                        const struct asked *asked, const struct ork_latest *latest)
{
    enum ork_status status = ORK_OK;
    uint32_t n = latest->num_calls;

    if (n == 0 || latest->rank >= root->nprocs || !is_what_was_asked(asked, latest))
        return ORK_OK;
    bool alone = latest->call[0].call.thread == latest->call[n - 1].call.thread;
    for (uint32_t i = 0, end; i < n && status == ORK_OK; i = end) {
        for (end = i + 1; end < n; end++) {
            if (latest->call[end].call.thread != latest->call[i].call.thread)
                break;
        }
        status = add_list(root, f, latest->rank, &latest->call[i], end - i, alone);
    }
    return status;
}

static int compare_lists(const void *a, const void *b)
{
    const struct ork_last_calls *x = a, *y = b;
    int by_rank = ork_describe_compare_ranks(x->ranks.item, y->ranks.item);

    return by_rank != 0 ? by_rank : (x->thread > y->thread) - (x->thread < y->thread);
}

void ork_root_settle_last_calls(struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_last_calls; i++)
        ork_describe_sort_unique(&f->last_calls[i].ranks);
    if (f->num_last_calls > 0)
        qsort(f->last_calls, f->num_last_calls, sizeof(*f->last_calls), compare_lists);
    if (f->num_last_calls > LISTS_MAX)
        cut(f, LISTS_MAX);
}

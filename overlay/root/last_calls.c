/* SPDX-License-Identifier: BSD-3-Clause */
/* The last calls of the ranks that a finding names, collected when it is made: see latest.h. */
#include "overlay/root/root_internal.h"

#include "common/text.h"
#include "common/vec.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "report/causes.h"
#include "report/ranks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Number of lists in a finding. */
enum { LISTS_MAX = ROOT_SHOWN_MAX };

/* ---- which ranks to ask ---- */

void ork_root_choose_asked(struct asked_ranks *asked, uint32_t rank)
{
    bool known = asked->count == ROOT_ASKED_MAX;

    for (uint32_t k = 0; k < asked->count && !known; k++)
        known = asked->item[k].rank == rank;
    if (!known)
        asked->item[asked->count++] = (struct asked){.rank = rank};
}

static void choose_from(const struct ork_u32s *set, struct asked_ranks *asked)
{
    for (uint32_t i = 0; i < set->count; i++)
        ork_root_choose_asked(asked, set->item[i]);
}

/* RATIONALE: the call that almost matches may be one of a rank that is in no root, and in a small
 * job it helps to see all ranks. */
static void choose_asked(const struct ork_finding *f, struct asked_ranks *asked)
{
    for (uint32_t i = 0; i < f->num_near_misses; i++)
        ork_root_choose_asked(asked, f->near_miss[i].pending.rank);
    for (uint32_t k = 0; k < f->num_roots; k++)
        choose_from(&f->roots[k], asked);
    if (f->num_roots == 0 || f->ranks.count <= LISTS_MAX)
        choose_from(&f->ranks, asked);
}

/* RATIONALE: the run is past the call. The call is identified by its number if the strict analysis
 * has not reached it. A list that does not end in that call is dropped. */
static bool find_until(const struct ork_root *root, struct asked *asked, bool past,
                       struct ork_until *until)
{
    uint64_t queued = ork_detector_queued(root->detector, asked->rank);
    struct ork_rank_view v = ork_detector_rank(root->detector, asked->rank);

    *until = (struct ork_until){.past = past};
    asked->call = v.call;
    asked->coll_calls = ork_detector_coll_calls(root->detector, asked->rank, v.call.comm);
    if (!past || v.status == ORK_RANK_DONE)
        return true;
    if (queued > ORK_RING_RECORDS)
        return false;
    until->records = (uint32_t)ork_snapshots_taken(root->snapshots, asked->rank);
    until->skip = (uint32_t)queued;
    asked->past = true;
    return true;
}

static enum ork_status find_streams(const struct ork_root *root, struct asked_ranks *asked)
{
    bool *of = calloc(root->nprocs + 1, sizeof(*of));

    if (of == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < asked->count; i++)
        of[asked->item[i].rank] = asked->item[i].rank < root->nprocs;
    enum ork_status status =
        ork_detector_streams(root->detector, of, &asked->stream, &asked->num_streams);
    free(of);
    return status;
}

enum ork_status ork_root_ask_last_calls(struct ork_root *root, const struct ork_finding *f,
                                        struct asked_ranks *asked, bool past)
{
    if (asked->count == 0)
        choose_asked(f, asked);
    enum ork_status status = find_streams(root, asked);
    for (uint32_t i = 0; i < asked->count && status == ORK_OK; i++) {
        struct asked *one = &asked->item[i];
        struct ork_order order = {.kind = ORK_ORDER_LATEST, .latest.rank = one->rank};
        if (find_until(root, one, past, &order.latest.until))
            status = ork_down_send(&root->down, &order);
        else
            one->answered = true;
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

    c->position = UINT32_MAX;

    c->call = strdup(ork_call_name(r->call));
    if (c->call == NULL || !fill_peers(from, c))
        return ORK_NOMEM;
    c->has_bytes = has_bytes(r);
    c->bytes = c->has_bytes ? r->bytes : 0;
    c->requests = has_requests(r) ? r->count : 0;
    c->times = from->times > 0 ? from->times : 1;
    c->error = from->error;
    c->inside = from->inside;
    c->is_nonblocking = (r->flags & ORK_F_NONBLOCKING) != 0 && ork_record_has(r, ORK_IS_MESSAGE);
    c->awaited_after = from->awaited_after;
    c->iteration = from->iteration;
    c->iterations = from->iterations;
    enum ork_status status = fill_comm(root, rank, r, c);
    if (status == ORK_OK)
        status = ork_call_sites_find(root->sites, rank, r->site, &c->where);
    if (status == ORK_OK)
        c->own_name = ork_phrase_own_name(c->call, &c->where);
    return status;
}

/* ---- equal lists ---- */

static bool is_same_list(const struct ork_last_calls *a, const struct ork_last_calls *b)
{
    bool same = a->thread == b->thread && a->num_calls == b->num_calls;

    for (uint32_t i = 0; i < a->num_calls && same; i++)
        same = ork_root_is_same_call(&a->call[i], &b->call[i]) &&
               a->call[i].times == b->call[i].times && a->call[i].pending == b->call[i].pending &&
               a->call[i].position == b->call[i].position &&
               a->call[i].iteration == b->call[i].iteration &&
               a->call[i].iterations == b->call[i].iterations &&
               a->call[i].awaited_after == b->call[i].awaited_after;
    return same;
}

void ork_root_drop_calls(struct ork_finding *f, uint32_t list)
{
    ork_last_calls_drain(&f->last_calls[list]);
    f->num_last_calls--;
    memmove(&f->last_calls[list], &f->last_calls[list + 1],
            (f->num_last_calls - list) * sizeof(*f->last_calls));
}

static bool is_end_of_decision(const struct ork_finding *f, uint32_t rank)
{
    for (uint32_t i = 0; i < f->num_decisions; i++) {
        if (f->decision[i].receive.rank == rank || f->decision[i].send.rank == rank ||
            f->decision[i].took == rank)
            return true;
    }
    return false;
}

/* Does the finding say the same of both ranks? It may be about calls that one of them has made, and
 * not about the latest ones. */
static bool is_alike(const struct ork_finding *f, uint32_t a, uint32_t b)
{
    const struct ork_rank_row *x = NULL, *y = NULL;

    for (uint32_t i = 0; i < f->num_waits; i++) {
        x = f->waits[i].rank == a ? &f->waits[i] : x;
        y = f->waits[i].rank == b ? &f->waits[i] : y;
    }
    if (is_end_of_decision(f, a) || is_end_of_decision(f, b))
        return false;
    return x == NULL || y == NULL || ork_text_is_same(x->call, y->call);
}

/* Merge the last list with an equal one. */
static bool fold_last(struct ork_finding *f, uint32_t rank)
{
    struct ork_last_calls *last = &f->last_calls[f->num_last_calls - 1];

    for (struct ork_last_calls *list = f->last_calls; list < last; list++) {
        if (!is_same_list(list, last) || !is_alike(f, list->ranks.item[0], rank))
            continue;
        ork_root_drop_calls(f, f->num_last_calls - 1);
        return ork_describe_add_rank(&list->ranks, rank);
    }
    return ork_describe_add_rank(&last->ranks, rank);
}

/* `all`: NULL if it is not known which messages these calls have. */
static enum ork_status add_list(struct ork_root *root, struct ork_finding *f,
                                const struct asked_ranks *all, const struct asked *asked,
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
        status = fill_call(root, asked->rank, &from[i], &list->call[i]);
        if (all != NULL)
            ork_root_fill_messages(root, all, asked, &from[i], &list->call[i]);
    }
    if (status == ORK_OK)
        ork_root_fold_calls(list);
    return status != ORK_OK || fold_last(f, asked->rank) ? status : ORK_NOMEM;
}

/* Does the list end in the requested call? */
static bool ends_there(const struct asked *asked, const struct ork_latest *latest)
{
    const struct ork_record *last = &latest->call[latest->num_calls - 1].call;

    return last->kind == asked->call.kind && last->call == asked->call.call &&
           last->site == asked->call.site && last->peer == asked->call.peer &&
           last->tag == asked->call.tag;
}

/* Are these the calls after which the detector counted what is not matched? A rank that has ended
 * makes no others. */
static bool is_counted(const struct ork_root *root, const struct asked *asked,
                       const struct ork_latest *latest)
{
    bool is_all = ork_detector_queued(root->detector, asked->rank) == 0;
    bool has_ended = ork_detector_rank(root->detector, asked->rank).status == ORK_RANK_DONE ||
                     ork_root_died(root, asked->rank) != NULL;

    if (has_ended && is_all)
        return true;
    return ends_there(asked, latest) &&
           (asked->past || (latest->call[latest->num_calls - 1].inside && is_all));
}

enum ork_status ork_root_add_last_calls(struct ork_root *root, struct ork_finding *f,
                                        const struct asked_ranks *all, const struct asked *asked,
                                        const struct ork_latest *latest)
{
    enum ork_status status = ORK_OK;
    uint32_t n = latest->num_calls;

    if (n == 0 || latest->rank >= root->nprocs || (asked->past && !ends_there(asked, latest)))
        return ORK_OK;
    bool alone = latest->call[0].call.thread == latest->call[n - 1].call.thread;
    if (!alone || !is_counted(root, asked, latest))
        all = NULL;
    for (uint32_t i = 0, end; i < n && status == ORK_OK; i = end) {
        for (end = i + 1; end < n; end++) {
            if (latest->call[end].call.thread != latest->call[i].call.thread)
                break;
        }
        status = add_list(root, f, all, asked, &latest->call[i], end - i, alone);
    }
    return status;
}

static int compare_lists(const void *a, const void *b)
{
    const struct ork_last_calls *x = a, *y = b;
    int by_rank = ork_describe_compare_ranks(x->ranks.item, y->ranks.item);

    return by_rank != 0 ? by_rank : (x->thread > y->thread) - (x->thread < y->thread);
}

/* Does the list have a call that almost matches? */
static bool is_near(const struct ork_finding *f, const struct ork_last_calls *list)
{
    for (uint32_t i = 0; i < f->num_near_misses; i++) {
        if (ork_rank_in(list->ranks.item, list->ranks.count, f->near_miss[i].pending.rank))
            return true;
    }
    return false;
}

static bool is_in_root(const struct ork_finding *f, const struct ork_last_calls *list)
{
    for (uint32_t i = 0; i < list->ranks.count; i++) {
        if (ork_finding_has_root(f, list->ranks.item[i]))
            return true;
    }
    return false;
}

/* What a report keeps first. */
static unsigned worth_of(const struct ork_finding *f, const struct ork_last_calls *list)
{
    return is_near(f, list) ? 2 : is_in_root(f, list);
}

/* The last one of those that are worth least. */
static void drop_one(struct ork_finding *f)
{
    uint32_t least = 0;

    for (uint32_t i = 1; i < f->num_last_calls; i++) {
        if (worth_of(f, &f->last_calls[i]) <= worth_of(f, &f->last_calls[least]))
            least = i;
    }
    ork_root_drop_calls(f, least);
}

enum ork_status ork_root_settle_last_calls(struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_last_calls; i++)
        ork_describe_sort_unique(&f->last_calls[i].ranks);
    if (f->num_last_calls > 0)
        qsort(f->last_calls, f->num_last_calls, sizeof(*f->last_calls), compare_lists);
    while (f->num_last_calls > LISTS_MAX)
        drop_one(f);
    return ork_root_draw_arrows(f);
}

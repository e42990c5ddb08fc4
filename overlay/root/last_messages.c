/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the last calls belong together: sends and their receives, and the calls of one
 * collective.
 *
 * Invariants. The messages of a stream (struct ork_stream) are received in the order in which they
 * were sent, so they are counted from the end: of the calls of a stream, the latest ones are those
 * that are not matched, and before them the sends and the receives belong together one by one. This
 * needs all calls of the stream from a call to the end of the list. So a call whose message is not
 * known for sure hides all calls before it. The collective calls of a rank on a communicator are
 * counted in the same way. */
#include "overlay/root/root_internal.h"

#include "common/vec.h"
#include "report/ranks.h"

#include <assert.h>
#include <stdlib.h>

/* ---- of one call ---- */

static void set_unmatched(const struct asked_ranks *all, bool sends, struct ork_last_message *m)
{
    for (uint32_t i = 0; i < all->num_streams; i++) {
        const struct ork_stream *s = &all->stream[i];
        if (s->source != m->source || s->destination != m->destination || s->comm != m->comm ||
            s->tag != m->tag)
            continue;
        m->unmatched = sends ? s->sends : s->receives;
        if (s->is_in_doubt)
            m->is = ORK_LAST_UNKNOWN;
    }
}

static struct ork_last_message message_of(const struct ork_root *root,
                                          const struct asked_ranks *all, uint32_t rank,
                                          const struct ork_record *r, bool sends)
{
    struct ork_stream s;

    if ((r->kind == ORK_KIND_SENDRECV && !sends ? r->peer2 : r->peer) == ORK_PROC_NULL)
        return (struct ork_last_message){.is = ORK_LAST_NO_MESSAGE};
    if (!ork_detector_stream_of(root->detector, rank, r, sends, &s))
        return (struct ork_last_message){.is = ORK_LAST_UNKNOWN};
    struct ork_last_message m = {.is = ORK_LAST_KNOWN,
                                 .source = s.source,
                                 .destination = s.destination,
                                 .comm = s.comm,
                                 .tag = s.tag};
    set_unmatched(all, sends, &m);
    return m;
}

/* The receive as it would be if it had named the message that it took. */
static struct ork_record with_taken(const struct ork_latest_call *from)
{
    struct ork_record r = from->call;

    if (from->took < 0)
        return r;
    *(r.kind == ORK_KIND_SENDRECV ? &r.peer2 : &r.peer) = from->took;
    *(r.kind == ORK_KIND_SENDRECV ? &r.tag2 : &r.tag) = from->took_tag;
    return r;
}

/* May it send or receive, or undo that, in a way that its record does not show? */
static bool hides_messages(const struct ork_latest_call *from)
{
    uint8_t kind = from->call.kind;

    return kind == ORK_KIND_START || kind == ORK_KIND_MRECV || kind == ORK_KIND_CANCEL ||
           ((from->call.flags & ORK_F_PERSISTENT) != 0 && kind != ORK_KIND_COLL) ||
           (from->error != 0 && ork_record_has(&from->call, ORK_IS_MESSAGE));
}

void ork_root_fill_messages(const struct ork_root *root, const struct asked_ranks *all,
                            const struct asked *asked, const struct ork_latest_call *from,
                            struct ork_last_call *call)
{
    const struct ork_record *r = &from->call;
    bool both = r->kind == ORK_KIND_SENDRECV, hides = hides_messages(from);
    struct ork_record taken = with_taken(from);

    if (hides)
        call->sends.is = call->receives.is = ORK_LAST_UNKNOWN;
    if (!hides && (both || r->kind == ORK_KIND_SEND))
        call->sends = message_of(root, all, asked->rank, r, true);
    if (!hides && (both || r->kind == ORK_KIND_RECV))
        call->receives = message_of(root, all, asked->rank, &taken, false);
    if (from->took >= 0)
        call->receives.unmatched = 0;
    call->colls = 0;
    if (r->kind == ORK_KIND_COLL && (r->flags & ORK_F_PERSISTENT) == 0) {
        call->local_comm = r->comm;
        call->colls = from->error != 0              ? UINT32_MAX
                      : r->comm == asked->call.comm ? asked->coll_calls
                      : asked->past                 ? 0
                                    : ork_detector_coll_calls(root->detector, asked->rank, r->comm);
    }
}

static bool is_same_stream(const struct ork_last_message *a, const struct ork_last_message *b)
{
    return a->is == ORK_LAST_KNOWN && b->is == ORK_LAST_KNOWN && a->source == b->source &&
           a->destination == b->destination && a->comm == b->comm && a->tag == b->tag;
}

/* ---- back over the calls of a list ---- */

/* RATIONALE: so many calls are enough for a drawing, and the calls of a fold may be many. */
enum { STEPS_MAX = 1 << 14 };

/* Goes back over the calls of a stream, from the end of a list; over those of an iteration as often
 * as they were made. */
struct cursor {
    const struct ork_last_calls *list;
    bool sends;
    uint32_t call;          /* the present one */
    uint32_t left;          /* messages of it that are still to be taken */
    uint32_t rounds, steps; /* of the present iteration; of all */
};

static struct cursor at_end(const struct ork_last_calls *list, bool sends)
{
    return (struct cursor){.list = list, .sends = sends, .call = list->num_calls};
}

static const struct ork_last_message *message_at(const struct cursor *c, uint32_t call)
{
    return c->sends ? &c->list->call[call].sends : &c->list->call[call].receives;
}

/* To the call before the present one. False: there is none, or it is not worth it. */
static bool step_back(struct cursor *c)
{
    const struct ork_last_call *at = c->call < c->list->num_calls ? &c->list->call[c->call] : NULL;

    if (at != NULL && at->iteration > 0 && c->rounds + 1 < at->iterations) {
        c->rounds++;
        c->call += at->iteration - 1;
    } else if (c->call > 0) {
        c->rounds = at != NULL && at->iteration > 0 ? 0 : c->rounds;
        c->call--;
    } else {
        return false;
    }
    return c->steps++ < STEPS_MAX;
}

/* Stand at a call of the stream with messages left. */
static bool go_back(struct cursor *c, const struct ork_last_message *stream)
{
    while (c->left == 0) {
        if (!step_back(c))
            return false;
        const struct ork_last_message *m = message_at(c, c->call);
        if (m->is == ORK_LAST_UNKNOWN)
            return false;
        if (is_same_stream(m, stream))
            c->left = c->list->call[c->call].times;
    }
    return true;
}

/* Is it the latest call of its stream in the list? */
static bool is_latest(const struct ork_last_calls *list, uint32_t call, bool sends)
{
    struct cursor c = at_end(list, sends);
    const struct ork_last_message *m = message_at(&c, call);

    for (uint32_t i = call + 1; i < list->num_calls; i++) {
        if (is_same_stream(m, message_at(&c, i)))
            return false;
    }
    return m->is == ORK_LAST_KNOWN;
}

/* The latest messages of the stream of call `i` are those that are not matched. */
static void add_pending(struct ork_last_calls *list, uint32_t i, bool sends)
{
    struct cursor c = at_end(list, sends);
    const struct ork_last_message *m = message_at(&c, i);
    struct ork_last_call *call = &list->call[i];

    if (m->is == ORK_LAST_UNKNOWN)
        call->pending += call->inside && call->took == NULL && call->error == 0;
    if (!is_latest(list, i, sends))
        return;
    for (uint32_t left = m->unmatched; left > 0 && go_back(&c, m); c.left = 0) {
        uint32_t n = c.left < left ? c.left : left;
        list->call[c.call].pending += n;
        left -= n;
    }
}

/* ---- of one list ---- */

/* How often the list stands for call `i`, and which iteration it is part of: the number of the
 * first call of it, from 1; 0: none. */
static uint64_t rounds_of(const struct ork_last_calls *list, uint32_t i, uint32_t *part_of)
{
    *part_of = 0;
    for (uint32_t k = 0; k <= i; k++) {
        const struct ork_last_call *first = &list->call[k];
        if (first->iteration > i - k) {
            *part_of = k + 1;
            return first->iterations;
        }
    }
    return 1;
}

/* In the latest round of its iteration. */
static uint32_t position_of(const struct ork_last_calls *list, uint32_t i)
{
    const struct ork_last_call *c = &list->call[i];
    uint32_t own, other;
    uint64_t later = 0;

    if (c->colls == UINT32_MAX)
        return UINT32_MAX;
    rounds_of(list, i, &own);
    for (uint32_t k = i + 1; k < list->num_calls; k++) {
        const struct ork_last_call *n = &list->call[k];
        uint64_t rounds = rounds_of(list, k, &other);
        bool is_same_round = own > 0 && own == other;
        if (n->colls == 0 || n->local_comm != c->local_comm)
            continue;
        if (n->colls == UINT32_MAX)
            return UINT32_MAX;
        later += n->times * (is_same_round ? 1 : rounds);
    }
    return c->colls > later ? (uint32_t)(c->colls - later - 1) : UINT32_MAX;
}

void ork_root_place_calls(struct ork_last_calls *list)
{
    for (uint32_t i = 0; i < list->num_calls; i++) {
        add_pending(list, i, true);
        add_pending(list, i, false);
        list->call[i].position = position_of(list, i);
    }
}

/* ---- between two lists ---- */

static bool skip(struct cursor *c, const struct ork_last_message *stream, uint32_t count)
{
    while (count > 0) {
        if (!go_back(c, stream))
            return false;
        uint32_t n = c->left < count ? c->left : count;
        c->left -= n;
        count -= n;
    }
    return true;
}

static bool add_arrow(struct ork_finding *f, struct ork_last_arrow arrow)
{
    for (uint32_t i = 0; i < f->num_arrows; i++) {
        const struct ork_last_arrow *a = &f->arrow[i];
        if (a->from_list == arrow.from_list && a->from_call == arrow.from_call &&
            a->to_list == arrow.to_list && a->to_call == arrow.to_call)
            return true;
    }
    if (!ork_vec_extend(&f->arrow, f->num_arrows, f->num_arrows + 1, sizeof(*f->arrow)))
        return false;
    f->arrow[f->num_arrows++] = arrow;
    return true;
}

/* Where a message arrives: in the call that received it, or in the one that waited for the receive;
 * UINT32_MAX: that is not known. */
static uint32_t arrives_in(const struct ork_last_calls *list, uint32_t call)
{
    const struct ork_last_call *c = &list->call[call];

    if (c->awaited_after > 0 && call + c->awaited_after < list->num_calls)
        return call + c->awaited_after;
    return c->is_nonblocking ? UINT32_MAX : call;
}

/* The messages of these calls and of earlier ones of their streams, from the end. */
static enum ork_status connect(struct ork_finding *f, uint32_t from, uint32_t to,
                               const struct ork_last_message *send,
                               const struct ork_last_message *receive)
{
    struct cursor s = at_end(&f->last_calls[from], true), r = at_end(&f->last_calls[to], false);

    if (!skip(&s, send, send->unmatched) || !skip(&r, receive, receive->unmatched))
        return ORK_OK;
    while (go_back(&s, send) && go_back(&r, receive)) {
        uint32_t n = s.left < r.left ? s.left : r.left;
        uint32_t arrival = arrives_in(r.list, r.call);
        assert(n > 0);
        s.left -= n;
        r.left -= n;
        if (arrival != UINT32_MAX &&
            !add_arrow(f, (struct ork_last_arrow){from, s.call, to, arrival}))
            return ORK_NOMEM;
    }
    return ORK_OK;
}

/* Each pair of a stream of sends and its stream of receives once. RATIONALE: a list is that of one
 * of its ranks; the others have made the same calls, and lack as many matches. */
static enum ork_status draw_between(struct ork_finding *f, uint32_t from, uint32_t to)
{
    const struct ork_last_calls *a = &f->last_calls[from], *b = &f->last_calls[to];
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < a->num_calls; i++) {
        const struct ork_last_message *s = &a->call[i].sends;
        if (!is_latest(a, i, true) || !ork_rank_in(b->ranks.item, b->ranks.count, s->destination))
            continue;
        for (uint32_t k = 0; k < b->num_calls && status == ORK_OK; k++) {
            const struct ork_last_message *r = &b->call[k].receives;
            if (is_latest(b, k, false) && ork_rank_in(a->ranks.item, a->ranks.count, r->source) &&
                r->comm == s->comm && r->tag == s->tag)
                status = connect(f, from, to, s, r);
        }
    }
    return status;
}

enum ork_status ork_root_draw_arrows(struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    f->num_arrows = 0;
    for (uint32_t from = 0; from < f->num_last_calls; from++)
        for (uint32_t to = 0; to < f->num_last_calls && status == ORK_OK; to++)
            status = draw_between(f, from, to);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: calls whose records name one and the same amount need no comparison, so nothing is
 * stored for a wave. As soon as one is different, it is compared with the calls of the members that
 * wait, each of which keeps its record: in an operation with a root, only with the root. Calls that
 * have failed are kept by the wave. */
#include "detector/check/exchange.h"

#include "detector/check/matching_types.h"
#include "detector/check/neighbors.h"

#include <stdlib.h>
#include <string.h>

/* At most so many members are compared with one, unless that is the root. */
enum { COMPARED_MAX = 256 };

/* One member's part of a call. */
struct part {
    const struct ork_record *rec;
    const uint32_t *list; /* NULL: unknown, or there is none */
    uint32_t rank, member;
};

static uint32_t num_processes(const struct wave *w, uint32_t member)
{
    const struct comm *c = w->comm;

    if (c->self)
        return 1;
    if (!c->inter)
        return c->size;
    return member < c->local ? c->size - c->local : c->local;
}

static bool is_root(const struct wave *w, const struct part *p)
{
    if (w->comm->inter)
        return p->rec->peer == ORK_ROOT;
    return p->rec->peer >= 0 && (w->comm->self || (uint32_t)p->rec->peer == p->member);
}

static bool is_rooted(const struct ork_record *rec)
{
    enum ork_coll_exchange exchange = ork_coll_exchange(rec->mode);

    return exchange == ORK_EXCHANGE_FROM_ROOT || exchange == ORK_EXCHANGE_TO_ROOT;
}

static bool are_in_one_group(const struct comm *c, uint32_t a, uint32_t b)
{
    return (a < c->local) == (b < c->local);
}

/* ---- amounts ---- */

static bool is_among_neighbors(const struct ork_record *rec)
{
    return ork_coll_exchange(rec->mode) == ORK_EXCHANGE_AMONG_NEIGHBORS;
}

/* The length of the array of counts for what is sent, or received; 0: there is none. */
static uint32_t num_counts(const struct wave *w, const struct part *p, bool is_received)
{
    unsigned flag = is_received ? ORK_F_RECEIVES : ORK_F_SENDS;

    if ((p->rec->flags & flag) == 0 ||
        !ork_coll_has(p->rec->mode, is_received ? ORK_COUNTS_RECEIVED : ORK_COUNTS_SENT))
        return 0;
    if (!is_among_neighbors(p->rec))
        return num_processes(w, p->member);
    const struct neighbors *n = ork_neighbors_of(w->comm, p->member);
    if (n == NULL)
        return 0;
    return is_received ? n->sources : n->destinations;
}

/* Element `process` of the counts that are sent, or received; of neighbours, their place. False:
 * unknown. */
static bool counted(const struct wave *w, const struct part *p, bool is_received, uint32_t process,
                    struct amount *out)
{
    const struct ork_record *r = p->rec;
    uint32_t width = ork_coll_has(r->mode, ORK_HAS_TYPES) ? 2 : 1;
    uint32_t sent = num_counts(w, p, false), received = num_counts(w, p, true);
    uint32_t at = (is_received ? sent : 0) + process;

    if (p->list == NULL || process >= (is_received ? received : sent) ||
        r->count != (uint64_t)(sent + received) * width)
        return false;
    if (width == 2) {
        *out = (struct amount){p->list[2 * at], p->list[2 * at + 1]};
        return true;
    }
    int32_t size = is_received ? r->tag2 : r->tag;
    *out = (struct amount){(uint64_t)p->list[at] * (uint64_t)(size > 0 ? size : 0),
                           is_received ? (uint32_t)r->peer2 : r->arg2};
    return size > 0;
}

/* MPI_Alltoall: records have the amount of all processes together. MPI_Reduce_scatter_block: of all
 * in the other group, but its own group receives it (MPI-3.1 section 5.10.2). */
static uint64_t share(const struct wave *w, const struct part *p, uint64_t bytes)
{
    uint32_t processes = num_processes(w, p->member);
    const struct comm *c = w->comm;

    if (processes == 0)
        return bytes;
    if (p->rec->mode == ORK_COLL_ALLTOALL)
        return bytes / processes;
    if (p->rec->mode == ORK_COLL_REDUCE_SCATTER_BLOCK && c->inter)
        return bytes / processes * (c->size - processes);
    return bytes;
}

static bool received_from(const struct wave *w, const struct part *p, uint32_t process,
                          struct amount *out)
{
    if (p->rec->mode == ORK_COLL_BCAST) {
        *out = (struct amount){p->rec->bytes, p->rec->arg2};
        return (p->rec->flags & ORK_F_SENDS) != 0 && !is_root(w, p);
    }
    if ((p->rec->flags & ORK_F_RECEIVES) == 0)
        return false;
    if (ork_coll_has(p->rec->mode, ORK_COUNTS_RECEIVED))
        return counted(w, p, true, process, out);
    *out = (struct amount){share(w, p, p->rec->extra), (uint32_t)p->rec->peer2};
    return true;
}

static bool sent_to(const struct wave *w, const struct part *p, uint32_t process,
                    struct amount *out)
{
    enum ork_coll_exchange exchange = ork_coll_exchange(p->rec->mode);

    /* MPI-3.1 sections 5.7 and 5.8: in place, it sends what it would receive */
    if ((p->rec->flags & ORK_F_IN_PLACE) != 0 && exchange == ORK_EXCHANGE_AMONG_ALL)
        return received_from(w, p, p->rec->mode == ORK_COLL_ALLGATHERV ? p->member : process, out);
    if ((p->rec->flags & ORK_F_SENDS) == 0 ||
        (exchange == ORK_EXCHANGE_FROM_ROOT && !is_root(w, p)))
        return false;
    if (ork_coll_has(p->rec->mode, ORK_COUNTS_SENT))
        return counted(w, p, false, process, out);
    *out = (struct amount){share(w, p, p->rec->bytes), p->rec->arg2};
    return true;
}

/* ---- comparison ---- */

static struct ork_issue_side side_of(const struct wave *w, const struct part *p,
                                     struct amount amount)
{
    struct ork_record call = *p->rec;

    call.count = 0;
    call.bytes = amount.bytes;
    call.arg2 = amount.type;
    return (struct ork_issue_side){
        .call = call, .comm = w->comm->id, .rank = p->rank, .wave = w->index};
}

static bool report(const struct wave *w, struct ork_detector *d, const struct part *a,
                   struct amount x, const struct part *b, struct amount y)
{
    if (x.bytes == y.bytes && (x.type == y.type || x.bytes == 0))
        return false;
    struct ork_issue_side sender = side_of(w, a, x);
    struct ork_issue_side receiver = side_of(w, b, y);
    return ork_types_report_equal(d, &sender, &receiver);
}

/* What `a` sends to `b`. True: it was wrong, and is reported. */
static bool compare_sent(const struct wave *w, struct ork_detector *d, const struct part *a,
                         const struct part *b)
{
    const struct comm *c = w->comm;
    uint32_t to = c->inter ? UINT32_MAX : b->member;
    uint32_t from = c->inter ? UINT32_MAX : a->member;
    struct amount x, y;

    if (c->inter && are_in_one_group(c, a->member, b->member))
        return false;
    return sent_to(w, a, to, &x) && received_from(w, b, from, &y) && report(w, d, a, x, b, y);
}

/* What `a` sends to its neighbour `b`. RATIONALE: if there are several edges from one to the other,
 * the standard does not say which block of the sender is for which one of the receiver. */
static bool compare_edge(const struct wave *w, struct ork_detector *d, const struct part *a,
                         const struct part *b)
{
    const struct neighbors *from = ork_neighbors_of(w->comm, a->member);
    const struct neighbors *to = ork_neighbors_of(w->comm, b->member);
    bool is_only_to, is_only_from;
    struct amount x, y;

    if (from == NULL || to == NULL)
        return false;
    uint32_t destination =
        ork_neighbors_find(from->rank + from->sources, from->destinations, b->member, &is_only_to);
    uint32_t source = ork_neighbors_find(to->rank, to->sources, a->member, &is_only_from);
    bool has_counts = ork_coll_has(a->rec->mode, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED);
    if (destination == UINT32_MAX || source == UINT32_MAX ||
        (has_counts && !(is_only_to && is_only_from)))
        return false;
    return sent_to(w, a, destination, &x) && received_from(w, b, source, &y) &&
           report(w, d, a, x, b, y);
}

/* What both pass to a reduction. */
static bool compare_passed(const struct wave *w, struct ork_detector *d, const struct part *a,
                           const struct part *b)
{
    bool has_list = ork_coll_has(a->rec->mode, ORK_COUNTS_SENT);
    uint32_t n = has_list ? num_processes(w, a->member) : 1;
    struct amount x, y;

    for (uint32_t i = 0; i < n; i++) {
        if (sent_to(w, a, i, &x) && sent_to(w, b, i, &y) && report(w, d, a, x, b, y))
            return true;
    }
    return false;
}

static bool compare(const struct wave *w, struct ork_detector *d, const struct part *a,
                    const struct part *b)
{
    if (a->rec->mode != b->rec->mode)
        return false;
    if (ork_coll_exchange(a->rec->mode) == ORK_EXCHANGE_COMBINED)
        return compare_passed(w, d, a, b);
    if (is_among_neighbors(a->rec))
        return compare_edge(w, d, a, b) || compare_edge(w, d, b, a);
    return compare_sent(w, d, a, b) || compare_sent(w, d, b, a);
}

/* RATIONALE: which one is the sender of two that send to each other depends on what they pass. So
 * the order of arrivals does not matter, and one mistake is told in one sentence. */
static bool comes_before(const struct part *a, const struct part *b)
{
    struct amount x = {0}, y = {0};

    if (ork_exchange_amount(a->rec, &x) && ork_exchange_amount(b->rec, &y)) {
        if (x.type != y.type)
            return x.type < y.type;
        if (x.bytes != y.bytes)
            return x.bytes < y.bytes;
    }
    return a->rank < b->rank;
}

static void compare_both(const struct wave *w, struct ork_detector *d, const struct part *own,
                         const struct part *other)
{
    bool is_first = comes_before(own, other);

    compare(w, d, is_first ? own : other, is_first ? other : own);
}

/* What a rank sends to itself. */
static bool compare_own(const struct wave *w, struct ork_detector *d, const struct part *own)
{
    if (ork_coll_exchange(own->rec->mode) == ORK_EXCHANGE_COMBINED)
        return false;
    return is_among_neighbors(own->rec) ? compare_edge(w, d, own, own)
                                        : compare_sent(w, d, own, own);
}

/* With which of those that wait? */
struct choice {
    const struct wave *wave;
    const struct part *own;
    bool only_root;
    uint32_t left; /* comparisons */
};

static void compare_part(struct choice *c, struct ork_detector *d, const struct part *other)
{
    if (c->only_root && !is_root(c->wave, other))
        return;
    c->left--;
    compare_both(c->wave, d, c->own, other);
}

/* RATIONALE: a communicator that another thread has freed keeps its number as long as this thread
 * is in its call. */
static void compare_with_waiter(struct choice *c, const struct mpi_thread *th)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);

    ORK_ASSERT(ref != NULL);
    struct part other = {&th->call, th->call.count > 0 ? th->list : NULL, th->proc->rank, ref->me};
    compare_part(c, th->proc->d, &other);
}

static void compare_with_waiters(struct choice *c)
{
    for (struct mpi_thread *s = c->wave->waiters; s != NULL && c->left > 0; s = s->wave_next)
        compare_with_waiter(c, s);
}

/* A neighbour's thread that waits, if there is one. */
static void compare_with_neighbor(struct choice *c, struct ork_detector *d, int32_t member)
{
    const struct comm *comm = c->wave->comm;

    if (member < 0 || (uint32_t)member >= comm->size)
        return;
    const struct proc *p = d->proc[comm->member != NULL ? comm->member[member] : (uint32_t)member];
    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (p->thread[i]->wave == c->wave)
            compare_with_waiter(c, p->thread[i]);
    }
}

/* RATIONALE: there are few neighbours, and many members may wait. */
static void compare_with_neighbors(struct choice *c, struct ork_detector *d)
{
    const struct neighbors *n = ork_neighbors_of(c->wave->comm, c->own->member);
    bool is_only;

    for (uint32_t i = 0; n != NULL && i < n->sources + n->destinations && c->left > 0; i++) {
        if (ork_neighbors_find(n->rank, i, (uint32_t)n->rank[i], &is_only) == UINT32_MAX)
            compare_with_neighbor(c, d, n->rank[i]);
    }
}

/* RATIONALE: the rank may have freed the communicator since, so its number is not looked up. */
static void compare_with_requests(struct choice *c, struct ork_detector *d)
{
    for (struct request *r = c->wave->requests; r != NULL && c->left > 0; r = r->wave_next) {
        if (r->starter == NULL)
            continue;
        struct part other = {&r->call, r->call.count > 0 ? r->list : NULL, r->starter->proc->rank,
                             r->on.me};
        compare_part(c, d, &other);
    }
}

static void compare_with_failed(struct choice *c, struct ork_detector *d)
{
    for (const struct failed_call *f = c->wave->failed; f != NULL && c->left > 0; f = f->next) {
        struct part other = {&f->rec, f->rec.count > 0 ? f->list : NULL, f->rank, f->member};
        compare_part(c, d, &other);
    }
    for (const struct failed_call *f = c->wave->failed; f != NULL; f = f->next)
        ork_types_coll_returned(d->proc[f->rank], f->rec.site);
}

void ork_exchange_compare(struct mpi_thread *th, const struct wave *w, uint32_t me,
                          const struct ork_record *rec)
{
    struct ork_detector *d = th->proc->d;
    const struct part own = {rec, rec == &th->call && rec->count > 0 ? th->list : NULL,
                             th->proc->rank, me};
    enum ork_coll_exchange exchange = ork_coll_exchange(rec->mode);
    bool has_root = is_rooted(rec);
    struct choice choice = {.wave = w,
                            .own = &own,
                            .only_root = has_root && !is_root(w, &own),
                            .left = has_root ? UINT32_MAX : COMPARED_MAX};

    if (exchange == ORK_EXCHANGE_NONE || compare_own(w, d, &own))
        return;
    if (exchange == ORK_EXCHANGE_AMONG_NEIGHBORS)
        compare_with_neighbors(&choice, d);
    else
        compare_with_waiters(&choice);
    compare_with_requests(&choice, d);
    compare_with_failed(&choice, d);
}

void ork_exchange_failed(struct wave *w, struct proc *p, uint32_t member,
                         const struct ork_record *call, const uint32_t *list)
{
    size_t size = call->count * sizeof(*list);
    struct failed_call *f;

    ork_types_coll_returned(p, call->site);
    if (w->arrived == ork_wave_size(w))
        return;
    f = malloc(sizeof(*f) + size);
    if (f == NULL) {
        p->d->failed = true;
        return;
    }
    *f = (struct failed_call){.next = w->failed, .rec = *call, .rank = p->rank, .member = member};
    if (size > 0)
        memcpy(f->list, list, size);
    w->failed = f;
}

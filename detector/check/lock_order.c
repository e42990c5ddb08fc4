/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that processes take in opposite orders: a deadlock that only their timing avoids (MPI-3.1
 * section 11.5.3 lets MPI_Win_lock wait for the lock). A thread that gets a lock while it holds
 * another one defines an order of the two. Orders of different processes that form a cycle are an
 * issue if none of them certainly happened before another, and no further lock excludes them from
 * each other.
 *
 * RATIONALE: a thread that waits for a lock does not keep other threads of its process from
 * releasing theirs. Two orders of one process are no issue, because its threads may exclude each
 * other in a way that MPI does not show. For the same reason any lock of the process counts as one
 * that excludes others. */
#include "detector/check/issue.h"
#include "detector/check/lock_order.h"

#include <stdlib.h>

/* Maximum number of stored orders, and of locks held in addition to the two of an order. A program
 * that exceeds them is not analysed further. */
enum { ORDERS_MAX = 1024, GATES_MAX = 4 };

struct lock_order {
    struct lock_order *next;
    struct proc *proc;
    struct lock_name held, wanted;
    struct lock_name gate[GATES_MAX];
    unsigned num_gates;
    struct ork_record held_call, wanted_call;
    uint64_t learned; /* when it requested `held`: seq of the latest event it may know of others */
    uint64_t asked;   /* seq when it requested `wanted` */
    bool reported;
    struct lock_order *before; /* in the current search */
    bool seen;
};

static bool is_same(const struct lock_name *a, const struct lock_name *b)
{
    return a->comm == b->comm && a->target == b->target && a->exclusive == b->exclusive;
}

bool ork_lock_names_exclude(const struct lock_name *a, const struct lock_name *b)
{
    bool same_target = a->target == b->target || a->target == UINT32_MAX || b->target == UINT32_MAX;

    return a->comm == b->comm && same_target && (a->exclusive || b->exclusive);
}

static bool is_gated(const struct lock_order *a, const struct lock_order *b)
{
    for (unsigned i = 0; i < a->num_gates; i++) {
        for (unsigned k = 0; k < b->num_gates; k++) {
            if (ork_lock_names_exclude(&a->gate[i], &b->gate[k]))
                return true;
        }
    }
    return false;
}

/* Can two processes be inside these orders at the same time? */
static bool can_be_concurrent(const struct lock_order *a, const struct lock_order *b)
{
    return a->proc != b->proc && a->asked > b->learned && b->asked > a->learned && !is_gated(a, b);
}

/* Can all orders of a cycle be concurrent? `last` closes it; `before` leads back to the first order
 * of the search. */
static bool are_all_concurrent(const struct lock_order *last)
{
    for (const struct lock_order *a = last; a != NULL; a = a->before) {
        for (const struct lock_order *b = a->before; b != NULL; b = b->before) {
            if (!can_be_concurrent(a, b))
                return false;
        }
    }
    return true;
}

/* The shortest cycle through `first`: its last order, whose `before` leads back to `first`. */
static struct lock_order *find_cycle(struct ork_detector *d, struct lock_order *first)
{
    struct lock_order *todo[ORDERS_MAX];
    unsigned done = 0, n = 0;

    for (struct lock_order *o = d->windows.lock_order; o != NULL; o = o->next)
        o->seen = false;
    first->seen = true;
    first->before = NULL;
    todo[n++] = first;
    while (done < n) {
        struct lock_order *at = todo[done++];
        for (struct lock_order *o = d->windows.lock_order; o != NULL; o = o->next) {
            if (o->seen || !ork_lock_names_exclude(&at->wanted, &o->held) ||
                !can_be_concurrent(o, at))
                continue;
            o->seen = true;
            o->before = at;
            ORK_ASSERT(n < d->windows.num_lock_orders); /* each order is in it once */
            todo[n++] = o;
            if (ork_lock_names_exclude(&o->wanted, &first->held) && are_all_concurrent(o))
                return o;
        }
    }
    return NULL;
}

/* List the sides in the order of the cycle, the lowest rank first. */
static void report(struct ork_detector *d, struct lock_order *last)
{
    unsigned n = 0, lowest = 0;
    uint32_t rank = UINT32_MAX;
    bool reported = false;

    for (struct lock_order *o = last; o != NULL; o = o->before) {
        reported |= o->reported;
        o->reported = true;
        if (o->proc->rank < rank) {
            rank = o->proc->rank;
            lowest = n;
        }
        n++;
    }
    struct ork_issue *issue =
        reported ? NULL : ork_issue_add(d, ORK_ISSUE_LOCK_ORDER, last->wanted.comm, n);
    unsigned at = lowest;
    for (struct lock_order *o = last; issue != NULL && o != NULL; o = o->before) {
        struct ork_issue_side *side = &issue->side[at];
        at = at == 0 ? n - 1 : at - 1;
        ork_comm_mention(d, o->held.comm);
        ork_comm_mention(d, o->wanted.comm);
        issue->quiet |= o->proc->quiet;
        side->call = o->wanted_call;
        side->held = o->held_call;
        side->comm = o->wanted.comm;
        side->held_comm = o->held.comm;
        side->rank = o->proc->rank;
        ork_issue_add_rank(d, side, o->proc->rank);
    }
}

static struct lock_order *find(struct ork_detector *d, const struct lock_order *like)
{
    for (struct lock_order *o = d->windows.lock_order; o != NULL; o = o->next) {
        bool same = o->proc == like->proc && is_same(&o->held, &like->held) &&
                    is_same(&o->wanted, &like->wanted) && o->num_gates == like->num_gates;
        for (unsigned i = 0; same && i < like->num_gates; i++)
            same = is_same(&o->gate[i], &like->gate[i]);
        if (same)
            return o;
    }
    return NULL;
}

static struct lock_order *remember(struct ork_detector *d, const struct lock_order *fresh)
{
    struct lock_order *o = find(d, fresh);

    if (o != NULL) {
        o->asked = fresh->asked;
        o->learned = fresh->learned;
        return o;
    }
    if (d->windows.num_lock_orders == ORDERS_MAX)
        return NULL;
    o = malloc(sizeof(*o));
    if (o == NULL) {
        d->failed = true;
        return NULL;
    }
    *o = *fresh;
    o->next = d->windows.lock_order;
    d->windows.lock_order = o;
    d->windows.num_lock_orders++;
    return o;
}

/* Store the locks of `p` other than `a` and `b` in `order`; false: too many. */
static bool add_gates(const struct proc *p, const struct lock *a, const struct lock *b,
                      struct lock_order *order)
{
    for (const struct lock *l = p->lock; l != NULL; l = l->held_next) {
        if (l == a || l == b || !l->granted)
            continue;
        if (order->num_gates == GATES_MAX)
            return false;
        order->gate[order->num_gates++] = l->name;
    }
    return true;
}

void ork_lock_order_got(struct proc *p, const struct lock *got)
{
    for (const struct lock *held = p->lock; held != NULL; held = held->held_next) {
        struct lock_order fresh = {.proc = p,
                                   .held = held->name,
                                   .wanted = got->name,
                                   .held_call = held->call,
                                   .wanted_call = got->call,
                                   .learned = held->learned,
                                   .asked = got->asked};
        if (held == got || !held->granted || held->thread != got->thread ||
            !add_gates(p, held, got, &fresh))
            continue;
        struct lock_order *o = remember(p->d, &fresh);
        struct lock_order *last = o == NULL || o->reported ? NULL : find_cycle(p->d, o);
        if (last != NULL)
            report(p->d, last);
    }
}

static void drop(struct ork_detector *d, struct lock_order **at)
{
    struct lock_order *gone = *at;

    ORK_ASSERT(d->windows.num_lock_orders > 0);
    *at = gone->next;
    free(gone);
    d->windows.num_lock_orders--;
}

void ork_lock_order_forget(struct ork_detector *d, uint32_t comm)
{
    struct lock_order **o = &d->windows.lock_order;

    while (*o != NULL) {
        if ((*o)->held.comm == comm || (*o)->wanted.comm == comm)
            drop(d, o);
        else
            o = &(*o)->next;
    }
}

void ork_lock_order_destroy(struct ork_detector *d)
{
    while (d->windows.lock_order != NULL)
        drop(d, &d->windows.lock_order);
}

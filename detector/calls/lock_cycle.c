/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of windows that are held here in a cycle, although the run was never in it: the records
 * came in an order in which the locks were not granted. The thread whose run is ahead had its lock,
 * so it is granted here, too, in doubt of who was first. */
#include "detector/calls/rma.h"
#include "detector/check/lock_order.h"

/* Locks in a cycle. RATIONALE: the search recurs. */
enum { CYCLE_MAX = 256 };

struct search {
    const struct ork_detector *d;
    const struct lock *goal;
    struct lock *seen[CYCLE_MAX];
    unsigned num_seen;
    struct lock *granted; /* the run has granted this one of the cycle */
};

bool ork_lock_excludes(const struct lock *a, const struct lock *b)
{
    return a->proc != b->proc && ork_lock_names_exclude(&a->name, &b->name);
}

/* The lock that the thread waits for. NULL: for none. */
static struct lock *wanted_by(const struct mpi_thread *th)
{
    struct lock *l = th->proc->lock;

    while (l != NULL && (l->thread != th || l->granted))
        l = l->held_next;
    return l;
}

static bool is_new(struct search *s, struct lock *l)
{
    for (unsigned i = 0; i < s->num_seen; i++) {
        if (s->seen[i] == l)
            return false;
    }
    if (s->num_seen == CYCLE_MAX)
        return false;
    s->seen[s->num_seen++] = l;
    return true;
}

/* Does `at` wait for the goal, perhaps over others that wait? */
static bool leads_back(struct search *s, struct lock *at)
{
    for (const struct lock *l = ork_comm_numbered(s->d, at->name.comm)->lock; l != NULL;
         l = l->next) {
        struct lock *next = l->granted && ork_lock_excludes(l, at) ? wanted_by(l->thread) : NULL;
        if (next == NULL || !(next == s->goal || (is_new(s, next) && leads_back(s, next))))
            continue;
        if (ork_thread_run_is_ahead(next->thread))
            s->granted = next;
        return true;
    }
    return false;
}

void ork_lock_break_cycle(struct mpi_thread *th)
{
    struct lock *mine = wanted_by(th);
    struct search s = {.d = th->proc->d, .goal = mine};

    if (mine == NULL || !leads_back(&s, mine) || s.granted == NULL)
        return;
    s.granted->granted = s.granted->in_doubt = true;
    ork_thread_part_done(s.granted->thread);
}

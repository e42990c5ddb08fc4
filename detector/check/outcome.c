/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/check/outcome.h"

static bool is_over(const struct mpi_thread *th)
{
    return th->exited || th->returned || th->over;
}

bool ork_outcome_is_success(const struct op *receive)
{
    const struct mpi_thread *th = receive->thread;
    bool is_latest = receive->call_number == th->num_calls;

    if (receive->returned || receive->is_freed || receive->owner == OWNER_REQUEST ||
        receive->owner == OWNER_SHARED)
        return false;
    return !is_latest || (is_over(th) && !th->failed);
}

void ork_outcome_await(struct ork_detector *d, uint32_t issue, const struct op *receive)
{
    bool by_request = receive->owner == OWNER_REQUEST;
    struct issues *all = &d->issues;

    if (receive->returned || receive->is_freed || receive->owner == OWNER_SHARED ||
        !ork_grow(d, &all->open, &all->open_cap, all->num_open + 1, sizeof(*all->open)))
        return;
    all->open[all->num_open++] = (struct open_issue){
        .issue = issue,
        .thread = by_request ? NULL : receive->thread,
        .request = by_request ? receive->request : NULL,
    };
}

static void close_issue(struct issues *all, uint32_t i)
{
    all->open[i] = all->open[--all->num_open];
}

/* One of its messages was not too long. */
static void refute(struct ork_detector *d, struct ork_issue *issue)
{
    if (issue->repeats > 0)
        issue->repeats--;
    else
        issue->withdrawn = true;
    d->issues.pairs_left_out = true; /* the receive took an unknown one */
}

void ork_outcome_settle(struct mpi_thread *th, bool has_failed)
{
    struct ork_detector *d = th->proc->d;
    struct issues *all = &d->issues;

    for (uint32_t i = all->num_open; i-- > 0;) {
        if (all->open[i].thread != th)
            continue;
        if (!has_failed)
            refute(d, &all->issue[all->open[i].issue]);
        close_issue(all, i);
    }
}

void ork_outcome_hand_over(struct mpi_thread *th, struct request *r)
{
    struct issues *all = &th->proc->d->issues;
    bool is_known = th->failed || is_over(th);

    for (uint32_t i = all->num_open; i-- > 0;) {
        if (all->open[i].request != r)
            continue;
        all->open[i].request = NULL;
        all->open[i].thread = th;
    }
    if (is_known)
        ork_outcome_settle(th, th->failed);
}

void ork_outcome_forget(struct ork_detector *d, const struct request *r)
{
    struct issues *all = &d->issues;

    for (uint32_t i = all->num_open; i-- > 0;) {
        if (all->open[i].request == r)
            close_issue(all, i);
    }
}

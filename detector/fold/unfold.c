/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeding what was kept back, and when. */
#include "detector/fold/walk.h"

/* Steps in a row without an equal state, although something was fed for it. */
enum { STALLS = 8 };

bool ork_fold_is_on(const struct ork_fold *f)
{
    return !f->is_stopped && (f->walk != NULL || f->num_found == f->nprocs);
}

bool ork_fold_is_counting(const struct ork_fold *f)
{
    return ork_fold_is_on(f) && f->is_known;
}

static enum ork_status unfold_rank(struct ork_fold *f, uint32_t r)
{
    struct rank *rank = &f->rank[r];
    const struct period *p = &rank->period;
    enum ork_status status = ORK_OK;

    if (p->stage != PERIOD_FOUND)
        return ORK_OK;
    ORK_ASSERT(rank->wholes == 0 || rank->fed == 0);
    if (rank->wholes > 0)
        status = ork_fold_feed_times(f, r, p->block, p->length, rank->wholes);
    rank->wholes = 0;
    if (status == ORK_OK)
        status = ork_fold_feed(f, r, p->block + rank->fed, p->at - rank->fed);
    rank->fed = p->at;
    return status;
}

static enum ork_status unfold(struct ork_fold *f)
{
    enum ork_status status = ORK_OK;

    if (f->walk != NULL)
        return ork_walk_unfold(f);
    ork_fold_forget_state(f);
    if (!ork_fold_is_on(f))
        return ORK_OK;
    for (uint32_t r = 0; r < f->nprocs && status == ORK_OK; r++)
        status = unfold_rank(f, r);
    f->num_ready = 0;
    return status;
}

enum ork_status ork_fold_unfold(struct ork_fold *f)
{
    f->is_open = true;
    enum ork_status status = unfold(f);
    f->fed++;
    return status;
}

void ork_fold_rest(struct ork_fold *f)
{
    f->counts.given_up++;
    f->stalls = 0;
    f->num_found = 0;
    for (uint32_t r = 0; r < f->nprocs; r++)
        ork_period_give_up(&f->rank[r].period);
}

enum ork_status ork_fold_give_up(struct ork_fold *f)
{
    enum ork_status status = unfold(f);

    ork_fold_rest(f);
    return status;
}

enum ork_status ork_fold_stop(struct ork_fold *f)
{
    enum ork_status status = unfold(f);

    f->is_stopped = true;
    ork_walk_destroy(f);
    return status;
}

bool ork_fold_has_moved(const struct ork_fold *f)
{
    return f->walk != NULL ? ork_walk_has_moved(f) : f->has_moved;
}

/* RATIONALE: if each rank has made a call since a moment, none of them was deadlocked at that
 * moment. If one makes none, `may_wait` is false in a while. */
static enum ork_status step_walk(struct ork_fold *f, bool may_wait, bool *is_steady)
{
    *is_steady = ork_walk_has_moved(f);
    if (*is_steady)
        ork_walk_look_again(f);
    return *is_steady || may_wait ? ORK_OK : ork_walk_unfold(f);
}

enum ork_status ork_fold_step(struct ork_fold *f, bool may_wait, bool *is_steady)
{
    if (f->walk != NULL)
        return step_walk(f, may_wait, is_steady);
    bool has_moved = f->has_moved;

    f->has_moved = false;
    *is_steady = f->is_known && has_moved;
    if (*is_steady || may_wait || !ork_fold_is_on(f))
        return ORK_OK;
    /* RATIONALE: to write the state of many ranks takes time, and is lost if they are slow. */
    f->stalls += f->tries > 0;
    return f->stalls > STALLS ? ork_fold_give_up(f) : unfold(f);
}

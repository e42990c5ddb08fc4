/* SPDX-License-Identifier: BSD-3-Clause */
/* Two accesses to a window that nothing orders, and the epochs in which they are. */
#include "viz/lanes_internal.h"

#include "common/text.h"

#include <string.h>

static const struct {
    const char *opens, *closes;
} epochs[] = {
    {"MPI_Win_fence", "MPI_Win_fence"},
    {"MPI_Win_start", "MPI_Win_complete"},
    {"MPI_Win_lock", "MPI_Win_unlock"},
    {"MPI_Win_lock_all", "MPI_Win_unlock_all"},
};
enum { EPOCHS = sizeof(epochs) / sizeof(epochs[0]) };

static const char *name_of(const struct ork_lanes *l, uint32_t box)
{
    return ork_lanes_call(l, box)->call;
}

/* What closes the epoch that this call opens; NULL: it opens none. */
static const char *closing(const char *call)
{
    for (unsigned i = 0; i < EPOCHS; i++) {
        if (strcmp(call, epochs[i].opens) == 0)
            return epochs[i].closes;
    }
    return NULL;
}

static bool is_in_lane(const struct ork_lanes *l, uint32_t box, uint32_t lane)
{
    return box < l->num_boxes && l->box[box].lane == lane;
}

/* The epoch of the box; false: the call that opens it is not drawn. */
static bool find_epoch(const struct ork_lanes *l, uint32_t box, struct ork_lane_epoch *epoch)
{
    uint32_t lane = l->box[box].lane;
    const char *closes = NULL;

    for (epoch->first = box; epoch->first > 0 && closes == NULL; epoch->first--) {
        if (!is_in_lane(l, epoch->first - 1, lane))
            return false;
        closes = closing(name_of(l, epoch->first - 1));
    }
    for (epoch->last = box; closes != NULL && is_in_lane(l, epoch->last + 1, lane);) {
        epoch->last++;
        if (strcmp(name_of(l, epoch->last), closes) == 0)
            break;
    }
    return closes != NULL;
}

static bool is_at_place_of(const struct ork_lanes *l, uint32_t a, uint32_t b)
{
    const struct ork_last_call *x = ork_lanes_call(l, a), *y = ork_lanes_call(l, b);

    return strcmp(x->call, y->call) == 0 && x->where.line == y->where.line && x->where.line > 0 &&
           ork_text_is_same(x->where.file, y->where.file);
}

/* The only box of a lane at the place of `box`; UINT32_MAX: there are none, or several. */
static uint32_t only_in_lane(const struct ork_lanes *l, uint32_t lane, uint32_t box)
{
    uint32_t found = UINT32_MAX;

    for (uint32_t i = 0; i < l->num_boxes; i++) {
        if (l->box[i].lane != lane || !is_at_place_of(l, i, box))
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = i;
    }
    return found;
}

/* One collective call. RATIONALE: two accesses in epochs of fences that nothing orders are in the
 * same epoch, so its fences are the same; but only if they are at one place it is certain that both
 * are of that window. Other ranks may have made this call once. */
static void join_fences(struct ork_lanes *l, uint32_t a, uint32_t b)
{
    if (strcmp(name_of(l, a), "MPI_Win_fence") != 0 || !is_at_place_of(l, a, b))
        return;
    uint32_t first = a < b ? a : b;
    l->group[a < b ? b : a] = first;
    for (uint32_t lane = 0; lane < l->finding->num_last_calls; lane++) {
        uint32_t other = only_in_lane(l, lane, first);
        bool is_one_of_them = lane == l->box[a].lane || lane == l->box[b].lane;
        if (!is_one_of_them && other != UINT32_MAX && other > first)
            l->group[other] = first;
    }
}

static void put_epochs(struct ork_lanes *l, uint32_t a, uint32_t b)
{
    struct ork_lane_epoch x, y;
    bool has_x = a != UINT32_MAX && find_epoch(l, a, &x);
    bool has_y = b != UINT32_MAX && find_epoch(l, b, &y);

    if (has_x)
        l->epoch[l->num_epochs++] = x;
    if (has_y && !(has_x && x.first == y.first))
        l->epoch[l->num_epochs++] = y;
    if (!has_x || !has_y || l->box[a].lane == l->box[b].lane)
        return;
    join_fences(l, x.first, y.first);
    join_fences(l, x.last, y.last);
}

void ork_lanes_put_accesses(struct ork_lanes *l)
{
    const struct ork_finding *f = l->finding;
    uint32_t box[2];

    if (f->num_accesses != 2)
        return;
    for (unsigned i = 0; i < 2; i++) {
        const struct ork_window_access *a = &f->access[i];
        box[i] = ork_lanes_only_at(
            l, &(struct ork_match_end){.rank = a->rank, .call = a->call, .where = a->where});
        if (box[i] != UINT32_MAX)
            l->box[box[i]].look = ORK_LOOK_ACCESS;
    }
    put_epochs(l, box[0], box[1]);
    ork_lanes_put_line(
        l, (struct ork_lane_line){
               .from = box[0], .to = box[1], .kind = ORK_LINE_CONFLICT, .differs = "not ordered"});
}

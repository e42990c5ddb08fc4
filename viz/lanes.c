/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/lanes_internal.h"

#include "common/text.h"
#include "report/last_calls.h"
#include "report/ranks.h"

#include <stdlib.h>
#include <string.h>

/* Parts of equal calls in a row. */
enum { ORK_PARTS_MAX = 8 };

/* ---- boxes ---- */

/* The start of the program says nothing about its end. */
static bool is_left_out(const struct ork_last_call *call)
{
    return strncmp(call->call, "MPI_Init", 8) == 0;
}

bool ork_lanes_are_worth_it(const struct ork_finding *f)
{
    uint32_t lanes = 0;

    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        bool has = false;
        for (uint32_t k = 0; k < f->last_calls[i].num_calls && !has; k++)
            has = !is_left_out(&f->last_calls[i].call[k]);
        lanes += has;
    }
    return lanes > 1 && f->num_last_calls <= ORK_LANES_MAX;
}

static bool is_null(const char *peer)
{
    return peer != NULL && strcmp(peer, "MPI_PROC_NULL") == 0;
}

static bool is_about(const struct ork_finding *f, const struct ork_u32s *ranks)
{
    for (uint32_t i = 0; i < ranks->count; i++) {
        if (ork_rank_in(f->ranks.item, f->ranks.count, ranks->item[i]))
            return true;
    }
    return false;
}

/* The latest call of the list that is the one in a row of its ranks; UINT32_MAX: none is. */
static uint32_t call_of_row(const struct ork_finding *f, const struct ork_last_calls *list)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *row = &f->waits[i];
        if (row->call == NULL || !ork_rank_in(list->ranks.item, list->ranks.count, row->rank))
            continue;
        for (uint32_t k = list->num_calls; k > 0; k--) {
            if (ork_last_call_is(&list->call[k - 1], row->call, &row->where))
                return k - 1;
        }
    }
    return UINT32_MAX;
}

/* The call in which the ranks of a deadlock wait: the last one, unless they have gone on because
 * the deadlock is one of other orders or of other libraries. */
static uint32_t stuck_call(const struct ork_finding *f, const struct ork_last_calls *list)
{
    bool may = f->class_ == ORK_POTENTIAL || f->class_ == ORK_INTERLEAVING;
    uint32_t call = may ? call_of_row(f, list) : UINT32_MAX;

    if (f->class_ == ORK_CLASS_NONE || !is_about(f, &list->ranks))
        return UINT32_MAX;
    return call != UINT32_MAX ? call : list->num_calls - 1;
}

static enum ork_lane_look look_of(const struct ork_last_calls *list, const struct ork_last_call *c,
                                  bool is_stuck)
{
    if (c->decided != NULL)
        return list->is_of_first_run ? ORK_LOOK_FIRST : ORK_LOOK_DECIDED;
    if (!c->inside && is_stuck && ork_call_polls(c->call))
        return ORK_LOOK_POLLS;
    if (c->inside || is_stuck)
        return ORK_LOOK_STUCK;
    if (is_null(c->peer) && (c->source == NULL || is_null(c->source)))
        return ORK_LOOK_NOBODY;
    return c->pending > 0 ? ORK_LOOK_PENDING : ORK_LOOK_PLAIN;
}

static void put_fold(struct ork_lanes *l, const struct ork_last_calls *list, uint32_t call)
{
    const struct ork_last_call *c = &list->call[call];
    uint32_t left = list->num_calls - call;

    if (c->iterations > 1 && c->iteration > 0 && c->iteration <= left)
        l->fold[l->num_folds++] =
            (struct ork_lane_fold){l->num_boxes, l->num_boxes + c->iteration - 1, c->iterations};
}

/* `times` of the calls, and so many behind them. */
static void put_box(struct ork_lanes *l, const struct ork_lane_box *whole, uint32_t times,
                    uint32_t behind)
{
    const struct ork_last_call *c = &l->finding->last_calls[whole->lane].call[whole->call];
    struct ork_lane_box *box = &l->box[l->num_boxes];
    bool is_earlier =
        behind > 0 && (whole->look == ORK_LOOK_STUCK || whole->look == ORK_LOOK_POLLS);

    *box = *whole;
    box->times = times;
    box->position = c->position != UINT32_MAX ? c->position - behind : UINT32_MAX;
    if (is_earlier)
        box->look = ORK_LOOK_PLAIN;
    l->group[l->num_boxes] = l->num_boxes;
    l->num_boxes++;
}

/* The last one of the first `times` of these collective calls that others made as the last of equal
 * ones in a row; 0: there is none. So one bar is for the same calls of all ranks. */
static uint32_t split_at(const struct ork_finding *f, uint32_t lane, const struct ork_last_call *c,
                         uint32_t times)
{
    uint32_t first = c->position - (c->times - 1), split = 0;

    if (c->position == UINT32_MAX || c->position < c->times - 1)
        return 0;
    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        for (uint32_t k = 0; k < f->last_calls[i].num_calls && i != lane; k++) {
            const struct ork_last_call *other = &f->last_calls[i].call[k];
            if (other->position == UINT32_MAX || other->position < first ||
                !ork_text_is_same(other->comm, c->comm))
                continue;
            uint32_t part = other->position - first + 1;
            split = part < times && part > split ? part : split;
        }
    }
    return split;
}

/* The first `times` of the calls. */
static void put_parts(struct ork_lanes *l, const struct ork_lane_box *whole, uint32_t times)
{
    const struct ork_last_call *c = &l->finding->last_calls[whole->lane].call[whole->call];
    uint32_t part[ORK_PARTS_MAX], n = 0;

    for (part[n++] = times; n < ORK_PARTS_MAX;) {
        uint32_t at = split_at(l->finding, whole->lane, c, part[n - 1]);
        if (at == 0)
            break;
        part[n++] = at;
    }
    uint32_t before = 0;
    for (; n > 0 && l->num_boxes < ORK_BOXES_MAX; n--) {
        put_box(l, whole, part[n - 1] - before, c->times - part[n - 1]);
        before = part[n - 1];
    }
}

static void put_list(struct ork_lanes *l, uint32_t lane)
{
    const struct ork_last_calls *list = &l->finding->last_calls[lane];
    uint32_t stuck = stuck_call(l->finding, list), fold_end = 0;

    for (uint32_t k = 0; k < list->num_calls && l->num_boxes < ORK_BOXES_MAX; k++) {
        const struct ork_last_call *c = &list->call[k];
        if (is_left_out(c))
            continue;
        put_fold(l, list, k);
        fold_end = c->iteration > 0 ? k + c->iteration : fold_end;
        const struct ork_lane_box whole = {
            .lane = lane, .call = k, .look = look_of(list, c, k == stuck)};
        if (k < fold_end)
            put_box(l, &whole, c->times, 0);
        else
            put_parts(l, &whole, c->times);
    }
}

/* RATIONALE: where the rank was then is told by whether this call has returned. */
static void mark_end(struct ork_lanes *l)
{
    const struct ork_finding *f = l->finding;

    for (uint32_t i = 0; i < l->num_boxes && f->end.as != ORK_AS_NONE; i++) {
        const struct ork_last_calls *list = &f->last_calls[l->box[i].lane];
        bool is_last = i + 1 == l->num_boxes || l->box[i + 1].lane != l->box[i].lane;
        if (is_last && ork_rank_in(list->ranks.item, list->ranks.count, f->end.rank))
            l->box[i].look = ORK_LOOK_ENDED;
    }
}

static void put_boxes(struct ork_lanes *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->finding->num_last_calls; i++)
        put_list(l, i);
    mark_end(l);
    for (uint32_t i = 0; i < l->num_folds; i++) {
        struct ork_lane_fold *fold = &l->fold[i];
        bool is_apart = n == 0 || l->fold[n - 1].last < fold->first;
        if (is_apart && fold->last < l->num_boxes &&
            l->box[fold->last].lane == l->box[fold->first].lane)
            l->fold[n++] = *fold;
    }
    l->num_folds = n;
}

static void group_collectives(struct ork_lanes *l)
{
    for (uint32_t i = 0; i < l->num_boxes; i++) {
        const struct ork_lane_box *a = &l->box[i];
        for (uint32_t k = 0; k < i && a->position != UINT32_MAX; k++) {
            const struct ork_lane_box *b = &l->box[k];
            if (b->position != a->position || b->lane == a->lane ||
                !ork_text_is_same(ork_lanes_call(l, i)->comm, ork_lanes_call(l, k)->comm))
                continue;
            l->group[i] = l->group[k];
            break;
        }
    }
}

enum ork_status ork_lanes_init_switched(struct ork_lanes *l, const struct ork_finding *finding,
                                        const struct ork_switched_arrow *arrow, uint32_t num)
{
    *l = (struct ork_lanes){.finding = finding};
    if (!ork_lanes_are_worth_it(finding))
        return ORK_NOTFOUND;
    l->box = calloc(ORK_BOXES_MAX, sizeof(*l->box));
    l->line = calloc(ORK_BOXES_MAX, sizeof(*l->line));
    l->group = calloc(ORK_BOXES_MAX, sizeof(*l->group));
    l->fold = calloc(ORK_BOXES_MAX, sizeof(*l->fold));
    enum ork_status status =
        l->box != NULL && l->line != NULL && l->group != NULL && l->fold != NULL ? ORK_OK
                                                                                 : ORK_NOMEM;
    if (status == ORK_OK) {
        put_boxes(l);
        group_collectives(l);
        ork_lanes_put_lines(l);
        ork_lanes_put_switched(l, arrow, num);
        ork_lanes_put_accesses(l);
        status = ork_lanes_find_columns(l);
    }
    if (status != ORK_OK)
        ork_lanes_release(l);
    return status;
}

enum ork_status ork_lanes_init(struct ork_lanes *l, const struct ork_finding *finding)
{
    return ork_lanes_init_switched(l, finding, NULL, 0);
}

void ork_lanes_release(struct ork_lanes *l)
{
    free(l->box);
    free(l->line);
    free(l->group);
    free(l->fold);
    memset(l, 0, sizeof(*l));
}

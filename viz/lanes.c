/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/lanes.h"

#include "common/text.h"
#include "report/ranks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: a report from a file may have any number; the tool writes 8 lists of 10 calls. */
enum { LANES_MAX = 16, BOXES_MAX = 256 };

static const struct ork_last_call *call_of(const struct ork_lanes *l, uint32_t box)
{
    return &l->finding->last_calls[l->box[box].lane].call[l->box[box].call];
}

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
    return lanes > 1 && f->num_last_calls <= LANES_MAX;
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

static enum ork_lane_look look_of(const struct ork_finding *f, uint32_t lane, uint32_t call)
{
    const struct ork_last_calls *list = &f->last_calls[lane];
    const struct ork_last_call *c = &list->call[call];
    bool ends = call + 1 == list->num_calls && f->class_ != ORK_CLASS_NONE;

    if (c->inside || (ends && is_about(f, &list->ranks)))
        return ORK_LOOK_STUCK;
    if (is_null(c->peer) && (c->source == NULL || is_null(c->source)))
        return ORK_LOOK_NOBODY;
    return c->pending > 0 ? ORK_LOOK_PENDING : ORK_LOOK_PLAIN;
}

static void put_boxes(struct ork_lanes *l)
{
    for (uint32_t i = 0; i < l->finding->num_last_calls; i++) {
        for (uint32_t k = 0; k < l->finding->last_calls[i].num_calls; k++) {
            if (is_left_out(&l->finding->last_calls[i].call[k]) || l->num_boxes == BOXES_MAX)
                continue;
            l->box[l->num_boxes] =
                (struct ork_lane_box){.lane = i, .call = k, .look = look_of(l->finding, i, k)};
            l->group[l->num_boxes] = l->num_boxes;
            l->num_boxes++;
        }
    }
}

/* UINT32_MAX: it is not drawn. */
static uint32_t box_of(const struct ork_lanes *l, uint32_t lane, uint32_t call)
{
    for (uint32_t i = 0; i < l->num_boxes; i++) {
        if (l->box[i].lane == lane && l->box[i].call == call)
            return i;
    }
    return UINT32_MAX;
}

/* ---- what belongs together ---- */

static void group_collectives(struct ork_lanes *l)
{
    for (uint32_t i = 0; i < l->num_boxes; i++) {
        const struct ork_last_call *a = call_of(l, i);
        for (uint32_t k = 0; k < i && a->position != UINT32_MAX; k++) {
            const struct ork_last_call *b = call_of(l, k);
            if (b->position != a->position || l->box[k].lane == l->box[i].lane ||
                !ork_text_is_same(a->comm, b->comm))
                continue;
            l->group[i] = l->group[k];
            break;
        }
    }
}

/* The latest call that an end of a match names. */
static uint32_t box_at(const struct ork_lanes *l, const struct ork_match_end *end)
{
    for (uint32_t i = l->num_boxes; i > 0; i--) {
        const struct ork_last_calls *list = &l->finding->last_calls[l->box[i - 1].lane];
        const struct ork_last_call *c = call_of(l, i - 1);
        if (ork_rank_in(list->ranks.item, list->ranks.count, end->rank) &&
            ork_text_is_same(c->call, end->call) && c->where.line == end->where.line &&
            ork_text_is_same(c->where.file, end->where.file))
            return i - 1;
    }
    return UINT32_MAX;
}

/* Where the rank waits for what this call lacks: in the call that it is in, if this one has only
 * started the operation. */
static uint32_t waits_in(const struct ork_lanes *l, uint32_t box)
{
    uint32_t last = box;

    while (box != UINT32_MAX && last + 1 < l->num_boxes &&
           l->box[last + 1].lane == l->box[box].lane)
        last++;
    return box != UINT32_MAX && l->box[last].look == ORK_LOOK_STUCK ? last : box;
}

/* Unless an end of it is not drawn. */
static void put_line(struct ork_lanes *l, struct ork_lane_line line)
{
    if (line.from != UINT32_MAX && line.to != UINT32_MAX && l->num_lines < BOXES_MAX &&
        l->box[line.from].lane != l->box[line.to].lane)
        l->line[l->num_lines++] = line;
}

static void put_lines(struct ork_lanes *l)
{
    const struct ork_finding *f = l->finding;

    for (uint32_t i = 0; i < f->num_arrows; i++) {
        const struct ork_last_arrow *a = &f->arrow[i];
        put_line(l, (struct ork_lane_line){.from = box_of(l, a->from_list, a->from_call),
                                           .to = box_of(l, a->to_list, a->to_call)});
    }
    for (uint32_t i = 0; i < f->num_near_misses; i++) {
        const struct ork_near_miss *near = &f->near_miss[i];
        put_line(l, (struct ork_lane_line){.from = box_at(l, &near->pending),
                                           .to = waits_in(l, box_at(l, &near->waits)),
                                           .differs = near->differs});
    }
    for (uint32_t i = 0; i < f->num_decisions; i++) {
        const struct ork_match_decision *d = &f->decision[i];
        if (d->differs)
            put_line(l, (struct ork_lane_line){.from = box_at(l, &d->send),
                                               .to = box_at(l, &d->receive),
                                               .differs = "instead",
                                               .is_other = true});
    }
}

/* ---- columns ---- */

/* Which relations order the columns. */
struct order {
    bool near_matches, collectives;
};

static uint32_t node_of(const struct ork_lanes *l, struct order by, uint32_t box)
{
    return by.collectives ? l->group[box] : box;
}

/* Let `before` be at least one column before `after`; distances are counted from the right. */
static bool push(uint32_t *distance, uint32_t before, uint32_t after)
{
    if (before == after || distance[before] > distance[after])
        return false;
    distance[before] = distance[after] + 1;
    return true;
}

/* The longest ways to the last column. False: some boxes would have to be before themselves. */
static bool find_distances(const struct ork_lanes *l, struct order by, uint32_t *distance)
{
    bool moved = true;

    memset(distance, 0, l->num_boxes * sizeof(*distance));
    for (uint32_t round = 0; moved && round <= l->num_boxes; round++) {
        moved = false;
        for (uint32_t i = 0; i + 1 < l->num_boxes; i++) {
            if (l->box[i].lane == l->box[i + 1].lane)
                moved |= push(distance, node_of(l, by, i), node_of(l, by, i + 1));
        }
        for (uint32_t i = 0; i < l->num_lines; i++) {
            if (l->line[i].differs == NULL || by.near_matches)
                moved |=
                    push(distance, node_of(l, by, l->line[i].from), node_of(l, by, l->line[i].to));
        }
    }
    return !moved;
}

/* RATIONALE: the messages of a run order its calls, but a near match need not fit into that order,
 * and a collective that does not synchronise has no single moment. */
static const struct order orders[] = {
    {.near_matches = true, .collectives = true},
    {.near_matches = false, .collectives = true},
    {.near_matches = false, .collectives = false},
};

static void forget_groups(struct ork_lanes *l)
{
    for (uint32_t i = 0; i < l->num_boxes; i++)
        l->group[i] = i;
}

/* A line that does not lead to the right: of messages, only in a report that the tool did not
 * write. */
static void drop_backward_lines(struct ork_lanes *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->num_lines; i++) {
        const struct ork_lane_line *line = &l->line[i];
        if (l->box[line->from].column < l->box[line->to].column || line->differs != NULL)
            l->line[n++] = *line;
    }
    l->num_lines = n;
}

static enum ork_status find_columns(struct ork_lanes *l)
{
    uint32_t *distance = malloc((l->num_boxes + 1) * sizeof(*distance));
    bool fits = false;

    if (distance == NULL)
        return ORK_NOMEM;
    for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]) && !fits; i++) {
        if (!orders[i].collectives)
            forget_groups(l);
        fits = find_distances(l, orders[i], distance);
    }
    if (!fits) {
        l->num_lines = 0;
        fits = find_distances(l, orders[2], distance);
        assert(fits); /* lanes alone have no circle */
    }
    for (uint32_t i = 0; i < l->num_boxes; i++) {
        uint32_t d = distance[l->group[i]];
        l->columns = d + 1 > l->columns ? d + 1 : l->columns;
    }
    for (uint32_t i = 0; i < l->num_boxes; i++)
        l->box[i].column = l->columns - 1 - distance[l->group[i]];
    free(distance);
    drop_backward_lines(l);
    return ORK_OK;
}

enum ork_status ork_lanes_init(struct ork_lanes *l, const struct ork_finding *finding)
{
    *l = (struct ork_lanes){.finding = finding};
    if (!ork_lanes_are_worth_it(finding))
        return ORK_NOTFOUND;
    l->box = calloc(BOXES_MAX, sizeof(*l->box));
    l->line = calloc(BOXES_MAX, sizeof(*l->line));
    l->group = calloc(BOXES_MAX, sizeof(*l->group));
    enum ork_status status =
        l->box != NULL && l->line != NULL && l->group != NULL ? ORK_OK : ORK_NOMEM;
    if (status == ORK_OK) {
        put_boxes(l);
        group_collectives(l);
        put_lines(l);
        status = find_columns(l);
    }
    if (status != ORK_OK)
        ork_lanes_release(l);
    return status;
}

void ork_lanes_release(struct ork_lanes *l)
{
    free(l->box);
    free(l->line);
    free(l->group);
    memset(l, 0, sizeof(*l));
}

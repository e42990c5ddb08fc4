/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the last calls: logical time. */
#include "viz/lanes_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

static bool orders_boxes(const struct ork_lane_line *line, struct order by)
{
    bool is_near = line->kind == ORK_LINE_NEAR || line->kind == ORK_LINE_OTHER ||
                   ork_lane_line_is_of_first_run(line);

    return ork_lane_line_was_received(line) || (is_near && by.near_matches);
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
            if (orders_boxes(&l->line[i], by))
                moved |=
                    push(distance, node_of(l, by, l->line[i].from), node_of(l, by, l->line[i].to));
        }
    }
    return !moved;
}

static void forget_groups(struct ork_lanes *l)
{
    for (uint32_t i = 0; i < l->num_boxes; i++)
        l->group[i] = i;
}

/* RATIONALE: a message of an iteration may be received in the next one, which is the same box.
 * False: there is no message between iterations any more. */
static bool drop_line_between_iterations(struct ork_lanes *l)
{
    for (uint32_t i = l->num_lines; i > 0; i--) {
        const struct ork_lane_line *line = &l->line[i - 1];
        if (!ork_lane_line_was_received(line) || !ork_lanes_is_in_fold(l, line->from) ||
            !ork_lanes_is_in_fold(l, line->to))
            continue;
        l->num_lines--;
        memmove(&l->line[i - 1], &l->line[i], (l->num_lines - (i - 1)) * sizeof(*l->line));
        return true;
    }
    return false;
}

/* RATIONALE: the messages of a run order its calls, but a near match need not fit into that order,
 * and a collective that does not synchronise has no single moment. */
static void order_boxes(struct ork_lanes *l, uint32_t *distance)
{
    const struct order calls = {.collectives = true}, messages = {.collectives = false};
    bool fits = find_distances(l, (struct order){true, true}, distance) ||
                find_distances(l, calls, distance);

    while (!fits && drop_line_between_iterations(l))
        fits = find_distances(l, calls, distance);
    if (fits)
        return;
    forget_groups(l);
    if (find_distances(l, messages, distance))
        return;
    l->num_lines = 0;
    fits = find_distances(l, messages, distance);
    assert(fits); /* lanes alone have no circle */
}

/* A line that does not lead to the right: of messages, only in a report that the tool did not
 * write. */
static void drop_backward_lines(struct ork_lanes *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->num_lines; i++) {
        const struct ork_lane_line *line = &l->line[i];
        if (l->box[line->from].column < l->box[line->to].column ||
            !ork_lane_line_was_received(line))
            l->line[n++] = *line;
    }
    l->num_lines = n;
}

enum ork_status ork_lanes_find_columns(struct ork_lanes *l)
{
    uint32_t *distance = malloc((l->num_boxes + 1) * sizeof(*distance));

    if (distance == NULL)
        return ORK_NOMEM;
    order_boxes(l, distance);
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

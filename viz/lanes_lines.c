/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines between the last calls: messages, near matches, and what a finding says of messages. */
#include "viz/lanes_internal.h"

#include "common/text.h"
#include "report/finding_kind.h"
#include "report/last_calls.h"
#include "report/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* More pairs of rows than these are not drawn. */
enum { PAIRS_MAX = 16 };

bool ork_lanes_is_in_fold(const struct ork_lanes *l, uint32_t box)
{
    for (uint32_t i = 0; i < l->num_folds; i++) {
        if (box >= l->fold[i].first && box <= l->fold[i].last)
            return true;
    }
    return false;
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

/* The latest call that an end of a match names, and how often it was made. */
static uint32_t box_at(const struct ork_lanes *l, const struct ork_match_end *end, uint64_t *times)
{
    uint32_t box = UINT32_MAX;

    *times = 0;
    for (uint32_t i = l->num_boxes; i > 0; i--) {
        const struct ork_last_calls *list = &l->finding->last_calls[l->box[i - 1].lane];
        const struct ork_last_call *c = ork_lanes_call(l, i - 1);
        if (!ork_rank_in(list->ranks.item, list->ranks.count, end->rank) ||
            !ork_last_call_is(c, end->call, &end->where))
            continue;
        box = box == UINT32_MAX ? i - 1 : box;
        *times += (uint64_t)l->box[i - 1].times * (ork_lanes_is_in_fold(l, i - 1) ? 2 : 1);
    }
    return box;
}

/* The latest one. */
static uint32_t last_at(const struct ork_lanes *l, const struct ork_match_end *end)
{
    uint64_t times;

    return box_at(l, end, &times);
}

uint32_t ork_lanes_only_at(const struct ork_lanes *l, const struct ork_match_end *end)
{
    uint64_t times;
    uint32_t box = box_at(l, end, &times);

    return times == 1 ? box : UINT32_MAX;
}

/* Where the rank waits for what this call lacks: in the call that it is in, if this one has only
 * started the operation. */
static uint32_t waits_in(const struct ork_lanes *l, uint32_t box)
{
    uint32_t last = box;

    while (box != UINT32_MAX && last + 1 < l->num_boxes &&
           l->box[last + 1].lane == l->box[box].lane)
        last++;
    bool is_stuck = box != UINT32_MAX &&
                    (l->box[last].look == ORK_LOOK_STUCK || l->box[last].look == ORK_LOOK_POLLS);
    return is_stuck ? last : box;
}

void ork_lanes_put_line(struct ork_lanes *l, struct ork_lane_line line)
{
    if (line.from != UINT32_MAX && line.to != UINT32_MAX && l->num_lines < ORK_BOXES_MAX &&
        l->box[line.from].lane != l->box[line.to].lane)
        l->line[l->num_lines++] = line;
}

static void put_messages(struct ork_lanes *l)
{
    const struct ork_finding *f = l->finding;

    for (uint32_t i = 0; i < f->num_arrows; i++) {
        const struct ork_last_arrow *a = &f->arrow[i];
        ork_lanes_put_line(l, (struct ork_lane_line){.from = box_of(l, a->from_list, a->from_call),
                                                     .to = box_of(l, a->to_list, a->to_call)});
    }
}

static void put_near_misses(struct ork_lanes *l)
{
    const struct ork_finding *f = l->finding;

    for (uint32_t i = 0; i < f->num_near_misses; i++) {
        const struct ork_near_miss *near = &f->near_miss[i];
        ork_lanes_put_line(l, (struct ork_lane_line){.from = last_at(l, &near->pending),
                                                     .to = waits_in(l, last_at(l, &near->waits)),
                                                     .kind = ORK_LINE_NEAR,
                                                     .differs = near->differs});
    }
}

static void put_decisions(struct ork_lanes *l)
{
    const struct ork_finding *f = l->finding;

    for (uint32_t i = 0; i < f->num_decisions; i++) {
        const struct ork_match_decision *d = &f->decision[i];
        if (d->differs)
            ork_lanes_put_line(l, (struct ork_lane_line){.from = ork_lanes_only_at(l, &d->send),
                                                         .to = ork_lanes_only_at(l, &d->receive),
                                                         .kind = ORK_LINE_OTHER,
                                                         .differs = "instead"});
    }
}

/* ---- messages that do not fit ---- */

/* What is wrong with a message that was received; NULL: the finding is about something else. */
static const char *unfit_word(const struct ork_finding *f)
{
    if (ork_finding_is(f, ORK_FINDING_TRUNCATION))
        return "too long";
    if (ork_finding_is(f, ORK_FINDING_TYPE_MISMATCH))
        return "other type";
    return ork_finding_is(f, ORK_FINDING_RSEND_NOT_READY) ? "not ready" : NULL;
}

static bool names(const struct ork_rank_row *row, uint32_t rank)
{
    char number[16];

    snprintf(number, sizeof(number), "%" PRIu32, rank);
    return row->peer != NULL &&
           (strcmp(row->peer, "MPI_ANY_SOURCE") == 0 || strcmp(row->peer, number) == 0);
}

/* Are these the two ends of one message? RATIONALE: only in MPI_COMM_WORLD is a peer the number of
 * its rank; but if there are only two rows, they belong together. */
static bool is_pair(const struct ork_finding *f, const struct ork_rank_row *send,
                    const struct ork_rank_row *receive)
{
    bool is_world = send->comm != NULL && strcmp(send->comm, "MPI_COMM_WORLD") == 0 &&
                    ork_text_is_same(send->comm, receive->comm);

    return !ork_call_receives(send->call) && ork_call_receives(receive->call) &&
           send->peer != NULL && receive->peer != NULL &&
           (f->num_waits == 2 ||
            (is_world && names(send, receive->rank) && names(receive, send->rank)));
}

static uint32_t box_of_row(const struct ork_lanes *l, const struct ork_rank_row *row)
{
    return ork_lanes_only_at(
        l, &(struct ork_match_end){.rank = row->rank, .call = row->call, .where = row->where});
}

/* The message that the send made, if it is drawn. */
static struct ork_lane_line *message_of(const struct ork_lanes *l, uint32_t from)
{
    for (uint32_t i = 0; i < l->num_lines && from != UINT32_MAX; i++) {
        if (l->line[i].from == from && l->line[i].kind == ORK_LINE_MESSAGE)
            return &l->line[i];
    }
    return NULL;
}

/* `receive`: NULL: it is in no row. */
static void put_unfit(struct ork_lanes *l, const struct ork_rank_row *send,
                      const struct ork_rank_row *receive, const char *word)
{
    struct ork_lane_line line = {.from = box_of_row(l, send),
                                 .to = receive != NULL ? box_of_row(l, receive) : UINT32_MAX,
                                 .kind = ORK_LINE_UNFIT,
                                 .differs = word};
    struct ork_lane_line *message = message_of(l, line.from);

    if (message != NULL) {
        line.to = message->to;
        *message = line;
    } else {
        ork_lanes_put_line(l, line);
    }
}

static bool is_message_row(const struct ork_rank_row *row)
{
    return ork_call_sends(row->call) || ork_call_receives(row->call);
}

/* Calls of one collective of which the finding says that they do not fit. RATIONALE: with more rows
 * it may be about several collectives. */
static void mark_collective(struct ork_lanes *l)
{
    const struct ork_finding *f = l->finding;
    bool is_about = ork_finding_is(f, ORK_FINDING_COUNT_MISMATCH) ||
                    ork_finding_is(f, ORK_FINDING_TYPE_MISMATCH);

    if (!is_about || f->num_waits != 2 || f->waits[0].call == NULL || f->waits[1].call == NULL ||
        is_message_row(&f->waits[0]) || is_message_row(&f->waits[1]))
        return;
    uint32_t a = box_of_row(l, &f->waits[0]), b = box_of_row(l, &f->waits[1]);
    if (a == UINT32_MAX || b == UINT32_MAX || l->box[a].lane == l->box[b].lane)
        return;
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    l->box[first].look = l->box[second].look = ORK_LOOK_UNFIT;
    if (l->group[second] == second) /* it is in no bar */
        l->group[second] = l->group[first];
}

static void put_unfits(struct ork_lanes *l)
{
    const struct ork_finding *f = l->finding;
    const char *word = unfit_word(f);
    bool is_ready_send = ork_finding_is(f, ORK_FINDING_RSEND_NOT_READY);

    for (uint32_t i = 0; i < f->num_waits && word != NULL && f->num_waits <= PAIRS_MAX; i++) {
        if (is_ready_send)
            put_unfit(l, &f->waits[i], NULL, word);
        for (uint32_t k = 0; k < f->num_waits && !is_ready_send; k++) {
            if (is_pair(f, &f->waits[i], &f->waits[k]))
                put_unfit(l, &f->waits[i], &f->waits[k], word);
        }
    }
}

/* ---- messages that decide ---- */

/* The line of a message takes the place of the one that is drawn for it already. */
static void put_switched(struct ork_lanes *l, struct ork_lane_line line)
{
    for (uint32_t i = 0; i < l->num_lines; i++) {
        struct ork_lane_line *drawn = &l->line[i];
        if (drawn->from != line.from || drawn->to != line.to || drawn->kind != ORK_LINE_MESSAGE)
            continue;
        *drawn = line;
        return;
    }
    ork_lanes_put_line(l, line);
}

static enum ork_lane_line_kind kind_of(const struct ork_switched_arrow *arrow)
{
    if (arrow->is_before)
        return arrow->is_first ? ORK_LINE_FIRST_BEFORE : ORK_LINE_BEFORE;
    return arrow->is_first ? ORK_LINE_FIRST : ORK_LINE_SWITCHED;
}

void ork_lanes_put_switched(struct ork_lanes *l, const struct ork_switched_arrow *arrow,
                            uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        const struct ork_last_arrow *a = &arrow[i].arrow;
        bool is_first = arrow[i].is_first;
        put_switched(l, (struct ork_lane_line){.from = box_of(l, a->from_list, a->from_call),
                                               .to = box_of(l, a->to_list, a->to_call),
                                               .kind = kind_of(&arrow[i]),
                                               .differs = is_first ? "first run" : "this run"});
    }
}

void ork_lanes_put_lines(struct ork_lanes *l)
{
    put_messages(l);
    put_near_misses(l);
    put_decisions(l);
    put_unfits(l);
    mark_collective(l);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the last calls show what a finding is about, if its calls returned at some time. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe.h"
#include "report/finding_kind.h"
#include "report/last_calls.h"
#include "report/ranks.h"

#include <string.h>

/* ---- which ranks to ask ---- */

static void add_shown(struct shown_ranks *shown, uint32_t rank)
{
    for (uint32_t i = 0; i < shown->count; i++) {
        if (shown->item[i] == rank)
            return;
    }
    if (shown->count < ROOT_SHOWN_MAX)
        shown->item[shown->count++] = rank;
}

/* The rank that was to receive the message of a send. */
static void add_receiver(const struct ork_root *root, const struct ork_issue_side *side,
                         struct shown_ranks *shown)
{
    struct ork_stream stream;

    if (side->call.kind == ORK_KIND_SEND &&
        ork_detector_stream_of(root->detector, side->rank, &side->call, true, &stream))
        add_shown(shown, stream.destination);
}

struct shown_ranks ork_root_shown_ranks(const struct ork_root *root,
                                        const struct ork_issue *const *alike, uint32_t n,
                                        const struct ork_finding *f)
{
    struct shown_ranks shown = {.count = 0};

    for (uint32_t i = 0; i < n && i < ROOT_SHOWN_MAX; i++) {
        for (unsigned k = 0; k < alike[i]->num_sides; k++)
            add_shown(&shown, alike[i]->side[k].rank);
        for (unsigned k = 0; k < alike[i]->num_sides && ork_issue_is_single(alike[i]); k++)
            add_receiver(root, &alike[i]->side[k], &shown);
    }
    for (uint32_t i = 0; i < f->num_near_misses; i++)
        add_shown(&shown, f->near_miss[i].waits.rank);
    for (uint32_t i = 0; i < f->ranks.count && i < ROOT_SHOWN_MAX; i++)
        add_shown(&shown, f->ranks.item[i]);
    return shown;
}

/* ---- which lists to keep ---- */

/* Has the list the call of this row? That of a lost message is one whose message has no match. */
static bool has_call_of(const struct ork_finding *f, const struct ork_last_calls *list,
                        const struct ork_rank_row *row)
{
    bool is_lost = ork_finding_is(f, ORK_FINDING_LOST_MESSAGE);

    for (uint32_t i = 0; i < list->num_calls; i++) {
        if (ork_last_call_is(&list->call[i], row->call, &row->where) &&
            (!is_lost || list->call[i].pending > 0))
            return true;
    }
    return false;
}

enum about { ABOUT_OTHERS, ABOUT_NOTHING, ABOUT_THIS };

static enum about about(const struct ork_finding *f, const struct ork_last_calls *list)
{
    enum about about = ABOUT_OTHERS;

    for (uint32_t i = 0; i < f->num_waits && about != ABOUT_THIS; i++) {
        if (!ork_rank_in(list->ranks.item, list->ranks.count, f->waits[i].rank))
            continue;
        about = has_call_of(f, list, &f->waits[i]) ? ABOUT_THIS : ABOUT_NOTHING;
    }
    return about;
}

/* Is the end of a match the only call of its kind that the rank has made? Else it is unknown which
 * of them it was. */
static bool is_only(const struct ork_finding *f, const struct ork_match_end *end)
{
    uint32_t calls = 0;

    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        const struct ork_last_calls *list = &f->last_calls[i];
        if (!ork_rank_in(list->ranks.item, list->ranks.count, end->rank))
            continue;
        if (list->num_calls == 0 || strncmp(list->call[0].call, "MPI_Init", 8) != 0)
            return false;
        for (uint32_t k = 0; k < list->num_calls; k++)
            calls +=
                ork_last_call_is(&list->call[k], end->call, &end->where) ? list->call[k].times : 0;
    }
    return calls == 1;
}

static void drop_all(struct ork_finding *f)
{
    while (f->num_last_calls > 0)
        ork_root_drop_calls(f, f->num_last_calls - 1);
}

void ork_root_keep_calls_about(struct ork_finding *f)
{
    uint32_t lists = f->num_last_calls;
    bool any = false;

    for (uint32_t i = f->num_last_calls; i > 0; i--) {
        enum about is = about(f, &f->last_calls[i - 1]);
        any |= is == ABOUT_THIS;
        if (is == ABOUT_NOTHING)
            ork_root_drop_calls(f, i - 1);
    }
    for (uint32_t i = 0; i < f->num_decisions && f->num_roots == 0; i++)
        any = any && is_only(f, &f->decision[i].receive) && is_only(f, &f->decision[i].send);
    if (!any)
        drop_all(f);
    f->are_calls_gone |= f->num_last_calls < lists && f->num_last_calls < 2;
}

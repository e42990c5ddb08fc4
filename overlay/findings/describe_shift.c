/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls out of step, and where ranks parted before calls that do not match. */
#include "overlay/findings/describe_internal.h"

static struct ork_u32s ranks_of(const struct ork_issue_side *side)
{
    return (struct ork_u32s){.item = side->ranks, .count = side->num_ranks};
}

bool ork_issue_is_sure_shift(const struct ork_call_sites *sites, const struct ork_issue *issue)
{
    const struct ork_shift *shift = &issue->shift;

    for (uint32_t i = 0; i < shift->num_pairs; i++) {
        if (!ork_call_sites_are_sequence(sites, shift->pair[i].rank, shift->pair[i].site))
            return false;
    }
    return shift->num_pairs > 0;
}

static const char *call_in(struct ork_writing *w, const struct ork_issue_side *side)
{
    return ork_call_in(w, side->rank, side->call.call, side->call.site);
}

const char *ork_describe_shift(struct ork_writing *w, const struct ork_issue *issue)
{
    const struct ork_issue_side *most = &issue->side[0], *few = &issue->side[1];
    const struct ork_u32s of_most = ranks_of(most), of_few = ranks_of(few);

    return ork_say(w, SAYS_SHIFT, TEXT('k', ork_comm_words(w, most->comm)), RANKS('r', &of_few),
                   NUMBER('n', issue->shift.delay), NUMBER('i', issue->shift.is_ahead),
                   RANKS('o', &of_most), TEXT('c', call_in(w, few)), TEXT('d', call_in(w, most)));
}

void ork_describe_add_parting(struct ork_writing *w, const struct ork_issue *issue,
                              struct ork_finding *f)
{
    const struct ork_parting *p = &issue->parting;

    if (!p->is_known)
        return;
    ork_writing_detail(
        w, f,
        ork_say(w, p->is_first && p->calls > 1 ? SAYS_PARTED_FIRST : SAYS_PARTED,
                NUMBER('n', p->calls), TEXT('k', ork_comm_words(w, issue->side[0].comm)),
                TEXT('c', ork_call_in(w, p->last_rank, p->last.call, p->last.site))));
    if (!p->is_here)
        ork_writing_detail(
            w, f,
            ork_say(w, SAYS_PARTED_THEN, RANK('r', p->rank[0]), RANK('o', p->rank[1]),
                    TEXT('c', ork_call_in(w, p->rank[0], p->call[0].call, p->call[0].site)),
                    TEXT('d', ork_call_in(w, p->rank[1], p->call[1].call, p->call[1].site))));
}

void ork_describe_add_shift(struct ork_writing *w, const struct ork_issue *issue,
                            struct ork_finding *f)
{
    const struct ork_shift *shift = &issue->shift;
    const struct ork_u32s most = ranks_of(&issue->side[0]), few = ranks_of(&issue->side[1]);

    ork_writing_detail(w, f,
                       ork_say(w, SAYS_SHIFT_SEEN, NUMBER('n', shift->calls), RANKS('r', &few),
                               RANKS('o', &most), NUMBER('m', shift->delay),
                               NUMBER('i', shift->is_ahead)));
    ork_writing_detail(w, f, ork_plain(SAYS_SHIFT_RESULT));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of an edge of a graph contradict each other. */
#include "overlay/findings/describe_internal.h"

static const char *times_words(struct ork_writing *w, uint32_t times)
{
    if (times <= 2)
        return ork_plain(times == 1 ? SAYS_EDGE_ONCE : SAYS_EDGE_TWICE);
    return ork_say(w, SAYS_EDGE_TIMES, NUMBER('n', times));
}

/* "names rank 1 as a destination", "has rank 1 twice among its neighbours" */
static const char *deed_words(struct ork_writing *w, const struct ork_issue *issue, unsigned side)
{
    const uint32_t *named = issue->edges.named;
    bool is_counted = named[0] > 0 && named[1] > 0;
    const struct ork_slot does = NUMBER('i', named[side] > 0);
    const struct ork_slot other = RANK('o', issue->side[1 - side].rank);
    const struct ork_slot times = TEXT('w', is_counted ? times_words(w, named[side]) : "");

    if (issue->side[side].call.mode == ORK_COLL_GRAPH_CREATE)
        return ork_say(w, SAYS_EDGE_HAS, does, other, times);
    return ork_say(w, SAYS_EDGE_NAMES, does, other, times, NUMBER('j', side == 0));
}

/* "rank 0 names rank 1 as a destination (MPI_Dist_graph_create_adjacent at a.c:12)" */
static const char *side_words(struct ork_writing *w, const struct ork_issue *issue, unsigned side)
{
    const struct ork_issue_side *s = &issue->side[side];

    return ork_say(w, SAYS_EDGE_SIDE, RANK('r', s->rank), TEXT('v', deed_words(w, issue, side)),
                   TEXT('c', ork_call_at(w, s->rank, s->call.call, s->call.site)));
}

const char *ork_describe_edge(struct ork_writing *w, const struct ork_issue *issue)
{
    unsigned first = issue->edges.named[0] == 0; /* the one that names it comes first */

    return ork_say(w, SAYS_BUT, TEXT('w', side_words(w, issue, first)),
                   TEXT('x', side_words(w, issue, 1 - first)));
}

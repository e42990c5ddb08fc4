/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of an edge of a graph contradict each other. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"

#include <stdlib.h>

static char *times_words(uint32_t times)
{
    if (times == 1)
        return strdup(" once");
    return times == 2 ? strdup(" twice") : ork_text(" %u times", times);
}

/* " names rank 1 as a destination", " has rank 1 among its neighbours" */
static char *deed_words(const struct ork_issue *issue, unsigned side, bool is_counted)
{
    uint32_t other = issue->side[1 - side].rank;
    uint32_t named = issue->edges.named[side];
    char *times = is_counted ? times_words(named) : strdup("");
    char *text = NULL;

    if (times != NULL && issue->side[side].call.mode == ORK_COLL_GRAPH_CREATE)
        text = ork_text("%s rank %u%s among its neighbours", named == 0 ? "does not have" : "has",
                        other, times);
    else if (times != NULL)
        text = ork_text("%s rank %u%s as a %s", named == 0 ? "does not name" : "names", other,
                        times, side == 0 ? "destination" : "source");
    free(times);
    return text;
}

/* "rank 0 names rank 1 as a destination (MPI_Dist_graph_create_adjacent at a.c:12)" */
static char *side_words(struct ork_call_sites *sites, const struct ork_issue *issue, unsigned side)
{
    const struct ork_issue_side *s = &issue->side[side];
    bool is_counted = issue->edges.named[0] > 0 && issue->edges.named[1] > 0;
    char *deed = deed_words(issue, side, is_counted);
    char *place = ork_phrase_call_at(sites, s->rank, s->call.call, s->call.site);
    char *text =
        deed == NULL || place == NULL ? NULL : ork_text("rank %u %s (%s)", s->rank, deed, place);

    free(deed);
    free(place);
    return text;
}

char *ork_describe_edge(struct ork_call_sites *sites, const struct ork_issue *issue)
{
    unsigned first = issue->edges.named[0] == 0; /* the one that names it comes first */
    char *one = side_words(sites, issue, first);
    char *other = side_words(sites, issue, 1 - first);
    char *text = one == NULL || other == NULL ? NULL : ork_text("%s, but %s", one, other);

    free(one);
    free(other);
    return text;
}

char *ork_describe_other_edges(const struct ork_issue *issue)
{
    return issue->edges.others == 1
               ? strdup("One more edge of this graph does not fit.")
               : ork_text("%u more edges of this graph do not fit.", issue->edges.others);
}

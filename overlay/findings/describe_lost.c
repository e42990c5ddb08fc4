/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that no rank received: is its receiver in MPI_Finalize? And does a receive that got no
 * message differ from it in one argument only? */
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/describe_near.h"

#include "overlay/findings/graph.h"

#include <stdlib.h>
#include <string.h>

/* The processes of all jobs. */
static uint32_t count_processes(const struct ork_detector *d)
{
    struct ork_job_view last = ork_detector_job(d, ork_detector_num_jobs(d) - 1);

    return last.first + last.size;
}

static bool is_lost(const struct ork_pending *p, const struct ork_issue_side *side)
{
    return p->term.kind == ORK_KIND_SEND && p->term.rank == side->rank &&
           p->started == side->call.site && p->term.comm == side->comm &&
           p->term.tag == side->call.tag;
}

/* "rank 1 got no message in MPI_Irecv at a.c:12, and only the tag differs: 5 was sent, and 7 is
 * awaited." */
static const char *missed_words(struct ork_writing *w, const struct ork_pending *send,
                                const struct ork_pending *recv, const char *differs)
{
    const struct ork_slot who = RANK('r', recv->term.rank);
    const struct ork_slot call = TEXT('c', ork_describe_term(w, &recv->term));
    uint32_t from = send->term.comm, to = recv->term.comm;

    if (strcmp(differs, "tag") == 0)
        return ork_say(w, SAYS_LOST_TAG, who, call, NUMBER('t', send->term.tag),
                       NUMBER('u', recv->term.tag));
    if (strcmp(differs, "communicator") == 0)
        return ork_say(w, SAYS_LOST_COMM, who, call,
                       TEXT('k', ork_describe_comm_apart(w, from, to)),
                       TEXT('l', ork_describe_comm_apart(w, to, from)));
    if (strcmp(differs, "destination") == 0)
        return ork_say(w, SAYS_LOST_DESTINATION, who, call, RANK('o', send->partner));
    return ork_say(w, SAYS_LOST_SOURCE, who, call, RANK('o', recv->partner));
}

/* RATIONALE: a receive that is one of several possible ones explains nothing, so there has to be
 * exactly one. */
static void add_missed(struct ork_writing *w, const struct ork_issue_side *side,
                       const struct ork_pending *list, uint32_t count, struct ork_finding *f)
{
    const struct ork_pending *send = NULL, *recv = NULL;
    const char *differs = NULL;

    for (uint32_t i = 0; i < count && send == NULL; i++)
        send = is_lost(&list[i], side) ? &list[i] : NULL;
    for (uint32_t i = 0; i < count && send != NULL; i++) {
        const char *word =
            list[i].term.kind == ORK_KIND_RECV ? ork_describe_missed(&list[i], send) : NULL;
        if (word == NULL)
            continue;
        if (recv != NULL)
            return;
        recv = &list[i];
        differs = word;
    }
    if (recv != NULL)
        ork_describe_add_near(w, f, differs, &recv->term, &send->term, 0,
                              missed_words(w, send, recv, differs));
}

void ork_describe_add_unmatched(struct ork_writing *w, const struct ork_issue_side *side,
                                struct ork_finding *f)
{
    uint32_t n = count_processes(w->d), count = 0;
    struct ork_pending *pending = NULL;
    bool *of = ork_writing_alloc(w, n, sizeof(*of));

    if (of == NULL)
        return;
    memset(of, 1, n);
    if (ork_writing_check(w, ork_detector_pending(w->d, of, &pending, &count)))
        add_missed(w, side, pending, count, f);
    free(pending);
}

/* Does the call of the rank wait for sends, and for nothing else? */
static bool waits_for_sends(const struct ork_detector *d, const struct ork_search *s, uint32_t rank)
{
    bool any = ork_search_rank(d, s, rank).call.kind == ORK_KIND_SEND;

    for (uint32_t label = 1; label <= s->num_terms; label++) {
        const struct ork_term *t = &s->term[label - 1];
        if (t->rank != rank || !ork_finding_graph_is_open(s, label))
            continue;
        if (t->kind != ORK_KIND_SEND)
            return false;
        any = true;
    }
    return any;
}

/* The ranks in MPI_Finalize for which others wait in a send. */
static struct ork_u32s find_finalized(struct ork_writing *w, const struct ork_search *s,
                                      const struct ork_finding *f)
{
    struct ork_u32s ranks = {0};

    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *row = &f->waits[i];
        uint32_t receiver = row->waits_for.count > 0 ? row->waits_for.item[0] : row->rank;
        if (row->waits_for.count == 1 &&
            ork_search_rank(w->d, s, receiver).call.kind == ORK_KIND_FINALIZE &&
            waits_for_sends(w->d, s, row->rank))
            ork_writing_add(w, &ranks, receiver);
    }
    ork_describe_sort_unique(&ranks);
    return ranks;
}

void ork_describe_add_finalized(struct ork_writing *w, const struct ork_search *s,
                                struct ork_finding *f)
{
    struct ork_u32s ranks = find_finalized(w, s, f);
    bool has_left = false;

    for (uint32_t i = 0; i < ranks.count; i++)
        has_left |= ork_search_rank(w->d, s, ranks.item[i]).status == ORK_RANK_DONE;
    if (ranks.count > 0)
        ork_writing_detail(
            w, f,
            ork_say(w, has_left ? SAYS_FINALIZE_ENTERED : SAYS_FINALIZE_IS_IN, RANKS('r', &ranks)));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that no rank received: is its receiver in MPI_Finalize? And does a receive that got no
 * message differ from it in one argument only? */
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/describe_near.h"

#include "overlay/findings/graph.h"
#include "overlay/findings/phrase.h"

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
           p->term.site == side->call.site && p->term.comm == side->comm &&
           p->term.tag == side->call.tag;
}

/* "Rank 1 got no message in MPI_Irecv at a.c:12, and only the tag differs: 5 was sent, and 7 is
 * awaited." */
static char *words(const struct ork_detector *d, struct ork_call_sites *sites,
                   const struct ork_pending *send, const struct ork_pending *recv,
                   const char *differs)
{
    char *call = ork_describe_term_words(sites, &recv->term);
    char *text = NULL;

    if (call == NULL)
        return NULL;
    if (strcmp(differs, "tag") == 0)
        text = ork_text("Rank %u got no message in %s, and only the tag differs: %d was sent, and "
                        "%d is awaited.",
                        recv->term.rank, call, (int)send->term.tag, (int)recv->term.tag);
    if (strcmp(differs, "communicator") == 0) {
        char *a = ork_describe_comm_beside(d, sites, send->term.comm, recv->term.comm);
        char *b = ork_describe_comm_beside(d, sites, recv->term.comm, send->term.comm);
        if (a != NULL && b != NULL)
            text = ork_text("Rank %u got no message in %s, and only the communicator differs: %s "
                            "was used to send, and %s to receive.",
                            recv->term.rank, call, a, b);
        free(a);
        free(b);
    }
    if (strcmp(differs, "destination") == 0)
        text = ork_text("Rank %u got no message in %s, and only the destination differs: the "
                        "message was sent to rank %u.",
                        recv->term.rank, call, send->partner);
    if (strcmp(differs, "source") == 0)
        text = ork_text("Rank %u got no message in %s, and only the source differs: the receive "
                        "names rank %u.",
                        recv->term.rank, call, recv->partner);
    free(call);
    return text;
}

/* RATIONALE: a receive that is one of several possible ones explains nothing, so there has to be
 * exactly one. */
static enum ork_status add(const struct ork_detector *d, struct ork_call_sites *sites,
                           const struct ork_issue_side *side, const struct ork_pending *list,
                           uint32_t count, struct ork_finding *f)
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
            return ORK_OK;
        recv = &list[i];
        differs = word;
    }
    return recv == NULL ? ORK_OK : ork_describe_add_detail(f, words(d, sites, send, recv, differs));
}

enum ork_status ork_describe_add_unmatched(const struct ork_detector *d,
                                           struct ork_call_sites *sites,
                                           const struct ork_issue_side *side, struct ork_finding *f)
{
    uint32_t n = count_processes(d), count = 0;
    struct ork_pending *pending = NULL;
    bool *of = malloc((n + (size_t)1) * sizeof(*of));

    if (of == NULL)
        return ORK_NOMEM;
    memset(of, 1, n);
    enum ork_status status = ork_detector_pending(d, of, &pending, &count);
    if (status == ORK_OK)
        status = add(d, sites, side, pending, count, f);
    free(pending);
    free(of);
    return status;
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

/* The ranks in MPI_Finalize for which others wait in a send. False: out of memory. */
static bool collect_finalized(const struct ork_detector *d, const struct ork_search *s,
                              const struct ork_finding *f, struct ork_u32s *ranks)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *row = &f->waits[i];
        uint32_t receiver = row->waits_for.count > 0 ? row->waits_for.item[0] : row->rank;
        if (row->waits_for.count == 1 &&
            ork_search_rank(d, s, receiver).call.kind == ORK_KIND_FINALIZE &&
            waits_for_sends(d, s, row->rank) && !ork_describe_add_rank(ranks, receiver))
            return false;
    }
    ork_describe_sort_unique(ranks);
    return true;
}

static char *finalized_words(const struct ork_detector *d, const struct ork_search *s,
                             const struct ork_u32s *ranks)
{
    bool one = ranks->count == 1, has_left = false;
    char *who = ork_describe_ranks(ranks->item, ranks->count);
    char *text = NULL;

    for (uint32_t i = 0; i < ranks->count; i++)
        has_left |= ork_search_rank(d, s, ranks->item[i]).status == ORK_RANK_DONE;
    if (who != NULL && has_left)
        text = ork_text("%s %s entered MPI_Finalize and receive%s no more messages.", who,
                        one ? "has" : "have", one ? "s" : "");
    else if (who != NULL)
        text = ork_text("%s %s in MPI_Finalize and receive%s no more messages.", who,
                        one ? "is" : "are", one ? "s" : "");

    free(who);
    return ork_describe_sentence(text);
}

enum ork_status ork_describe_add_finalized(const struct ork_detector *d, const struct ork_search *s,
                                           struct ork_finding *f)
{
    struct ork_u32s ranks = {0};
    enum ork_status status = collect_finalized(d, s, f, &ranks) ? ORK_OK : ORK_NOMEM;

    if (status == ORK_OK && ranks.count > 0)
        status = ork_describe_add_detail(f, finalized_words(d, s, &ranks));
    free(ranks.item);
    return status;
}

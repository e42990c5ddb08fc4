/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings about a call of one rank: a ready send, a message, a request. Those of several ranks at
 * one place are merged. */
#include "overlay/findings/describe_near.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ork_issue_is_single(const struct ork_issue *issue)
{
    return issue->kind == ORK_ISSUE_RSEND || issue->kind == ORK_ISSUE_LOST_MESSAGE ||
           issue->kind == ORK_ISSUE_REQUEST_LEAK;
}

enum ork_status ork_issue_is_alike(struct ork_call_sites *sites, const struct ork_issue *a,
                                   const struct ork_issue *b, bool *yes)
{
    const struct ork_issue_side *x = &a->side[0];
    const struct ork_issue_side *y = &b->side[0];
    uint32_t there = 0, here = 0;

    *yes = false;
    if (ork_issue_is_about_types(a))
        return ork_issue_has_same_types(sites, a, b, yes);
    if (a->kind != b->kind || !ork_issue_is_single(a) || x->call.call != y->call.call)
        return ORK_OK;
    enum ork_status status = ork_call_sites_number(sites, x->rank, x->call.site, &there);
    if (status == ORK_OK)
        status = ork_call_sites_number(sites, y->rank, y->call.site, &here);
    *yes = status == ORK_OK && there == here;
    return status;
}

/* How often a rank did it: minimum and maximum. */
struct times {
    uint64_t least, most;
};

static struct times times_of(const struct ork_issue *const *issue, uint32_t n)
{
    struct times t = {.least = UINT64_MAX};

    for (uint32_t i = 0; i < n; i++) {
        uint64_t times = issue[i]->repeats + 1;
        t.least = times < t.least ? times : t.least;
        t.most = times > t.most ? times : t.most;
    }
    return t;
}

/* ", 3 each", ", 1 to 5 each", ", 3 of them", or nothing. */
static void write_times(FILE *out, struct times t, bool is_one_rank)
{
    if (t.most == 1)
        return;
    if (t.least == t.most)
        fprintf(out, ", %llu %s", (unsigned long long)t.most, is_one_rank ? "of them" : "each");
    else
        fprintf(out, ", %llu to %llu each", (unsigned long long)t.least,
                (unsigned long long)t.most);
}

static void write_lost(FILE *out, const struct ork_record *r, bool is_one_rank, bool is_one)
{
    if (is_one && r->peer >= 0)
        fprintf(out, " sent a message to rank %d with tag %d that no rank received", (int)r->peer,
                (int)r->tag);
    else
        fprintf(out, is_one && is_one_rank ? " sent a message that no rank received"
                                           : " sent messages that no rank received");
    fputs(" before MPI_Finalize", out);
}

static void write_deed(FILE *out, const struct ork_issue *issue, bool is_one_rank, bool is_one)
{
    if (issue->kind == ORK_ISSUE_LOST_MESSAGE)
        write_lost(out, &issue->side[0].call, is_one_rank, is_one);
    else if (issue->kind == ORK_ISSUE_REQUEST_LEAK)
        fprintf(out, " neither completed nor freed %s before MPI_Finalize",
                is_one ? "a request" : "requests");
    else if (is_one)
        fprintf(out, " %s a ready send, but nothing guarantees that its receive is already posted",
                is_one_rank ? "starts" : "start");
    else
        fprintf(out,
                " %s ready sends, but nothing guarantees that their receives are already posted",
                is_one_rank ? "starts" : "start");
}

/* "ranks 0-63 left requests that they neither ... (MPI_Irecv at leak.c:9), 3 each" */
static char *message_of(struct ork_call_sites *sites, const struct ork_issue *const *issue,
                        uint32_t n, const struct ork_u32s *ranks)
{
    const struct ork_issue_side *side = &issue[0]->side[0];
    char *who = ork_describe_ranks(ranks->item, ranks->count);
    char *call = ork_phrase_call_at(sites, side->rank, side->call.call, side->call.site);
    struct times t = times_of(issue, n);
    char *text = NULL;
    size_t size;
    FILE *out = who != NULL && call != NULL ? open_memstream(&text, &size) : NULL;

    if (out != NULL) {
        fputs(who, out);
        write_deed(out, issue[0], n == 1, n == 1 && t.most == 1);
        fprintf(out, " (%s)", call);
        write_times(out, t, n == 1);
        if (fclose(out) != 0) {
            free(text);
            text = NULL;
        }
    }
    free(who);
    free(call);
    return text;
}

static enum ork_status add_rows(const struct ork_detector *d, struct ork_call_sites *sites,
                                const struct ork_issue *const *issue, uint32_t n,
                                struct ork_finding *f)
{
    struct ork_u32s seen = {0};
    enum ork_status status = ORK_OK;

    f->waits = calloc(n + 1, sizeof(*f->waits));
    if (f->waits == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < n && status == ORK_OK; i++)
        status = ork_describe_add_side(d, sites, &issue[i]->side[0], f);
    for (uint32_t i = 0; i < n && status == ORK_OK; i++)
        status = ork_describe_add_communicator(d, sites, issue[i]->side[0].comm, &seen, f);
    free(seen.item);
    ork_describe_sort_rows(f);
    ork_describe_sort_unique(&f->ranks);
    return status;
}

/* The handle of a request that leaked was overwritten. */
static enum ork_status add_overwriting(struct ork_call_sites *sites, const struct ork_issue *issue,
                                       struct ork_finding *f)
{
    if (issue->overwriting.call == 0)
        return ORK_OK;
    char *call = ork_phrase_call_at(sites, issue->side[0].rank, issue->overwriting.call,
                                    issue->overwriting.site);
    char *text = call == NULL ? NULL
                              : ork_text("%s stored another request in the same variable while the "
                                         "request was pending.",
                                         call);
    free(call);
    return text == NULL ? ORK_NOMEM : ork_describe_add_detail(f, text);
}

enum ork_status ork_describe_single_issues(const struct ork_detector *d,
                                           struct ork_call_sites *sites,
                                           const struct ork_issue *const *issue, uint32_t n,
                                           struct ork_finding *finding)
{
    struct ork_finding f = ork_describe_begin_issue(issue[0]->kind);
    enum ork_status status = f.id == NULL ? ORK_NOMEM : add_rows(d, sites, issue, n, &f);

    if (status == ORK_OK) {
        f.message = message_of(sites, issue, n, &f.ranks);
        f.summary = f.message == NULL ? NULL : ork_describe_sentence(strdup(f.message));
        status = f.summary == NULL ? ORK_NOMEM : ork_describe_add_jobs(d, sites, &f);
    }
    if (status == ORK_OK)
        status = add_overwriting(sites, issue[0], &f);
    if (status == ORK_OK && issue[0]->kind == ORK_ISSUE_LOST_MESSAGE)
        status = ork_describe_add_unmatched(d, sites, &issue[0]->side[0], &f);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}

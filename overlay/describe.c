/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings of the detector in words: the sentence, the rows of the table, the details. */
#include "overlay/describe_internal.h"

#include "overlay/drawing.h"
#include "overlay/words.h"
#include "record/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAITS_FOR_MAX = 256, GROUPS_MAX = 4 };

/* ---- sets of ranks ---- */

bool describe_add_rank(struct ork_u32s *set, uint32_t rank)
{
    if ((set->count & (set->count - 1)) == 0) {
        uint32_t *bigger =
            realloc(set->item, (set->count == 0 ? 1 : 2 * (size_t)set->count) * sizeof(*bigger));
        if (bigger == NULL)
            return false;
        set->item = bigger;
    }
    set->item[set->count++] = rank;
    return true;
}

/* Processes of a knot, in ascending order as the knot's nodes are. */
static bool ranks_of_knot(const struct ork_search *s, const struct ork_wfg_knot *knot,
                          struct ork_u32s *set)
{
    for (uint32_t i = 0; i < knot->count; i++) {
        if (ork_wfg_node(s->wfg, knot->node[i]).kind == ORK_WFG_PROCESS &&
            !describe_add_rank(set, knot->node[i]))
            return false;
    }
    return true;
}

static bool contains(const struct ork_u32s *set, uint32_t rank)
{
    uint32_t low = 0, high = set->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->item[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->item[low] == rank;
}

/* ---- whom the finding is about ---- */

/* Mark what leads to a marked node: backwards along the arcs, each once. */
static bool mark_waiters(const struct ork_search *s, bool *mark)
{
    uint32_t nodes = ork_wfg_num_nodes(s->wfg);
    uint32_t *begin = calloc((size_t)nodes + 2, sizeof(*begin));
    uint32_t *stack = malloc(((size_t)nodes + 1) * sizeof(*stack));
    uint32_t *from = NULL;
    uint32_t depth = 0;

    if (begin == NULL || stack == NULL)
        goto out;
    for (uint32_t v = 0; v < nodes; v++) {
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++)
            begin[ork_wfg_arc(s->wfg, v, i).to + 2]++;
    }
    for (uint32_t v = 0; v < nodes; v++)
        begin[v + 2] += begin[v + 1];
    from = malloc(((size_t)begin[nodes + 1] + 1) * sizeof(*from));
    if (from == NULL)
        goto out;
    for (uint32_t v = 0; v < nodes; v++) {
        for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, v); i++)
            from[begin[ork_wfg_arc(s->wfg, v, i).to + 1]++] = v;
        if (mark[v])
            stack[depth++] = v;
    }
    while (depth > 0) {
        uint32_t v = stack[--depth];
        for (uint32_t i = begin[v]; i < begin[v + 1]; i++) {
            if (!mark[from[i]] && ork_wfg_is_deadlocked(s->wfg, from[i])) {
                mark[from[i]] = true;
                stack[depth++] = from[i];
            }
        }
    }
out:
    free(begin);
    free(stack);
    free(from);
    return from != NULL;
}

/* Nodes in a root of the finding, or waiting for one. */
static bool *concerned(const struct ork_deadlock *dl)
{
    const struct ork_wfg *g = dl->search->wfg;
    bool *mark = calloc(ork_wfg_num_nodes(g), sizeof(*mark));

    if (mark == NULL)
        return NULL;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(g); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(g, k);
        for (uint32_t i = 0; dl->root[k] && i < knot.count; i++)
            mark[knot.node[i]] = true;
    }
    if (mark_waiters(dl->search, mark))
        return mark;
    free(mark);
    return NULL;
}

static bool fill_roots(const struct ork_deadlock *dl, struct ork_finding *f)
{
    const struct ork_wfg *g = dl->search->wfg;

    f->roots = calloc(ork_wfg_num_bottom(g), sizeof(*f->roots));
    f->independent = calloc(ork_wfg_num_maximal(g) + 1, sizeof(*f->independent));
    if (f->roots == NULL || f->independent == NULL)
        return false;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(g); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(g, k);
        if (dl->root[k] && !ranks_of_knot(dl->search, &knot, &f->roots[f->num_roots++]))
            return false;
    }
    for (uint32_t k = 0; k < ork_wfg_num_maximal(g); k++) {
        struct ork_wfg_knot knot = ork_wfg_maximal(g, k);
        bool has_root = false;
        for (uint32_t b = 0; b < ork_wfg_num_bottom(g); b++) {
            uint32_t first = ork_wfg_bottom(g, b).node[0];
            for (uint32_t i = 0; i < knot.count; i++)
                has_root |= knot.node[i] == first;
        }
        if (!has_root && !ranks_of_knot(dl->search, &knot, &f->independent[f->num_independent++]))
            return false;
    }
    return true;
}

/* ---- rows ---- */

static const char *state_word(const struct ork_rank_view *v)
{
    switch (v->status) {
    case ORK_RANK_RUNNING:
        return "running";
    case ORK_RANK_BLOCKED:
        return "blocked";
    case ORK_RANK_STALLED:
        return "stalled";
    case ORK_RANK_UNKNOWN:
        return "unknown";
    case ORK_RANK_POLLING:
        return "polling";
    case ORK_RANK_DONE:
        return v->end == ORK_END_FINISHED ? "finalized" : "ended";
    }
    return "unknown";
}

static bool is_in_call(const struct ork_rank_view *v)
{
    return v->status != ORK_RANK_RUNNING && v->status != ORK_RANK_DONE &&
           v->call.kind != ORK_KIND_CONT;
}

bool describe_has_peer(const struct ork_record *r)
{
    return r->kind == ORK_KIND_SEND || r->kind == ORK_KIND_RECV || r->kind == ORK_KIND_SENDRECV ||
           r->kind == ORK_KIND_PROBE;
}

static bool has_comm(const struct ork_record *r)
{
    return describe_has_peer(r) || r->kind == ORK_KIND_COLL ||
           (r->kind >= ORK_KIND_WIN_POST && r->kind <= ORK_KIND_WIN_UNLOCK);
}

/* Ranks that `node` waits for, through terms and hubs. */
static bool collect_targets(const struct ork_search *s, uint32_t node, struct ork_u32s *set)
{
    for (uint32_t i = 0; i < ork_wfg_num_arcs(s->wfg, node) && set->count < WAITS_FOR_MAX; i++) {
        uint32_t to = ork_wfg_arc(s->wfg, node, i).to;
        bool is_process = ork_wfg_node(s->wfg, to).kind == ORK_WFG_PROCESS;
        if (is_process ? !describe_add_rank(set, to) : !collect_targets(s, to, set))
            return false;
    }
    return true;
}

int describe_compare_ranks(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

void describe_sort_unique(struct ork_u32s *set)
{
    uint32_t n = 0;

    if (set->count == 0)
        return;
    qsort(set->item, set->count, sizeof(*set->item), describe_compare_ranks);
    for (uint32_t i = 0; i < set->count; i++) {
        if (i == 0 || set->item[i] != set->item[i - 1])
            set->item[n++] = set->item[i];
    }
    set->count = n;
}

const struct ork_wait *describe_row(const struct ork_finding *f, uint32_t rank)
{
    uint32_t low = 0, high = f->num_waits;

    while (low < high) { /* all rows below low are of lower ranks, none from high on */
        uint32_t middle = low + (high - low) / 2;
        if (f->waits[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->num_waits && f->waits[low].rank == rank ? &f->waits[low] : NULL;
}

/* "request[0]: MPI_Irecv from MPI_ANY_SOURCE; request[1]: ..." of what is open. */
static char *term_words(const struct ork_search *s, uint32_t rank)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    unsigned n = 0;

    if (out == NULL)
        return NULL;
    for (uint32_t i = 0; i < s->num_terms; i++) {
        const struct ork_term *t = &s->term[i];
        if (t->rank != rank || !ork_drawing_is_open(s, i + 1))
            continue;
        char *label = ork_drawing_term_words(t);
        if (label != NULL && ++n <= 8)
            fprintf(out, "%s%s", n > 1 ? "; " : "", label);
        free(label);
    }
    if (n > 8)
        fprintf(out, "; and %u more", n - 8);
    if (fclose(out) == 0 && n > 0)
        return text;
    free(text);
    return NULL;
}

static enum ork_status fill_wait(const struct ork_detector *d, struct ork_sites *sites,
                                 const struct ork_search *s, uint32_t rank, struct ork_wait *w)
{
    struct ork_rank_view v = ork_search_rank(d, s, rank);
    bool in_call = is_in_call(&v);
    const struct ork_record *r = &v.call;

    w->rank = rank;
    w->state = strdup(state_word(&v));
    w->call = strdup(in_call ? ork_call_name(r->call) : "");
    if (w->state == NULL || w->call == NULL)
        return ORK_NOMEM;
    if (s != NULL) {
        w->is_or = ork_wfg_node(s->wfg, rank).op == ORK_WFG_OR;
        if (v.status != ORK_RANK_DONE && !collect_targets(s, rank, &w->waits_for))
            return ORK_NOMEM;
        describe_sort_unique(&w->waits_for);
        w->detail = term_words(s, rank);
        if (ork_wfg_num_arcs(s->wfg, rank) == 1)
            w->is_or = ork_wfg_node(s->wfg, ork_wfg_arc(s->wfg, rank, 0).to).op == ORK_WFG_OR;
    }
    if (!in_call)
        return ORK_OK;
    if (has_comm(r) && (w->comm = ork_words_comm(d, sites, v.comm)) == NULL)
        return ORK_NOMEM;
    if (describe_has_peer(r) &&
        ((w->peer = ork_words_peer(r->peer)) == NULL || (w->tag = ork_words_tag(r->tag)) == NULL))
        return ORK_NOMEM;
    if (r->kind == ORK_KIND_COLL && r->peer != ORK_NO_PEER &&
        (w->peer = ork_words_peer(r->peer)) == NULL)
        return ORK_NOMEM;
    return ork_sites_find(sites, rank, r->site, &w->where);
}

static enum ork_status fill_waits(const struct ork_detector *d, struct ork_sites *sites,
                                  const struct ork_search *s, const struct ork_u32s *ranks,
                                  struct ork_finding *f)
{
    f->waits = calloc(ranks->count + 1, sizeof(*f->waits));
    if (f->waits == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < ranks->count; i++) {
        f->num_waits++;
        enum ork_status status = fill_wait(d, sites, s, ranks->item[i], &f->waits[i]);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

/* ---- sentences ---- */

/* `text` is taken over. */
enum ork_status describe_add_detail(struct ork_finding *f, char *text)
{
    char **bigger =
        text == NULL ? NULL : realloc(f->detail, (f->num_details + 1) * sizeof(*bigger));

    if (bigger == NULL) {
        free(text);
        return ORK_NOMEM;
    }
    f->detail = bigger;
    f->detail[f->num_details++] = text;
    return ORK_OK;
}

bool describe_is_same_where(const struct ork_where *a, const struct ork_where *b)
{
    return a->line == b->line && a->offset == b->offset &&
           strcmp(a->file != NULL ? a->file : "", b->file != NULL ? b->file : "") == 0 &&
           strcmp(a->module != NULL ? a->module : "", b->module != NULL ? b->module : "") == 0;
}

static bool is_same_place(const struct ork_wait *a, const struct ork_wait *b)
{
    return strcmp(a->call, b->call) == 0 && strcmp(a->state, b->state) == 0 &&
           a->where.line == b->where.line &&
           strcmp(a->where.file != NULL ? a->where.file : "",
                  b->where.file != NULL ? b->where.file : "") == 0;
}

static char *group_words(const struct ork_wait *w, const struct ork_u32s *ranks)
{
    char *who = ork_words_ranks(ranks->item, ranks->count);
    char *where = ork_words_call(w->call, &w->where);
    char *text = NULL;
    bool ended = strcmp(w->state, "ended") == 0;

    if (who != NULL && where != NULL && w->call[0] == '\0')
        text = ork_words("%s %s %s", who, ranks->count == 1 ? "has" : "have",
                         ended ? "ended" : "left MPI");
    else if (who != NULL && where != NULL && w->state[0] == '\0') /* a call that is over */
        text = ork_words("%s called %s", who, where);
    else if (who != NULL && where != NULL)
        text = ork_words("%s %s in %s", who, ranks->count == 1 ? "is" : "are", where);
    free(who);
    free(where);
    return text;
}

enum ork_status describe_add_groups(struct ork_finding *f)
{
    uint32_t first[GROUPS_MAX];
    uint32_t groups = 0;
    char *line = NULL;

    for (uint32_t i = 0; i < f->num_waits; i++) {
        uint32_t g = 0;
        while (g < groups && !is_same_place(&f->waits[first[g]], &f->waits[i]))
            g++;
        if (g == groups && groups == GROUPS_MAX)
            return ORK_OK;
        if (g == groups)
            first[groups++] = i;
    }
    for (uint32_t g = 0; g < groups; g++) {
        struct ork_u32s ranks = {0};
        for (uint32_t i = 0; i < f->num_waits; i++) {
            if (is_same_place(&f->waits[first[g]], &f->waits[i]) &&
                !describe_add_rank(&ranks, f->waits[i].rank)) {
                free(ranks.item);
                free(line);
                return ORK_NOMEM;
            }
        }
        describe_sort_unique(&ranks);
        char *words = group_words(&f->waits[first[g]], &ranks);
        char *longer = words == NULL ? NULL
                                     : ork_words("%s%s%s", line != NULL ? line : "",
                                                 line != NULL ? "; " : "", words);
        free(ranks.item);
        free(words);
        free(line);
        line = longer;
        if (line == NULL)
            return ORK_NOMEM;
    }
    return line == NULL ? ORK_OK : describe_add_detail(f, line);
}

static char *root_words(const struct ork_detector *d, const struct ork_search *s,
                        const struct ork_u32s *root)
{
    struct ork_rank_view first = ork_search_rank(d, s, root->item[0]);
    char *who = ork_words_ranks(root->item, root->count);
    char *text = NULL;

    if (who == NULL)
        return NULL;
    if (root->count > 1)
        text = ork_words("%s wait for each other", who);
    else if (first.status == ORK_RANK_DONE)
        text = ork_words(first.end == ORK_END_FINISHED ? "%s has left MPI_Finalize"
                                                       : "%s ended without MPI_Finalize",
                         who);
    else
        text = ork_words("%s waits for itself", who);
    free(who);
    return text;
}

static char *deadlock_message(const struct ork_detector *d, const struct ork_search *s,
                              const struct ork_finding *f)
{
    struct ork_u32s others = {0};
    char *text = strdup("");
    char *who = NULL;

    for (uint32_t k = 0; k < f->num_roots && text != NULL; k++) {
        char *root = root_words(d, s, &f->roots[k]);
        char *longer = root == NULL ? NULL
                                    : ork_words("%s%s%s", text,
                                                k == 0                  ? ""
                                                : k + 1 == f->num_roots ? ", and "
                                                                        : ", ",
                                                root);
        free(root);
        free(text);
        text = longer;
    }
    for (uint32_t i = 0; i < f->ranks.count && text != NULL; i++) {
        bool in_root = false;
        for (uint32_t k = 0; k < f->num_roots; k++)
            in_root |= contains(&f->roots[k], f->ranks.item[i]);
        if (!in_root && !describe_add_rank(&others, f->ranks.item[i])) {
            free(text);
            text = NULL;
        }
    }
    if (text != NULL && others.count > 0) {
        who = ork_words_ranks(others.item, others.count);
        bool one = f->num_roots == 1 && f->roots[0].count == 1;
        char *longer = who == NULL
                           ? NULL
                           : ork_words("%s; %s %s for %s", text, who,
                                       others.count == 1 ? "waits" : "wait", one ? "it" : "them");
        free(text);
        text = longer;
    }
    free(who);
    free(others.item);
    return text;
}

static enum ork_status add_certainty(const struct ork_detector *d, const struct ork_deadlock *dl,
                                     struct ork_finding *f)
{
    enum ork_status status = ORK_OK;
    bool qualified = false, assumed = false;

    for (uint32_t i = 0; i < f->ranks.count; i++) {
        struct ork_rank_view v = ork_search_rank(d, dl->search, f->ranks.item[i]);
        qualified |= v.qualified;
        assumed |= v.assumed;
    }
    if (f->class_ == ORK_POTENTIAL)
        status = describe_add_detail(
            f, strdup("In this run the calls returned all the same: the library "
                      "buffered a standard send, or let a "
                      "collective return early. MPI does not promise either "
                      "(MPI-3.1 sections 3.5 and 5.1); with longer "
                      "messages or another library the program hangs here."));
    if (f->class_ == ORK_SUSPECTED)
        status =
            describe_add_detail(f, strdup("A rank that polls may have other reasons to stop than a "
                                          "message, so this is a suspicion: in the "
                                          "last second nothing but polling happened."));
    if (status == ORK_OK && qualified)
        status = describe_add_detail(
            f,
            strdup(
                "Some of these ranks got here only because a standard send was buffered before."));
    if (status == ORK_OK && assumed)
        status = describe_add_detail(
            f, strdup("It may be a consequence of an assumed match: memory ran short "
                      "(--must:queue-limit), so some wildcard receive of these ranks was given a "
                      "message that it may not have taken."));
    return status;
}

/* Does it rest on something that cannot be known? */
static bool is_supposed(const struct ork_deadlock *dl)
{
    return dl->class_ == ORK_SUSPECTED ||
           (dl->foresight != NULL && dl->scope == ORK_OTHERWISE_ANYHOW);
}

enum ork_status ork_describe_deadlock(const struct ork_detector *d, struct ork_sites *sites,
                                      const struct ork_deadlock *dl, struct ork_finding *finding)
{
    struct ork_finding f = {.class_ = dl->class_,
                            .severity = is_supposed(dl) ? ORK_WARNING : ORK_ERROR,
                            .id = strdup("deadlock")};
    bool *mark = concerned(dl);
    struct ork_u32s rows = {0};
    enum ork_status status = ORK_NOMEM;

    if (f.id == NULL || mark == NULL || !fill_roots(dl, &f))
        goto out;
    for (uint32_t r = 0; r < dl->nprocs; r++) {
        bool ended = ork_search_rank(d, dl->search, r).status == ORK_RANK_DONE;
        if (mark[r] &&
            (!describe_add_rank(&rows, r) || (!ended && !describe_add_rank(&f.ranks, r))))
            goto out;
    }
    status = fill_waits(d, sites, dl->search, &rows, &f);
    if (status == ORK_OK)
        status = ork_drawing_make(d, sites, dl->search, mark, &f.graph);
    if (status != ORK_OK)
        goto out;
    f.message = deadlock_message(d, dl->search, &f);
    status = f.message == NULL ? ORK_NOMEM : describe_add_groups(&f);
    if (status == ORK_OK)
        status = add_certainty(d, dl, &f);
    if (status == ORK_OK && dl->foresight != NULL)
        status = describe_add_decisions(sites, dl, &f);
    if (status == ORK_OK)
        status = describe_add_jobs(d, sites, &f);
    if (status == ORK_OK)
        status = describe_add_around(d, sites, dl, is_supposed(dl), &f);
out:
    free(mark);
    free(rows.item);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}

/* ---- other findings ---- */

enum ork_status ork_describe_fault(uint32_t rank, const char *why, struct ork_finding *finding)
{
    struct ork_finding f = {.severity = ORK_WARNING, .id = strdup("corrupt-records")};

    f.message = ork_words(
        "rank %u wrote over its own call records (%s): nothing is known of it from there on", rank,
        why);
    if (f.id == NULL || f.message == NULL || !describe_add_rank(&f.ranks, rank)) {
        ork_finding_release(&f);
        return ORK_NOMEM;
    }
    *finding = f;
    return ORK_OK;
}

enum ork_status ork_describe_state(const struct ork_detector *d, struct ork_sites *sites,
                                   const struct ork_search *search, uint32_t nprocs, const char *id,
                                   const char *message, struct ork_finding *finding)
{
    struct ork_finding f = {.severity = ORK_NOTE, .id = strdup(id), .message = strdup(message)};
    enum ork_status status = f.id == NULL || f.message == NULL ? ORK_NOMEM : ORK_OK;

    for (uint32_t r = 0; r < nprocs && status == ORK_OK; r++)
        status = describe_add_rank(&f.ranks, r) ? ORK_OK : ORK_NOMEM;
    if (status == ORK_OK)
        status = fill_waits(d, sites, search, &f.ranks, &f);
    if (status == ORK_OK)
        status = describe_add_jobs(d, sites, &f);
    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}

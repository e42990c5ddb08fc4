/* SPDX-License-Identifier: BSD-3-Clause */
/* How a run ended abnormally: the first rank, where it was, the ranks that wait for it. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Number of causes that are described one by one. */
enum { CAUSES_MAX = 8 };

/* ---- one rank ---- */

/* "SIGSEGV", or "signal 70". */
static char *signal_words(int number)
{
    const char *name = sigabbrev_np(number);

    return name != NULL ? ork_text("SIG%s", name) : ork_text("signal %d", number);
}

/* The innermost frame of the end with a known source file: the user does not look for the run-time
 * library of a language. No file: none is known. */
static struct ork_where top_of(const struct ork_ended *e)
{
    const struct ork_rank_row *w = e->ending.wait;

    for (uint32_t i = 0; i < w->num_stack; i++) {
        if (w->stack[i].file != NULL)
            return w->stack[i];
    }
    return (struct ork_where){.line = 0};
}

static bool has_last(const struct ork_ended *e)
{
    return e->ending.last.kind != ORK_KIND_CONT;
}

/* "MPI_Recv at a.c:12", the latest call. */
static char *last_words(struct ork_call_sites *sites, const struct ork_ended *e)
{
    const struct ork_record *r = &e->ending.last;

    if (!has_last(e) || sites == NULL)
        return strdup("MPI_Init");
    return ork_phrase_call_at(sites, e->rank, r->call, r->site);
}

/* "in MPI_Recv at a.c:12", "after MPI_Barrier at a.c:7", "in MPI_Init", "after MPI_Finalize". */
static char *where_words(struct ork_call_sites *sites, const struct ork_ended *e)
{
    if (e->ending.how == ORK_DEATH_STARTING)
        return strdup("in MPI_Init");
    if (e->ending.how == ORK_DEATH_BEFORE)
        return strdup("before MPI_Init");
    if (e->ending.how == ORK_DEATH_FINISHED)
        return strdup("after MPI_Finalize");
    char *last = last_words(sites, e);
    char *text = last == NULL
                     ? NULL
                     : ork_text("%s %s", e->ending.how == ORK_DEATH_INSIDE ? "in" : "after", last);
    free(last);
    return text;
}

/* " at a.c:12", if the stack adds something to the call. */
static char *place_words(const struct ork_ended *e)
{
    struct ork_where top = top_of(e);

    if (e->ending.how == ORK_DEATH_INSIDE || top.file == NULL)
        return strdup("");
    char *place = ork_phrase_call("", &top);
    return place;
}

/* The launcher reports the signal of the first process that a signal ended: see ORK_NOTE_NONE. */
static int silent_signal(const struct ork_ends *ends)
{
    return ends->causes == 1 || ends->is_unsure ? ork_ends_signal(ends) : 0;
}

/* What happened, without rank and place: "was ended by SIGSEGV". */
static char *deed_words(const struct ork_ends *ends, const struct ork_ended *e, bool many)
{
    const struct ork_ending *n = &e->ending;
    const char *was = many ? "were" : "was";
    int number = n->kind == ORK_NOTE_SIGNAL ? n->value : silent_signal(ends);

    switch (n->kind) {
    case ORK_NOTE_EXIT:
        return ork_text("exited with code %d", n->value);
    case ORK_NOTE_ERROR:
        return ork_text("failed with %s", n->text[0] != '\0' ? n->text : "an error");
    case ORK_NOTE_ABORT:
        return ork_text("with error code %d", n->value);
    case ORK_NOTE_NONE:
    case ORK_NOTE_SIGNAL:
        break;
    }
    if (number == 0)
        return strdup("ended");
    char *name = signal_words(number);
    char *text =
        name == NULL ? NULL
        : n->kind == ORK_NOTE_SIGNAL && n->sender != 0
            ? ork_text("%s killed by %s from process %u (%s)", was, name, n->sender, n->text)
            : ork_text("%s killed by %s", was, name);
    free(name);
    return text;
}

/* What follows after the place. */
static const char *lack_words(const struct ork_ends *ends, const struct ork_ended *e)
{
    const struct ork_ending *n = &e->ending;

    if (n->how == ORK_DEATH_FINISHED)
        return "";
    if (n->kind == ORK_NOTE_EXIT)
        return " without MPI_Finalize";
    return n->kind == ORK_NOTE_NONE && silent_signal(ends) == 0
               ? " without MPI_Finalize, cause unknown"
               : "";
}

static char *error_words(struct ork_call_sites *sites, const struct ork_ended *e, const char *who)
{
    const struct ork_record *r = &e->ending.last;
    bool is_recorded = e->ending.text[0] != '\0'; /* not if MPI is not initialized, or twice */
    bool is_last =
        is_recorded && has_last(e) && strcmp(ork_call_name(r->call), e->ending.call) == 0;
    struct ork_where top = top_of(e);
    char *call =
        is_last ? last_words(sites, e)
                : ork_phrase_call(e->ending.call[0] != '\0' ? e->ending.call : "An MPI call", &top);
    char *text = NULL;

    if (call != NULL && !is_recorded)
        text = ork_text("%s of %s ended the process", call, who);
    else if (call != NULL)
        text = ork_text("%s of %s failed with %s, and its error handler is MPI_ERRORS_ARE_FATAL",
                        call, who, e->ending.text);

    free(call);
    return text;
}

/* "exited with code 3 at a.c:9 without MPI_Finalize, after MPI_Barrier at a.c:7" */
static char *end_words(struct ork_call_sites *sites, const struct ork_ends *ends,
                       const struct ork_ended *e, bool many)
{
    const char *lack = lack_words(ends, e);
    char *where = where_words(sites, e);
    char *place = place_words(e);
    char *deed = deed_words(ends, e, many);
    char *text = NULL;

    if (where != NULL && place != NULL && deed != NULL)
        text = ork_text("%s%s%s%s %s", deed, place, lack,
                        place[0] != '\0' || lack[0] != '\0' ? "," : "", where);
    free(where);
    free(place);
    free(deed);
    return text;
}

static char *abort_words(struct ork_call_sites *sites, const struct ork_ended *e, const char *who)
{
    char *last = last_words(sites, e);
    char *text = last == NULL
                     ? NULL
                     : ork_text("%s called %s with error code %d", who, last, e->ending.value);

    free(last);
    return text;
}

/* The whole sentence; `who` is its subject. */
static char *cause_words(struct ork_call_sites *sites, const struct ork_ends *ends,
                         const struct ork_ended *e, const char *who, bool many)
{
    if (e->ending.kind == ORK_NOTE_ERROR)
        return error_words(sites, e, who);
    if (e->ending.kind == ORK_NOTE_ABORT)
        return abort_words(sites, e, who);
    char *end = end_words(sites, ends, e, many);
    char *text = end == NULL ? NULL : ork_text("%s %s", who, end);

    free(end);
    return text;
}

/* ---- several ranks ---- */

/* Ended in the same way at the same place, as far as is known. */
static bool is_same_end(const struct ork_ended *a, const struct ork_ended *b)
{
    return a->ending.kind == b->ending.kind && a->ending.value == b->ending.value &&
           a->ending.how == b->ending.how && a->ending.last.call == b->ending.last.call &&
           a->ending.sender == b->ending.sender;
}

/* The causes that ended in the same way as cause `i`, ascending. */
static bool ranks_alike(const struct ork_ends *ends, uint32_t i, struct ork_u32s *set)
{
    for (uint32_t k = i; k < ends->causes; k++) {
        if (is_same_end(&ends->ended[i], &ends->ended[k]) &&
            !ork_describe_add_rank(set, ends->ended[k].rank))
            return false;
    }
    ork_describe_sort_unique(set);
    return true;
}

static bool was_reported(const struct ork_ends *ends, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (is_same_end(&ends->ended[k], &ends->ended[i]))
            return true;
    }
    return false;
}

static char *alike_words(struct ork_call_sites *sites, const struct ork_ends *ends, uint32_t i)
{
    struct ork_u32s set = {0};
    char *who = ranks_alike(ends, i, &set) ? ork_describe_ranks(set.item, set.count) : NULL;
    char *text = who == NULL ? NULL : cause_words(sites, ends, &ends->ended[i], who, set.count > 1);

    free(set.item);
    free(who);
    return text;
}

static enum ork_status add_others(struct ork_call_sites *sites, const struct ork_ends *ends,
                                  struct ork_finding *f)
{
    enum ork_status status = ORK_OK;
    unsigned reported = 0;

    for (uint32_t i = 1; i < ends->causes && reported < CAUSES_MAX && status == ORK_OK; i++) {
        if (was_reported(ends, i))
            continue;
        char *text = ork_describe_sentence(alike_words(sites, ends, i));
        status = ork_describe_add_detail(f, text == NULL ? NULL : ork_text("%s.", text));
        free(text);
        reported++;
    }
    return status;
}

/* Ranks that were ended by others, and did nothing wrong themselves. */
static enum ork_status add_consequence(const struct ork_ends *ends, struct ork_finding *f)
{
    struct ork_u32s set = {0};
    enum ork_status status = ORK_OK;

    for (uint32_t i = ends->causes; i < ends->count && status == ORK_OK; i++) {
        if (ork_ending_is_abnormal(&ends->ended[i].ending) &&
            !ork_describe_add_rank(&set, ends->ended[i].rank))
            status = ORK_NOMEM;
    }
    ork_describe_sort_unique(&set);
    char *who = status == ORK_OK && set.count > 0 ? ork_describe_ranks(set.item, set.count) : NULL;
    if (status == ORK_OK && set.count > 0)
        status = ork_describe_add_detail(
            f, who == NULL ? NULL : ork_text("The launcher then ended %s.", who));
    free(who);
    free(set.item);
    return status;
}

static enum ork_status add_advice(const struct ork_ends *ends, struct ork_finding *f)
{
    const struct ork_ending *first = &ends->ended[0].ending;

    if (first->kind == ORK_NOTE_NONE)
        return ork_describe_add_detail(
            f, strdup("The process itself did not report why it ended. The usual cause is SIGKILL: "
                      "from the kernel when memory runs out (see dmesg), from a batch system at a "
                      "limit, or from a user."));
    return ORK_OK;
}

/* ---- rows ---- */

/* Does node `v` wait for marked nodes? An OR node does if all its targets are marked. */
static bool waits_for_marked(const struct ork_wfg *g, uint32_t v, const bool *mark)
{
    bool is_or = ork_wfg_node(g, v).op == ORK_WFG_OR;
    uint32_t arcs = ork_wfg_num_arcs(g, v), marked = 0;

    for (uint32_t i = 0; i < arcs; i++)
        marked += mark[ork_wfg_arc(g, v, i).to];
    return is_or ? arcs > 0 && marked == arcs : marked > 0;
}

/* Mark all nodes that can only continue when a marked one does. */
static void mark_waiters(const struct ork_wfg *g, bool *mark)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t v = 0; v < ork_wfg_num_nodes(g); v++) {
            if (!mark[v] && waits_for_marked(g, v, mark))
                again = mark[v] = true;
        }
    }
}

/* The causes, and the ranks that wait for them; all ended ranks, if there is no cause. */
static enum ork_status choose_rows(const struct ork_search *s, const struct ork_ends *ends,
                                   struct ork_u32s *rows)
{
    uint32_t nodes = ork_wfg_num_nodes(s->wfg);
    uint32_t shown = ends->causes > 0 ? ends->causes : ends->count;
    bool *mark = calloc((size_t)nodes + 1, sizeof(*mark));
    enum ork_status status = mark == NULL ? ORK_NOMEM : ORK_OK;

    for (uint32_t i = 0; i < shown && mark != NULL; i++) {
        if (ends->ended[i].rank < nodes)
            mark[ends->ended[i].rank] = true;
    }
    if (mark != NULL && ends->causes > 0)
        mark_waiters(s->wfg, mark);
    for (uint32_t v = 0; v < nodes && status == ORK_OK; v++) {
        if (mark[v] && ork_wfg_node(s->wfg, v).kind == ORK_WFG_PROCESS &&
            !ork_describe_add_rank(rows, v))
            status = ORK_NOMEM;
    }
    free(mark);
    return status;
}

enum ork_status ork_describe_is_awaited(const struct ork_search *search,
                                        const struct ork_ends *ends, bool *any)
{
    struct ork_u32s rows = {0};
    enum ork_status status = ends->causes > 0 ? choose_rows(search, ends, &rows) : ORK_OK;

    *any = rows.count > ends->causes;
    free(rows.item);
    return status;
}

static enum ork_status copy_where(struct ork_where *to, const struct ork_where *from)
{
    *to = *from;
    to->function = from->function != NULL ? strdup(from->function) : NULL;
    to->file = from->file != NULL ? strdup(from->file) : NULL;
    to->module = from->module != NULL ? strdup(from->module) : NULL;
    return (from->function != NULL && to->function == NULL) ||
                   (from->file != NULL && to->file == NULL) ||
                   (from->module != NULL && to->module == NULL)
               ? ORK_NOMEM
               : ORK_OK;
}

/* Does the row show the call that ended the rank, or in which the rank ended? */
static bool is_in_call(const struct ork_ended *e)
{
    return has_last(e) && (e->ending.how == ORK_DEATH_INSIDE || e->ending.kind == ORK_NOTE_ABORT);
}

/* For a rank that ended: where it really was, not where the strict analysis holds it. */
static enum ork_status end_row(struct ork_call_sites *sites, const struct ork_ends *ends,
                               const struct ork_ended *e, struct ork_rank_row *w)
{
    bool in_call = is_in_call(e);
    struct ork_where top = top_of(e);
    char *deed = deed_words(ends, e, false), *where = where_words(sites, e);
    enum ork_status status = ORK_NOMEM;

    ork_rank_row_release(w);
    *w = (struct ork_rank_row){.rank = e->rank, .state = strdup("ended")};
    w->call = strdup(in_call ? ork_call_name(e->ending.last.call) : "");
    if (deed != NULL && where != NULL && w->call != NULL && w->state != NULL) {
        w->detail = in_call ? strdup(deed) : ork_text("%s, %s", deed, where);
        status =
            w->detail == NULL || !ork_rank_row_copy_stack(w, e->ending.wait) ? ORK_NOMEM : ORK_OK;
    }
    if (status == ORK_OK)
        status = in_call ? ork_call_sites_fill(sites, e->rank, e->ending.last.site, w)
                         : copy_where(&w->where, &top);
    free(deed);
    free(where);
    return status;
}

static enum ork_status add_rows(const struct ork_detector *d, struct ork_call_sites *sites,
                                const struct ork_search *s, const struct ork_ends *ends,
                                struct ork_finding *f)
{
    struct ork_u32s rows = {0};
    enum ork_status status = choose_rows(s, ends, &rows);

    if (status == ORK_OK) {
        struct ork_writing w = {.d = d, .sites = sites};
        ork_describe_rows(&w, s, &rows, f);
        status = ork_writing_release(&w);
    }
    for (uint32_t i = 0; i < ends->causes && status == ORK_OK; i++) {
        for (uint32_t k = 0; k < f->num_waits && status == ORK_OK; k++) {
            if (f->waits[k].rank == ends->ended[i].rank)
                status = end_row(sites, ends, &ends->ended[i], &f->waits[k]);
        }
    }
    free(rows.item);
    if (status != ORK_OK)
        return status;
    struct ork_writing w = {.d = d, .sites = sites};
    ork_describe_add_jobs(&w, f);
    return ork_writing_release(&w);
}

/* ---- the finding ---- */

static bool was_asked(const struct ork_ending *e)
{
    return ork_ending_is_asked_for(e) && e->how != ORK_DEATH_FINISHED;
}

/* Did both get the same signal from the same process? */
static bool is_same_signal(const struct ork_ending *a, const struct ork_ending *b)
{
    return a->value == b->value && a->sender == b->sender;
}

/* The first end by a signal that did not come like that of `before`, if not NULL. NULL: none. */
static const struct ork_ending *first_asked(const struct ork_ends *ends,
                                            const struct ork_ending *before)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        if (was_asked(e) && (before == NULL || !is_same_signal(e, before)))
            return e;
    }
    return NULL;
}

/* "ranks 0-3 got SIGTERM from process 7 (mpirun)": those that got it like this one. */
static char *asked_words(const struct ork_ends *ends, const struct ork_ending *like)
{
    struct ork_u32s set = {0};
    bool ok = true;

    for (uint32_t i = 0; i < ends->count && ok; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        if (was_asked(e) && is_same_signal(e, like))
            ok = ork_describe_add_rank(&set, ends->ended[i].rank);
    }
    ork_describe_sort_unique(&set);
    char *who = ok ? ork_describe_ranks(set.item, set.count) : NULL;
    char *name = signal_words(like->value);
    char *text = who == NULL || name == NULL ? NULL
                                             : ork_text("%s got %s from process %u (%s)", who, name,
                                                        like->sender, like->text);
    free(who);
    free(name);
    free(set.item);
    return text;
}

static char *outside_words(const struct ork_ends *ends)
{
    const struct ork_ending *first = first_asked(ends, NULL);

    if (first == NULL)
        return strdup("the run was ended from outside: its launcher ended, and the ranks with it");
    char *asked = asked_words(ends, first);
    char *text = asked == NULL ? NULL : ork_text("the run was ended from outside: %s", asked);
    free(asked);
    return text;
}

/* Who got another signal, or from another process: in most cases the launcher followed. */
static enum ork_status add_later(const struct ork_ends *ends, struct ork_finding *f)
{
    const struct ork_ending *first = first_asked(ends, NULL);
    const struct ork_ending *next = first != NULL ? first_asked(ends, first) : NULL;

    if (next == NULL)
        return ORK_OK;
    char *asked = asked_words(ends, next);
    char *text = asked == NULL ? NULL : ork_text("Then %s.", asked);
    free(asked);
    return ork_describe_add_detail(f, text);
}

/* It is unknown which of them was the first. */
static char *unsure_words(const struct ork_ends *ends)
{
    struct ork_u32s set = {0};
    bool ok = true;

    for (uint32_t i = 0; i < ends->causes && ok; i++)
        ok = ork_describe_add_rank(&set, ends->ended[i].rank);
    ork_describe_sort_unique(&set);
    char *who = ok ? ork_describe_ranks(set.item, set.count) : NULL;
    char *name = signal_words(silent_signal(ends));
    char *text =
        who == NULL || name == NULL
            ? NULL
            : ork_text(
                  "at least one of %s was killed by %s; the launcher may have killed the others",
                  who, name);
    free(who);
    free(name);
    free(set.item);
    return text;
}

/* RATIONALE: a rank that exits with 0 hides an error, unless all do. A run that was ended from
 * outside is not an error of the program. Calling MPI_Abort with 0, or crashing after MPI_Finalize,
 * is no misuse of MPI. */
static enum ork_severity severity_of(const struct ork_ends *ends, enum ork_abnormal why)
{
    bool is_harmless = ends->causes == ends->count && ends->finished == 0 && ends->left == 0;
    bool is_over = true;

    if (why == ORK_ABNORMAL_OUTSIDE)
        return ORK_NOTE;
    for (uint32_t i = 0; i < ends->causes; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        is_harmless &= e->kind == ORK_NOTE_EXIT && e->value == 0;
        is_over &= e->how == ORK_DEATH_FINISHED && e->kind == ORK_NOTE_SIGNAL;
    }
    const struct ork_ending *first = &ends->ended[0].ending;
    bool is_wanted = first->kind == ORK_NOTE_ABORT && first->value == 0;
    return is_harmless || is_over || is_wanted ? ORK_WARNING : ORK_ERROR;
}

/* The first one, for programs that read the report. */
static struct ork_finding_end end_of(const struct ork_ends *ends)
{
    static const enum ork_ended_as as[] = {[ORK_NOTE_NONE] = ORK_AS_UNKNOWN,
                                           [ORK_NOTE_SIGNAL] = ORK_AS_SIGNAL,
                                           [ORK_NOTE_EXIT] = ORK_AS_EXIT,
                                           [ORK_NOTE_ERROR] = ORK_AS_ERROR,
                                           [ORK_NOTE_ABORT] = ORK_AS_ABORT};
    const struct ork_ended *first = &ends->ended[0];
    int number = first->ending.kind == ORK_NOTE_NONE ? silent_signal(ends) : 0;

    return (struct ork_finding_end){.as = number != 0 ? ORK_AS_SIGNAL : as[first->ending.kind],
                                    .rank = ends->is_unsure ? UINT32_MAX : first->rank,
                                    .value = number != 0 ? number : first->ending.value};
}

static enum ork_status fill(const struct ork_detector *d, struct ork_call_sites *sites,
                            const struct ork_search *search, const struct ork_ends *ends,
                            enum ork_abnormal why, struct ork_finding *f)
{
    uint32_t concerned = ends->causes > 0 ? ends->causes : ends->count;
    enum ork_status status = ORK_OK;

    bool lacks_ranks = why == ORK_ABNORMAL_CAUSE && ork_ends_lack_ranks(ends);

    f->message = lacks_ranks                   ? ork_describe_lacking(ends, f)
                 : why == ORK_ABNORMAL_OUTSIDE ? outside_words(ends)
                 : ends->is_unsure             ? unsure_words(ends)
                                               : alike_words(sites, ends, 0);
    if (f->id == NULL || f->message == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < concerned; i++) {
        if (!ork_describe_add_rank(&f->ranks, ends->ended[i].rank))
            return ORK_NOMEM;
    }
    ork_describe_sort_unique(&f->ranks);
    if (why == ORK_ABNORMAL_CAUSE) {
        f->end = end_of(ends);
    } else {
        status = add_later(ends, f);
    }
    if (why == ORK_ABNORMAL_CAUSE && !lacks_ranks) {
        if (!ends->is_unsure)
            status = add_others(sites, ends, f);
        if (status == ORK_OK)
            status = add_consequence(ends, f);
        if (status == ORK_OK)
            status = add_advice(ends, f);
    }
    return status == ORK_OK && search != NULL ? add_rows(d, sites, search, ends, f) : status;
}

enum ork_status ork_describe_end(const struct ork_detector *d, struct ork_call_sites *sites,
                                 const struct ork_search *search, const struct ork_ends *ends,
                                 enum ork_abnormal why, struct ork_finding *finding)
{
    struct ork_finding f = {.severity = severity_of(ends, why), .id = strdup("abnormal-end")};
    enum ork_status status = fill(d, sites, search, ends, why, &f);

    if (status == ORK_OK)
        *finding = f;
    else
        ork_finding_release(&f);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* How a run ended abnormally: the first rank, where it was, the ranks that wait for it. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <signal.h>
#include <string.h>

/* Number of causes that are described one by one. */
enum { CAUSES_MAX = 8 };

/* ---- one rank ---- */

/* "SIGSEGV", or "signal 70". */
static const char *signal_words(struct ork_writing *w, int number)
{
    const char *name = sigabbrev_np(number);

    return name != NULL ? ork_writing_keep(w, ork_text("SIG%s", name))
                        : ork_say(w, SAYS_END_SIGNAL, NUMBER('n', number));
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
static const char *last_words(struct ork_writing *w, const struct ork_ended *e)
{
    const struct ork_record *r = &e->ending.last;

    if (!has_last(e) || w->sites == NULL)
        return "MPI_Init";
    return ork_call_at(w, e->rank, r->call, r->site);
}

/* "in MPI_Recv at a.c:12", "after MPI_Barrier at a.c:7", "in MPI_Init", "after MPI_Finalize". */
static const char *where_words(struct ork_writing *w, const struct ork_ended *e)
{
    if (e->ending.how == ORK_DEATH_STARTING)
        return ork_plain(SAYS_END_IN_INIT);
    if (e->ending.how == ORK_DEATH_BEFORE)
        return ork_plain(SAYS_END_BEFORE_INIT);
    if (e->ending.how == ORK_DEATH_FINISHED)
        return ork_plain(SAYS_END_AFTER_FINALIZE);
    return ork_say(w, SAYS_END_IN_CALL, NUMBER('i', e->ending.how == ORK_DEATH_INSIDE),
                   TEXT('c', last_words(w, e)));
}

/* " at a.c:12", if the stack adds something to the call. */
static const char *place_words(struct ork_writing *w, const struct ork_ended *e)
{
    struct ork_where top = top_of(e);

    if (e->ending.how == ORK_DEATH_INSIDE || top.file == NULL)
        return "";
    return ork_writing_keep(w, ork_phrase_call("", &top));
}

/* The launcher reports the signal of the first process that a signal ended: see ORK_NOTE_NONE. */
static int silent_signal(const struct ork_ends *ends)
{
    return ends->causes == 1 || ends->is_unsure ? ork_ends_signal(ends) : 0;
}

static const char *signal_deed(struct ork_writing *w, const struct ork_ends *ends,
                               const struct ork_ending *n, bool many)
{
    int number = n->kind == ORK_NOTE_SIGNAL ? n->value : silent_signal(ends);
    const struct ork_slot were = NUMBER('i', many);
    const struct ork_slot name = TEXT('e', number == 0 ? "" : signal_words(w, number));

    if (number == 0)
        return ork_plain(SAYS_ENDED);
    if (n->kind != ORK_NOTE_SIGNAL || n->sender == 0)
        return ork_say(w, SAYS_END_DEED_KILLED, were, name);
    return ork_say(w, SAYS_END_DEED_KILLED_BY, were, name, NUMBER('n', n->sender),
                   TEXT('w', n->text));
}

/* What happened, without rank and place: "was killed by SIGSEGV". */
static const char *deed_words(struct ork_writing *w, const struct ork_ends *ends,
                              const struct ork_ended *e, bool many)
{
    const struct ork_ending *n = &e->ending;

    switch (n->kind) {
    case ORK_NOTE_EXIT:
        return ork_say(w, SAYS_END_DEED_EXIT, NUMBER('e', n->value));
    case ORK_NOTE_ERROR:
        return ork_say(w, SAYS_END_DEED_ERROR,
                       TEXT('e', n->text[0] != '\0' ? n->text : ork_plain(SAYS_END_AN_ERROR)));
    case ORK_NOTE_ABORT:
        return ork_say(w, SAYS_END_DEED_ABORT, NUMBER('e', n->value));
    case ORK_NOTE_NONE:
    case ORK_NOTE_SIGNAL:
        break;
    }
    return signal_deed(w, ends, n, many);
}

/* What follows after the place. */
static const char *lack_words(const struct ork_ends *ends, const struct ork_ended *e)
{
    const struct ork_ending *n = &e->ending;

    if (n->how == ORK_DEATH_FINISHED)
        return "";
    if (n->kind == ORK_NOTE_EXIT)
        return ork_plain(SAYS_END_WITHOUT_FINALIZE);
    return n->kind == ORK_NOTE_NONE && silent_signal(ends) == 0 ? ork_plain(SAYS_END_CAUSE_UNKNOWN)
                                                                : "";
}

static const char *error_words(struct ork_writing *w, const struct ork_ended *e,
                               const struct ork_u32s *who)
{
    const char *name = e->ending.call[0] != '\0' ? e->ending.call : ork_plain(SAYS_END_A_CALL);
    bool is_recorded = e->ending.text[0] != '\0'; /* not if MPI is not initialized, or twice */
    bool is_last = is_recorded && has_last(e) &&
                   strcmp(ork_call_name(e->ending.last.call), e->ending.call) == 0;
    struct ork_where top = top_of(e);
    const struct ork_slot call =
        TEXT('c', is_last ? last_words(w, e) : ork_writing_keep(w, ork_phrase_call(name, &top)));

    if (!is_recorded)
        return ork_say(w, SAYS_END_BY_CALL, call, RANKS('r', who));
    return ork_say(w, SAYS_END_FAILED, call, RANKS('r', who), TEXT('e', e->ending.text));
}

/* The whole sentence: "rank 2 exited with code 3 at a.c:9 without MPI_Finalize, after MPI_Barrier
 * at a.c:7". */
static const char *cause_words(struct ork_writing *w, const struct ork_ends *ends,
                               const struct ork_ended *e, const struct ork_u32s *who)
{
    if (e->ending.kind == ORK_NOTE_ERROR)
        return error_words(w, e, who);
    if (e->ending.kind == ORK_NOTE_ABORT)
        return ork_say(w, SAYS_END_ABORTED, RANKS('r', who), TEXT('c', last_words(w, e)),
                       NUMBER('e', e->ending.value));
    const char *place = place_words(w, e), *lack = lack_words(ends, e);
    return ork_say(w, SAYS_END_OF, RANKS('r', who),
                   TEXT('v', deed_words(w, ends, e, who->count > 1)), TEXT('p', place),
                   TEXT('x', lack), NUMBER('i', place[0] != '\0' || lack[0] != '\0'),
                   TEXT('w', where_words(w, e)));
}

/* ---- several ranks ---- */

/* Ended in the same way at the same place, as far as is known. */
static bool is_same_end(const struct ork_ended *a, const struct ork_ended *b)
{
    return a->ending.kind == b->ending.kind && a->ending.value == b->ending.value &&
           a->ending.how == b->ending.how && a->ending.last.call == b->ending.last.call &&
           a->ending.sender == b->ending.sender;
}

static bool was_reported(const struct ork_ends *ends, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (is_same_end(&ends->ended[k], &ends->ended[i]))
            return true;
    }
    return false;
}

/* Cause `i`, and those that ended in the same way. */
static const char *alike_words(struct ork_writing *w, const struct ork_ends *ends, uint32_t i)
{
    struct ork_u32s set = {0};

    for (uint32_t k = i; k < ends->causes; k++) {
        if (is_same_end(&ends->ended[i], &ends->ended[k]))
            ork_writing_add(w, &set, ends->ended[k].rank);
    }
    ork_describe_sort_unique(&set);
    return cause_words(w, ends, &ends->ended[i], &set);
}

static void add_others(struct ork_writing *w, const struct ork_ends *ends, struct ork_finding *f)
{
    unsigned reported = 0;

    for (uint32_t i = 1; i < ends->causes && reported < CAUSES_MAX; i++) {
        if (was_reported(ends, i))
            continue;
        ork_writing_detail(w, f, ork_say(w, SAYS_SENTENCE, TEXT('w', alike_words(w, ends, i))));
        reported++;
    }
}

/* Ranks that were ended by others, and did nothing wrong themselves. */
static void add_consequence(struct ork_writing *w, const struct ork_ends *ends,
                            struct ork_finding *f)
{
    struct ork_u32s set = {0};

    for (uint32_t i = ends->causes; i < ends->count; i++) {
        if (ork_ending_is_abnormal(&ends->ended[i].ending))
            ork_writing_add(w, &set, ends->ended[i].rank);
    }
    ork_describe_sort_unique(&set);
    if (set.count > 0)
        ork_writing_detail(w, f, ork_say(w, SAYS_END_CONSEQUENCE, RANKS('r', &set)));
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
static struct ork_u32s choose_rows(struct ork_writing *w, const struct ork_search *s,
                                   const struct ork_ends *ends)
{
    uint32_t nodes = ork_wfg_num_nodes(s->wfg);
    uint32_t shown = ends->causes > 0 ? ends->causes : ends->count;
    bool *mark = ork_writing_alloc(w, nodes, sizeof(*mark));
    struct ork_u32s rows = {0};

    if (mark == NULL)
        return rows;
    for (uint32_t i = 0; i < shown; i++) {
        if (ends->ended[i].rank < nodes)
            mark[ends->ended[i].rank] = true;
    }
    if (ends->causes > 0)
        mark_waiters(s->wfg, mark);
    for (uint32_t v = 0; v < nodes; v++) {
        if (mark[v] && ork_wfg_node(s->wfg, v).kind == ORK_WFG_PROCESS)
            ork_writing_add(w, &rows, v);
    }
    return rows;
}

enum ork_status ork_describe_is_awaited(const struct ork_search *search,
                                        const struct ork_ends *ends, bool *any)
{
    struct ork_writing w = {.d = NULL};

    *any = ends->causes > 0 && choose_rows(&w, search, ends).count > ends->causes;
    return ork_writing_release(&w);
}

/* Does the row show the call that ended the rank, or in which the rank ended? */
static bool is_in_call(const struct ork_ended *e)
{
    return has_last(e) && (e->ending.how == ORK_DEATH_INSIDE || e->ending.kind == ORK_NOTE_ABORT);
}

static char *copy_of(struct ork_writing *w, const char *text)
{
    return text != NULL ? ork_writing_give(w, text) : NULL;
}

/* For a rank that ended: where it really was, not where the strict analysis holds it. */
static void end_row(struct ork_writing *w, const struct ork_ends *ends, const struct ork_ended *e,
                    struct ork_rank_row *row)
{
    bool in_call = is_in_call(e);
    const char *deed = deed_words(w, ends, e, false);
    struct ork_where top = top_of(e);

    ork_rank_row_release(row);
    *row = (struct ork_rank_row){
        .rank = e->rank,
        .state = ork_writing_give(w, "ended"),
        .call = ork_writing_give(w, in_call ? ork_call_name(e->ending.last.call) : ""),
        .detail = ork_writing_give(
            w, in_call ? deed
                       : ork_say(w, SAYS_END_ROW, TEXT('v', deed), TEXT('w', where_words(w, e))))};
    ork_writing_check(w, ork_rank_row_copy_stack(row, e->ending.wait) ? ORK_OK : ORK_NOMEM);
    if (in_call) {
        ork_writing_check(w, ork_call_sites_fill(w->sites, e->rank, e->ending.last.site, row));
        return;
    }
    row->where = top;
    row->where.function = copy_of(w, top.function);
    row->where.file = copy_of(w, top.file);
    row->where.module = copy_of(w, top.module);
}

static void add_rows(struct ork_writing *w, const struct ork_search *s, const struct ork_ends *ends,
                     struct ork_finding *f)
{
    struct ork_u32s rows = choose_rows(w, s, ends);

    ork_describe_rows(w, s, &rows, f);
    for (uint32_t i = 0; i < ends->causes; i++) {
        for (uint32_t k = 0; k < f->num_waits; k++) {
            if (f->waits[k].rank == ends->ended[i].rank)
                end_row(w, ends, &ends->ended[i], &f->waits[k]);
        }
    }
    ork_describe_add_jobs(w, f);
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
static const char *asked_words(struct ork_writing *w, const struct ork_ends *ends,
                               const struct ork_ending *like)
{
    struct ork_u32s set = {0};

    for (uint32_t i = 0; i < ends->count; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        if (was_asked(e) && is_same_signal(e, like))
            ork_writing_add(w, &set, ends->ended[i].rank);
    }
    ork_describe_sort_unique(&set);
    return ork_say(w, SAYS_END_GOT_SIGNAL, RANKS('r', &set),
                   TEXT('e', signal_words(w, like->value)), NUMBER('n', like->sender),
                   TEXT('w', like->text));
}

static const char *outside_words(struct ork_writing *w, const struct ork_ends *ends)
{
    const struct ork_ending *first = first_asked(ends, NULL);

    return first == NULL ? ork_plain(SAYS_END_OUTSIDE_LAUNCHER)
                         : ork_say(w, SAYS_END_OUTSIDE, TEXT('w', asked_words(w, ends, first)));
}

/* Who got another signal, or from another process: in most cases the launcher followed. */
static void add_later(struct ork_writing *w, const struct ork_ends *ends, struct ork_finding *f)
{
    const struct ork_ending *first = first_asked(ends, NULL);
    const struct ork_ending *next = first != NULL ? first_asked(ends, first) : NULL;

    if (next != NULL)
        ork_writing_detail(w, f, ork_say(w, SAYS_END_THEN, TEXT('w', asked_words(w, ends, next))));
}

/* It is unknown which of them was the first. */
static const char *unsure_words(struct ork_writing *w, const struct ork_ends *ends)
{
    struct ork_u32s set = {0};

    for (uint32_t i = 0; i < ends->causes; i++)
        ork_writing_add(w, &set, ends->ended[i].rank);
    ork_describe_sort_unique(&set);
    return ork_say(w, SAYS_END_UNSURE, RANKS('r', &set),
                   TEXT('e', signal_words(w, silent_signal(ends))));
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

/* Did an invalid address end the rank in the Fortran layer of the MPI library? RATIONALE: a
 * compiler that sees no interface of a procedure cannot count its arguments, and the layer stores
 * the error code through what stands where the last one should be. */
static bool is_in_fortran_layer(const struct ork_ending *e)
{
    return e->kind == ORK_NOTE_SIGNAL && (e->value == SIGSEGV || e->value == SIGBUS) &&
           e->call != NULL && e->call[0] != '\0' && strstr(e->call, "cxx") == NULL &&
           strstr(e->call, "java") == NULL;
}

static const char *message_of(struct ork_writing *w, const struct ork_ends *ends,
                              enum ork_abnormal why)
{
    if (why == ORK_ABNORMAL_OUTSIDE)
        return outside_words(w, ends);
    if (ork_ends_lack_ranks(ends))
        return ork_describe_lacking(w, ends);
    return ends->is_unsure ? unsure_words(w, ends) : alike_words(w, ends, 0);
}

static void add_details(struct ork_writing *w, const struct ork_ends *ends, enum ork_abnormal why,
                        struct ork_finding *f)
{
    if (why == ORK_ABNORMAL_OUTSIDE) {
        add_later(w, ends, f);
        return;
    }
    if (ork_ends_lack_ranks(ends)) {
        ork_writing_detail(w, f, ork_plain(SAYS_END_LACKING_RULE));
        return;
    }
    if (!ends->is_unsure)
        add_others(w, ends, f);
    add_consequence(w, ends, f);
    if (is_in_fortran_layer(&ends->ended[0].ending))
        ork_writing_detail(w, f,
                           ork_say(w, SAYS_END_IN_LAYER, TEXT('v', ends->ended[0].ending.call)));
    if (ends->ended[0].ending.kind == ORK_NOTE_NONE)
        ork_writing_detail(w, f, ork_plain(SAYS_END_NO_TRACE));
}

enum ork_status ork_describe_end(const struct ork_detector *d, struct ork_call_sites *sites,
                                 const struct ork_search *search, const struct ork_ends *ends,
                                 enum ork_abnormal why, struct ork_finding *finding)
{
    struct ork_writing w = {.d = d, .sites = sites};
    struct ork_finding f = ork_writing_begin(&w, "abnormal-end", severity_of(ends, why), 0);
    uint32_t concerned = ends->causes > 0 ? ends->causes : ends->count;

    f.message = ork_writing_give(&w, message_of(&w, ends, why));
    for (uint32_t i = 0; i < concerned; i++)
        ork_writing_check(&w, ork_describe_add_rank(&f.ranks, ends->ended[i].rank) ? ORK_OK
                                                                                   : ORK_NOMEM);
    ork_describe_sort_unique(&f.ranks);
    if (why == ORK_ABNORMAL_CAUSE)
        f.end = end_of(ends);
    add_details(&w, ends, why, &f);
    if (search != NULL)
        add_rows(&w, search, ends, &f);
    return ork_writing_end(&w, &f, finding);
}

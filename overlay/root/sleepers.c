/* SPDX-License-Identifier: BSD-3-Clause */
/* A hang that no deadlock explains, because a rank sleeps outside MPI: which one, and who waits for
 * it. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"

#include <stdlib.h>
#include <string.h>

struct ranks {
    struct ork_u32s sleepers, waiters;
    bool all; /* the others have ended */
};

static bool is_within(const struct ork_u32s *set, const struct ranks *ranks)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (!ork_describe_has_rank(&ranks->sleepers, set->item[i]) &&
            !ork_describe_has_rank(&ranks->waiters, set->item[i]))
            return false;
    }
    return set->count > 0;
}

static bool has_ended(const struct ork_rank_row *w)
{
    return strcmp(w->state, "finalized") == 0 || strcmp(w->state, "ended") == 0;
}

/* False: out of memory. */
static bool collect(const struct ork_root *root, const struct ork_finding *f, struct ranks *ranks)
{
    bool ok = true;

    ranks->all = true;
    for (uint32_t i = 0; i < f->num_waits && ok; i++) {
        const struct ork_rank_row *w = &f->waits[i];
        bool sleeps = ork_activity_of(root->activity, w->rank)->doing == ORK_DOING_SLEEPS;
        bool waits = strcmp(w->state, "blocked") == 0;
        if (has_ended(w))
            continue;
        ranks->all &= sleeps || waits;
        if (sleeps || waits)
            ok = ork_describe_add_rank(sleeps ? &ranks->sleepers : &ranks->waiters, w->rank);
    }
    ork_describe_sort_unique(&ranks->sleepers);
    ork_describe_sort_unique(&ranks->waiters);
    return ok;
}

/* Does each rank that waits do so for one that sleeps, or for others that wait? */
static bool is_explained(const struct ork_finding *f, const struct ranks *ranks)
{
    bool awaits_sleeper = false;

    if (!ranks->all || ranks->sleepers.count == 0 || ranks->waiters.count == 0)
        return false;
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *w = &f->waits[i];
        if (!ork_describe_has_rank(&ranks->waiters, w->rank))
            continue;
        if (!is_within(&w->waits_for, ranks))
            return false;
        for (uint32_t k = 0; k < w->waits_for.count; k++)
            awaits_sleeper |= ork_describe_has_rank(&ranks->sleepers, w->waits_for.item[k]);
    }
    return awaits_sleeper;
}

/* "MPI_Barrier at a.c:4", the last call of the rank; "": it has made none, or there are several
 * ranks. */
static const char *last_call(struct ork_writing *w, const struct ork_u32s *sleepers)
{
    struct ork_run_view run = ork_detector_run(w->d, sleepers->item[0]);

    if (sleepers->count > 1 || run.newest.kind == ORK_KIND_CONT)
        return "";
    return ork_call_at(w, sleepers->item[0], run.newest.call, run.newest.site);
}

/* The function of the program in which a rank is; NULL: its stack is not known. */
static const struct ork_where *function_of(const struct ork_finding *f, uint32_t rank)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *w = &f->waits[i];
        if (w->rank == rank)
            return w->num_stack > 0 && w->stack[0].function != NULL ? &w->stack[0] : NULL;
    }
    return NULL;
}

static bool is_same_place(const struct ork_where *a, const struct ork_where *b)
{
    const char *x = a->file != NULL ? a->file : "", *y = b->file != NULL ? b->file : "";

    return a->line == b->line && strcmp(a->function, b->function) == 0 && strcmp(x, y) == 0;
}

/* "read_restart_file (a.c:6)", where all of them sleep; "": in several functions, or unknown. */
static const char *where_words(struct ork_writing *w, const struct ork_finding *f,
                               const struct ork_u32s *sleepers)
{
    const struct ork_where *first = function_of(f, sleepers->item[0]);

    for (uint32_t i = 1; i < sleepers->count && first != NULL; i++) {
        const struct ork_where *other = function_of(f, sleepers->item[i]);
        if (other == NULL || !is_same_place(first, other))
            first = NULL;
    }
    return first != NULL ? ork_writing_keep(w, ork_phrase_in_call(first->function, first)) : "";
}

static char *words(struct ork_root *root, double seconds, const struct ork_finding *f,
                   const struct ranks *ranks)
{
    struct ork_writing w = {.d = root->detector, .sites = root->sites};

    return ork_writing_end_text(
        &w, ork_say(&w, SAYS_STALL_SLEEPERS, TEXT('w', ork_seconds(&w, seconds)),
                    RANKS('r', &ranks->sleepers), TEXT('c', last_call(&w, &ranks->sleepers)),
                    TEXT('d', where_words(&w, f, &ranks->sleepers)), RANKS('o', &ranks->waiters)));
}

enum ork_status ork_root_name_sleepers(struct ork_root *root, double seconds, struct ork_finding *f,
                                       bool *is_named)
{
    struct ranks ranks = {0};
    enum ork_status status = collect(root, f, &ranks) ? ORK_OK : ORK_NOMEM;

    *is_named = false;
    if (status == ORK_OK && is_explained(f, &ranks)) {
        char *text = words(root, seconds, f, &ranks);
        status = text != NULL ? ORK_OK : ORK_NOMEM;
        if (text != NULL) {
            free(f->message);
            f->message = text;
            *is_named = true;
        }
    }
    free(ranks.sleepers.item);
    free(ranks.waiters.item);
    return status;
}

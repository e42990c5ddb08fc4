/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/ends.h"

#include "common/vec.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void release(struct ork_ended *e)
{
    free((void *)(uintptr_t)e->ending.call);
    free((void *)(uintptr_t)e->ending.text);
    if (e->ending.wait != NULL)
        ork_rank_row_release((struct ork_rank_row *)(uintptr_t)e->ending.wait);
    free((void *)(uintptr_t)e->ending.wait);
}

void ork_ends_release(struct ork_ends *ends)
{
    for (uint32_t i = 0; i < ends->count; i++)
        release(&ends->ended[i]);
    free(ends->ended);
    *ends = (struct ork_ends){.ended = NULL};
}

bool ork_ending_is_asked_for(const struct ork_ending *e)
{
    static const int asking[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};

    for (size_t i = 0; i < sizeof(asking) / sizeof(asking[0]); i++) {
        if (e->kind == ORK_NOTE_SIGNAL && e->value == asking[i] && e->sender != 0)
            return true;
    }
    return false;
}

bool ork_ending_is_abnormal(const struct ork_ending *e)
{
    if (e->how == ORK_DEATH_BEFORE)
        return e->kind != ORK_NOTE_EXIT || e->value != 0;
    if (e->how != ORK_DEATH_FINISHED)
        return true;
    return e->kind == ORK_NOTE_ERROR || (e->kind == ORK_NOTE_SIGNAL && !ork_ending_is_asked_for(e));
}

/* It left MPI_Finalize and then reported an error by its exit code; the launcher then ends the
 * others, too. */
static bool is_bad_exit(const struct ork_ending *e)
{
    return e->how == ORK_DEATH_FINISHED && e->kind == ORK_NOTE_EXIT && e->value != 0;
}

static char *copy_text(const char *text)
{
    return strdup(text != NULL ? text : "");
}

static struct ork_rank_row *copy_wait(uint32_t rank, const struct ork_rank_row *from)
{
    struct ork_rank_row *to = calloc(1, sizeof(*to));

    if (to == NULL)
        return NULL;
    to->rank = rank;
    if (from == NULL || ork_rank_row_copy_stack(to, from))
        return to;
    ork_rank_row_release(to);
    free(to);
    return NULL;
}

enum ork_status ork_ends_add(struct ork_ends *ends, uint32_t rank, const struct ork_ending *ending)
{
    if (!ork_ending_is_abnormal(ending) && !is_bad_exit(ending)) {
        ends->finished++;
        return ORK_OK;
    }
    if (!ork_vec_reserve(&ends->ended, &ends->cap, ends->count + 1, sizeof(*ends->ended)))
        return ORK_NOMEM;
    struct ork_ended *e = &ends->ended[ends->count];
    *e = (struct ork_ended){.rank = rank, .ending = *ending};
    e->ending.call = copy_text(ending->call);
    e->ending.text = copy_text(ending->text);
    e->ending.wait = copy_wait(rank, ending->wait);
    if (e->ending.call == NULL || e->ending.text == NULL || e->ending.wait == NULL) {
        release(e);
        return ORK_NOMEM;
    }
    ends->count++;
    return ORK_OK;
}

/* ---- which is the first? ---- */

/* When the first rank was asked to end; UINT64_MAX: none was. */
static uint64_t first_asked(const struct ork_ends *ends)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < ends->count; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        if (ork_ending_is_asked_for(e) && e->time_ns < first)
            first = e->time_ns;
    }
    return first;
}

/* It ended by its own action. RATIONALE: a rank that exits after the launcher has asked others to
 * end may have been asked, too, and handle the signal; a rank that crashes has not. */
static bool is_own_doing(const struct ork_ending *e, uint64_t asked_ns)
{
    if (!ork_ending_is_abnormal(e) || ork_ending_is_asked_for(e) || e->kind == ORK_NOTE_NONE)
        return false;
    return e->kind != ORK_NOTE_EXIT || e->time_ns <= asked_ns;
}

static bool is_silent(const struct ork_ending *e)
{
    return e->kind == ORK_NOTE_NONE && e->how != ORK_DEATH_FINISHED;
}

static int compare(const void *a, const void *b)
{
    const struct ork_ended *x = a;
    const struct ork_ended *y = b;

    if (x->is_cause != y->is_cause)
        return x->is_cause ? -1 : 1;
    if (x->ending.time_ns != y->ending.time_ns)
        return x->ending.time_ns < y->ending.time_ns ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static uint32_t mark_own_doing(struct ork_ends *ends)
{
    const uint64_t asked_ns = first_asked(ends);
    uint32_t n = 0;

    for (uint32_t i = 0; i < ends->count; i++) {
        ends->ended[i].is_cause = is_own_doing(&ends->ended[i].ending, asked_ns);
        n += ends->ended[i].is_cause;
    }
    return n;
}

/* RATIONALE: the launcher of MPICH gives the same code for exit(9) and for signal 9. */
static bool is_exit_code(const struct ork_ends *ends, int n)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        if (e->kind == ORK_NOTE_EXIT && e->value == n)
            return true;
    }
    return false;
}

int ork_ends_signal(const struct ork_ends *ends)
{
    int n = ends->launcher - 128;
    bool is_signal = n > 0 && n <= SIGRTMAX && (sigabbrev_np(n) != NULL || n >= SIGRTMIN);

    return is_signal && !is_exit_code(ends, n) ? n : 0;
}

static uint32_t mark_silent_until(struct ork_ends *ends, uint64_t time_ns)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < ends->count; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        ends->ended[i].is_cause = is_silent(e) && e->time_ns <= time_ns;
        n += ends->ended[i].is_cause;
    }
    return n;
}

/* Did a rank get this signal from another process than the launcher, which asked others later? Then
 * it is the one that the launcher lost. */
static bool is_lost_one_known(const struct ork_ends *ends, int signal)
{
    const uint64_t first_ns = first_asked(ends);
    const struct ork_ending *first = NULL;

    for (uint32_t i = 0; i < ends->count && first == NULL; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        if (ork_ending_is_asked_for(e) && e->time_ns == first_ns && e->value == signal)
            first = e;
    }
    for (uint32_t i = 0; i < ends->count && first != NULL; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        if (ork_ending_is_asked_for(e) && e->sender != first->sender)
            return true;
    }
    return false;
}

/* Of the ranks that ended without a trace, those that did so first. RATIONALE: a launcher that was
 * asked to end asks the ranks, and may kill one before it has noted that. A launcher that lost a
 * rank by a signal reports this in its exit code, and ends the others afterwards: it asks them, and
 * kills those that do not end soon, which a busy machine delays. The times of such ends are those
 * at which the leaves noticed them, in any order. */
static uint32_t mark_silent(struct ork_ends *ends)
{
    uint32_t n = mark_silent_until(ends, first_asked(ends));

    if (ork_ends_signal(ends) == 0)
        return n;
    if (n == 0 && !is_lost_one_known(ends, ork_ends_signal(ends)))
        n = mark_silent_until(ends, UINT64_MAX);
    ends->is_unsure = n > 1;
    return n;
}

static uint32_t mark_if(struct ork_ends *ends, bool (*is_it)(const struct ork_ending *))
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < ends->count; i++) {
        ends->ended[i].is_cause = is_it(&ends->ended[i].ending);
        n += ends->ended[i].is_cause;
    }
    return n;
}

static bool is_any_abnormal(const struct ork_ends *ends)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        if (ork_ending_is_abnormal(&ends->ended[i].ending))
            return true;
    }
    return false;
}

/* Did the launcher end ranks only because another one exited with an error after MPI_Finalize, when
 * they had called MPI_Finalize, too? Then the exit code is the whole story. */
static bool is_only_an_exit_code(const struct ork_ends *ends)
{
    bool any = false;

    for (uint32_t i = 0; i < ends->count; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        bool followed = ork_ending_is_asked_for(e) || e->kind == ORK_NOTE_NONE;
        if (!is_bad_exit(e) && !(followed && e->last.kind == ORK_KIND_FINALIZE))
            return false;
        any |= is_bad_exit(e);
    }
    return any && ends->launcher >= 0 && ork_ends_signal(ends) == 0;
}

bool ork_ends_lack_ranks(const struct ork_ends *ends)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        const struct ork_ending *e = &ends->ended[i].ending;
        if (e->how != ORK_DEATH_STARTING || e->kind != ORK_NOTE_NONE)
            return false;
    }
    return ends->count > 0 && ends->count < ends->size && ends->left == 0 && ends->finished == 0;
}

enum ork_abnormal ork_ends_classify(struct ork_ends *ends)
{
    ends->causes = 0;
    ends->is_unsure = false;
    if (!is_any_abnormal(ends) || is_only_an_exit_code(ends))
        return ORK_ABNORMAL_NONE;
    ends->causes = mark_own_doing(ends);
    if (ends->causes == 0 && ends->launcher >= 0) /* otherwise they followed it */
        ends->causes = mark_silent(ends);
    if (ends->causes == 0)
        ends->causes = mark_if(ends, is_bad_exit);
    qsort(ends->ended, ends->count, sizeof(*ends->ended), compare);
    if (ends->causes > 0)
        return ORK_ABNORMAL_CAUSE;
    /* RATIONALE: a launcher that exits has ended the ranks because of one of them. */
    return ends->unknown > 0 && ends->launcher > 0 ? ORK_ABNORMAL_NONE : ORK_ABNORMAL_OUTSIDE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What an exploration does not know, in sentences. */
#include "common/text.h"
#include "mustrun/explore/exploring.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Takes over `text`. False: out of memory. */
static bool note(struct ork_exploration *e, char *text)
{
    char **bigger = realloc(e->note, (e->num_notes + (size_t)1) * sizeof(*bigger));

    if (bigger != NULL)
        e->note = bigger;
    if (bigger == NULL || text == NULL) {
        free(text);
        return false;
    }
    e->note[e->num_notes++] = text;
    return true;
}

static bool note_if(bool condition, struct ork_exploration *e, const char *text)
{
    return !condition || note(e, strdup(text));
}

/* RATIONALE: the tool ends a run that hangs, although it does not know that it would never end. */
static bool has_hung(const struct ork_exploring *x)
{
    for (uint32_t i = 0; i < x->num_outcomes; i++) {
        if (x->outcome[i].kind == ORK_OUTCOME_HANG)
            return true;
    }
    return false;
}

bool ork_exploring_has_gaps(const struct ork_exploring *x)
{
    bool found =
        has_hung(x) || x->unknown != NULL || x->has_threads || x->has_jobs || x->num_unordered > 0;

    for (unsigned i = 0; i < ORK_GAPS; i++)
        found |= x->gap[i] > 0;
    return found;
}

/* "in 1 run, ", "in 2 runs, " */
static bool note_gap(const struct ork_exploring *x, struct ork_exploration *e, enum ork_gap gap,
                     const char *text)
{
    uint64_t runs = x->gap[gap];

    return runs == 0 ||
           note(e, ork_text("in %" PRIu64 " run%s, %s", runs, runs == 1 ? "" : "s", text));
}

static bool fill_gaps(const struct ork_exploring *x, struct ork_exploration *e)
{
    return note_gap(
               x, e, ORK_GAP_RECEIVE,
               "the message taken by a receive that was freed, failed, or was not complete is not "
               "known: its other outcomes were not tried") &&
           note_gap(x, e, ORK_GAP_CUT,
                    "some rank was ended before it had made its last call, because others "
                    "deadlocked, crashed or hung: its further calls are not known") &&
           note_gap(
               x, e, ORK_GAP_CANCEL,
               "an operation was cancelled, or completed before it could be: the other outcome "
               "of MPI_Cancel was not tried") &&
           note_gap(x, e, ORK_GAP_LOCK,
                    "the order of some window locks is not known (MPI_Win_lock_all, or locks that "
                    "are not counted): not all of their orders were tried") &&
           note_gap(x, e, ORK_GAP_SET,
                    "a call of MPI_Waitsome or MPI_Testsome could have completed many requests: "
                    "each alone and all together were tried, but not every other set") &&
           note_gap(x, e, ORK_GAP_CLOCKS,
                    "the clocks that say which message could have come first needed too much "
                    "memory (--must:queue-limit), and were simplified: some alternatives may be "
                    "missing") &&
           note_gap(
               x, e, ORK_GAP_POLL,
               "an unsuccessful test or probe of something unknown, or one of very many different "
               "ones, was not followed: orders in which it succeeds were not tried");
}

enum { CALLS_NAMED = 12 };

/* RATIONALE: sorted, because runs end in any order. */
static bool note_unordered(const struct ork_exploring *x, struct ork_exploration *e)
{
    uint32_t named = x->num_unordered <= CALLS_NAMED ? x->num_unordered : CALLS_NAMED;
    char *calls = NULL;
    size_t size;
    FILE *out = x->num_unordered > 0 ? open_memstream(&calls, &size) : NULL;

    if (out == NULL)
        return x->num_unordered == 0;
    for (uint32_t i = 0; i < named; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", x->unordered[i]);
    if (named < x->num_unordered)
        fprintf(out, " and %" PRIu32 " more", x->num_unordered - named);
    bool done = fclose(out) == 0 &&
                note(e, ork_text("outcomes can depend on which of these calls comes first, which "
                                 "cannot be forced, so their other orders were not tried: %s",
                                 calls));
    free(calls);
    return done;
}

static bool note_crashes(const struct ork_exploring *x, struct ork_exploration *e)
{
    uint64_t runs = x->crashed_once;

    return runs == 0 ||
           note(e, ork_text("%" PRIu64 " run%s crashed in MPI_Finalize, but not when %s repeated: "
                            "these crashes are not among the outcomes",
                            runs, runs == 1 ? "" : "s", runs == 1 ? "it was" : "they were"));
}

bool ork_exploring_fill_notes(const struct ork_exploring *x, struct ork_exploration *e)
{
    bool done =
        fill_gaps(x, e) && note_unordered(x, e) && note_crashes(x, e) &&
        note_if(
            has_hung(x), e,
            "a run hung without a proven deadlock: the tool ended it, and its further calls are "
            "not known") &&
        note_if(x->has_threads, e,
                "several threads of a rank make choices: other outcomes of the choices of these "
                "runs were not tried") &&
        note_if(x->has_jobs, e,
                "the program starts further processes: other outcomes of their choices were not "
                "tried") &&
        note_if(
            x->has_polls, e,
            "a repeated test or probe was tried as successful at its first call (if possible), at "
            "a later one, and at none (if its loop then timed out): of orders that differ only in "
            "the number of unsuccessful calls one was run, except in loops that timed out and "
            "make other calls in between") &&
        note_if(x->search != NULL && ork_search_count(x->search).assumed > 0, e,
                "many polling loops at one call did not time out although all their polls were "
                "unsuccessful: further ones there were not tried");

    if (done && x->unknown != NULL)
        done = note(e, ork_text("some alternatives are not known, because the tool could not "
                                "follow a run to its end: %s",
                                x->unknown));
    if (done && x->lost > 0)
        done = note(e, ork_text("the latest run without a result: %s", x->lost_why));
    return done;
}

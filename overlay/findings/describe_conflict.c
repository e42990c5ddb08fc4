/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to the same bytes of a window that nothing orders. */
#include "overlay/findings/describe_conflict.h"

#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- an access ---- */

/* By a pending operation that is no one-sided one. */
static bool is_message(const struct ork_touched *t)
{
    return ork_touch_is_plain(t->touch) && t->call != 0;
}

static const char *verb_of(const struct ork_touched *t)
{
    switch (t->touch) {
    case ORK_TOUCH_GET:
        return "got";
    case ORK_TOUCH_PUT:
        return "put";
    case ORK_TOUCH_ACCUMULATE:
        return "accumulated into";
    case ORK_TOUCH_READ:
        return "read";
    case ORK_TOUCH_WRITE:
        return "wrote";
    case ORK_TOUCH_LOAD:
        return t->call != 0 ? "read" : "loaded";
    case ORK_TOUCH_STORE:
        return t->call != 0 ? "wrote" : "stored to";
    }
    return "accessed";
}

/* "bytes 80-159", "some of bytes 80-159", "byte 80", "bytes 0x7f..10-0x7f..17" */
static char *bytes_words(const struct ork_touched *t)
{
    const char *some = t->has_gaps ? "some of " : "";
    int64_t last = t->high - 1;

    if (t->is_address)
        return ork_text("%sbytes 0x%" PRIx64 "-0x%" PRIx64, some, (uint64_t)t->low, (uint64_t)last);
    return last == t->low ? ork_text("byte %" PRId64, t->low)
                          : ork_text("%sbytes %" PRId64 "-%" PRId64, some, t->low, last);
}

/* "put bytes 80-159 of the window of rank 0 (stencil.c:88)"; `of`: whose bytes. A buffer: "read
 * bytes 0-7 of it as the buffer of MPI_Put (a.c:3)". */
static char *access_words(struct ork_call_sites *sites, const struct ork_touched *t, const char *of)
{
    bool is_buffer = t->touch == ORK_TOUCH_READ || t->touch == ORK_TOUCH_WRITE || is_message(t);
    const char *call = is_buffer ? ork_call_name(t->call) : "";
    char *place = ork_phrase_in_call_at(sites, t->rank, call, t->site);
    char *bytes = bytes_words(t);
    char *text = place == NULL || bytes == NULL
                     ? NULL
                     : ork_text("%s %s of %s%s%s", verb_of(t), bytes, of,
                                is_buffer ? " as a buffer of " : "", place);

    free(place);
    free(bytes);
    return text;
}

static const char *epoch_words(const struct ork_touched *t)
{
    switch (t->epoch) {
    case ORK_IN_FENCE:
        return "an epoch of MPI_Win_fence";
    case ORK_IN_START:
        return "an epoch of MPI_Win_start";
    case ORK_IN_LOCK:
        return t->is_exclusive ? "an epoch of an exclusive MPI_Win_lock"
                               : "an epoch of a shared MPI_Win_lock";
    case ORK_IN_LOCK_ALL:
        return "an epoch of MPI_Win_lock_all";
    case ORK_IN_NONE:
        break;
    }
    return "an epoch";
}

/* ---- a conflict ---- */

/* One of them is a load or store. */
static bool has_plain(const struct ork_conflict *c)
{
    return ork_touch_is_plain(c->first.touch) || ork_touch_is_plain(c->second.touch);
}

/* The value that is read depends on timing, but no location is updated twice at the same time. */
static bool is_valid(const struct ork_conflict *c)
{
    return has_plain(c) && (c->first.is_read || c->second.is_read);
}

static char *conflict_words(struct ork_call_sites *sites, const struct ork_conflict *c)
{
    bool is_own = c->first.rank == c->second.rank;
    char *window = ork_text("the window of rank %u", c->target);
    char *first = window == NULL ? NULL : access_words(sites, &c->first, window);
    char *second = access_words(sites, &c->second, "it");
    char *text = NULL;

    if (first != NULL && second != NULL && is_own)
        text = ork_text("rank %u %s and %s before the first access was complete", c->first.rank,
                        first, second);
    else if (first != NULL && second != NULL)
        text = ork_text("rank %u %s while rank %u %s: nothing orders them", c->first.rank, first,
                        c->second.rank, second);
    free(window);
    free(first);
    free(second);
    return text;
}

static char *epochs_words(const struct ork_conflict *c)
{
    const char *first = epoch_words(&c->first), *second = epoch_words(&c->second);

    if (c->first.epoch == ORK_IN_NONE || c->second.epoch == ORK_IN_NONE)
        return c->first.epoch == ORK_IN_NONE ? ork_text("Rank %u is in %s.", c->second.rank, second)
                                             : ork_text("Rank %u is in %s.", c->first.rank, first);
    if (c->first.rank == c->second.rank)
        return strcmp(first, second) == 0
                   ? ork_text("Both accesses are in %s.", first)
                   : ork_text("The first access is in %s, the second one in %s.", first, second);
    return strcmp(first, second) == 0 ? ork_text("Both ranks are in %s.", first)
                                      : ork_text("Rank %u is in %s, rank %u in %s.", c->first.rank,
                                                 first, c->second.rank, second);
}

/* Two accumulates conflict because of what they do. NULL: they are not; or out of memory. */
static char *operations_words(const struct ork_conflict *c)
{
    const char *first = ork_phrase_reduction(c->first.op);
    const char *second = ork_phrase_reduction(c->second.op);

    if (first == NULL || second == NULL || strcmp(first, second) == 0)
        return strdup("Accumulates to the same bytes are atomic only in one window and with the "
                      "same basic datatype (MPI-3.1 section 11.7.1).");
    return ork_text("Accumulates to the same bytes are allowed only with the same operation or "
                    "MPI_NO_OP (MPI-3.1 section 11.7.1); here they are %s and %s.",
                    first, second);
}

static bool is_passive(const struct ork_touched *t)
{
    return t->epoch == ORK_IN_LOCK || t->epoch == ORK_IN_LOCK_ALL;
}

/* What would order a load or store and a call of another rank? */
static char *plain_order_words(const struct ork_touched *plain, const struct ork_touched *call)
{
    if (call->epoch == ORK_IN_FENCE)
        return strdup("An MPI_Win_fence between them would order them.");
    if (call->epoch == ORK_IN_START)
        return ork_text("Rank %u may access these bytes before its MPI_Win_post, and after its "
                        "MPI_Win_wait.",
                        plain->rank);
    return ork_text(
        "An exclusive MPI_Win_lock of its own memory around the access of rank %u would "
        "exclude them. A message or collective call orders them if the first one is "
        "complete before it.",
        plain->rank);
}

/* Only in the separate memory model. */
static char *separate_words(const struct ork_conflict *c)
{
    const struct ork_touched *a = &c->first, *b = &c->second;
    const struct ork_touched *plain = ork_touch_is_plain(a->touch) ? a : b;
    const char *model = c->is_portable ? "In the separate memory model (--must:memory-model)"
                                       : "The window has the separate memory model: in it";

    if (!a->is_read && !b->is_read)
        return ork_text("%s, after a store nothing in the window may be put or accumulated before "
                        "rank %u calls MPI_Win_sync, or another call that synchronises the window, "
                        "and the reverse (MPI-3.1 section 11.7).",
                        model, plain->rank);
    if (plain->is_read)
        return ork_text("%s, rank %u sees what others have put or accumulated only after a call of "
                        "MPI_Win_sync, or another one that synchronises the window (MPI-3.1 "
                        "section 11.7).",
                        model, plain->rank);
    return ork_text("%s, others see what rank %u has stored only after its next call of "
                    "MPI_Win_sync, or another one that synchronises the window (MPI-3.1 section "
                    "11.7).",
                    model, plain->rank);
}

static const char *completion_words(const struct ork_touched *t)
{
    if (is_message(t))
        return "MPI_Wait or MPI_Test";
    if (is_passive(t))
        return "MPI_Win_flush or the unlock";
    return t->epoch == ORK_IN_START ? "MPI_Win_complete" : "MPI_Win_fence";
}

/* The rank of `a` told that of `b` too early. RATIONALE: a get is complete when its data is there,
 * so MPI_Win_flush_local completes it, too. */
static char *too_early_words(const struct ork_touched *a, const struct ork_touched *b)
{
    return ork_text(
        "A message or collective call after the access of rank %u comes before that of rank %u, "
        "but the access was not complete%s then: rank %u has to complete it first, with %s.%s",
        a->rank, b->rank, a->is_read ? "" : " at the target", a->rank, completion_words(a),
        a->is_read ? ""
                   : " MPI_Win_flush_local, and the request of MPI_Rput or MPI_Raccumulate, "
                     "complete it only at the origin.");
}

/* What would order them? */
static char *order_words(const struct ork_conflict *c)
{
    const struct ork_touched *a = &c->first, *b = &c->second;

    if (c->is_separate)
        return separate_words(c);
    if (a->rank != b->rank && has_plain(c))
        return ork_touch_is_plain(a->touch) ? plain_order_words(a, b) : plain_order_words(b, a);
    if (a->rank == b->rank)
        return ork_text("The second access may come only after the call that completes the first "
                        "one: %s.",
                        completion_words(a));
    if ((a->is_known && is_passive(a)) || (b->is_known && is_passive(b)))
        return a->is_known && is_passive(a) ? too_early_words(a, b) : too_early_words(b, a);
    if (!is_passive(a) && !is_passive(b) && a->epoch == ORK_IN_FENCE && b->epoch == ORK_IN_FENCE)
        return strdup("An MPI_Win_fence between them would order them.");
    if (is_passive(a) && a->is_over)
        return ork_text("Rank %u completed its access, but no message or collective call tells "
                        "rank %u: for example an MPI_Barrier after it would order them, and an "
                        "exclusive lock would exclude one while the other is made.",
                        a->rank, b->rank);
    return strdup("The first access has to be complete at the target (MPI_Win_flush, or the call "
                  "that ends its epoch), and then a message or collective call has to tell the "
                  "other rank.");
}

static enum ork_status add_details(const struct ork_conflict *c, uint32_t n, struct ork_finding *f)
{
    bool accumulate =
        c->first.touch == ORK_TOUCH_ACCUMULATE && c->second.touch == ORK_TOUCH_ACCUMULATE;
    enum ork_status status = ork_describe_add_detail(f, epochs_words(c));

    if (status == ORK_OK && accumulate)
        status = ork_describe_add_detail(f, operations_words(c));
    if (status == ORK_OK && is_valid(c) && !c->is_separate)
        status = ork_describe_add_detail(
            f, strdup("Both accesses are allowed, but the value that is read depends on timing "
                      "(MPI-3.1 section 11.7)."));
    if (status == ORK_OK)
        status = ork_describe_add_detail(f, order_words(c));
    if (status == ORK_OK && n > 1)
        status = ork_describe_add_detail(
            f, ork_text("The same calls conflict at %u other pair%s of ranks or targets.", n - 1,
                        n == 2 ? "" : "s"));
    return status;
}

/* ---- findings ---- */

static const char *name_of(const struct ork_touched *t)
{
    if (ork_touch_is_plain(t->touch) && !is_message(t))
        return t->touch == ORK_TOUCH_LOAD ? "load" : "store";
    return ork_call_name(t->call);
}

/* A row for the rank and call, unless there is one. */
static enum ork_status add_row(struct ork_call_sites *sites, const struct ork_touched *t,
                               struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        if (f->waits[i].rank == t->rank && strcmp(f->waits[i].call, name_of(t)) == 0)
            return ORK_OK;
    }
    struct ork_rank_row *w = &f->waits[f->num_waits++];
    w->rank = t->rank;
    w->call = strdup(name_of(t));
    w->state = strdup("");
    if (w->call == NULL || w->state == NULL || !ork_describe_add_rank(&f->ranks, t->rank))
        return ORK_NOMEM;
    return ork_call_sites_fill(sites, t->rank, t->site, w);
}

static enum ork_status finish(struct ork_finding *f, char *message)
{
    f->message = message;
    f->summary = message == NULL ? NULL : ork_describe_sentence(strdup(message));
    ork_describe_sort_unique(&f->ranks);
    ork_describe_sort_rows(f);
    return f->summary == NULL ? ORK_NOMEM : ORK_OK;
}

static struct ork_finding begin(const char *id, uint32_t rows)
{
    return (struct ork_finding){.severity = ORK_ERROR,
                                .id = strdup(id),
                                .waits = calloc(rows, sizeof(struct ork_rank_row))};
}

static enum ork_status end(struct ork_finding *f, enum ork_status status, struct ork_finding *out)
{
    if (status == ORK_OK)
        *out = *f;
    else
        ork_finding_release(f);
    return status;
}

enum ork_status ork_describe_conflict(struct ork_call_sites *sites,
                                      const struct ork_conflict *const *conflict, uint32_t n,
                                      struct ork_finding *finding)
{
    struct ork_finding f = begin("rma-conflict", 2 * n);
    enum ork_status status = f.id == NULL || f.waits == NULL ? ORK_NOMEM : ORK_OK;

    if (conflict[0]->is_separate ? conflict[0]->is_portable : is_valid(conflict[0]))
        f.severity = ORK_WARNING;
    for (uint32_t i = 0; i < n && status == ORK_OK; i++) {
        status = add_row(sites, &conflict[i]->first, &f);
        if (status == ORK_OK)
            status = add_row(sites, &conflict[i]->second, &f);
    }
    if (status == ORK_OK)
        status = finish(&f, conflict_words(sites, conflict[0]));
    if (status == ORK_OK)
        status = add_details(conflict[0], n, &f);
    return end(&f, status, finding);
}

/* ---- accesses outside of a window ---- */

static char *outside_words(struct ork_call_sites *sites, const struct ork_outside *o)
{
    const struct ork_touched *t = &o->access;
    char *call = ork_phrase_in_call_at(sites, t->rank, ork_call_name(t->call), t->site);
    char *bytes = bytes_words(t);
    char *text = call == NULL || bytes == NULL ? NULL
                 : o->is_dynamic
                     ? ork_text("%s of rank %u accesses %s of rank %u, which has not attached them "
                                "to the dynamic window",
                                call, t->rank, bytes, o->target)
                     : ork_text("%s of rank %u accesses %s of the window of rank %u, which has "
                                "%" PRIu64 " byte%s",
                                call, t->rank, bytes, o->target, o->size, o->size == 1 ? "" : "s");

    free(call);
    free(bytes);
    return text;
}

enum ork_status ork_describe_outside(struct ork_call_sites *sites,
                                     const struct ork_outside *const *outside, uint32_t n,
                                     struct ork_finding *finding)
{
    struct ork_finding f = begin("window-bounds", n);

    if (outside[0]->is_failed)
        f.severity = ORK_WARNING;
    enum ork_status status = f.id == NULL || f.waits == NULL ? ORK_NOMEM : ORK_OK;

    for (uint32_t i = 0; i < n && status == ORK_OK; i++)
        status = add_row(sites, &outside[i]->access, &f);
    if (status == ORK_OK)
        status = finish(&f, outside_words(sites, outside[0]));
    if (status == ORK_OK)
        status = ork_describe_add_detail(
            &f, strdup(outside[0]->is_dynamic
                           ? "The target must have attached the memory before the access, and must "
                             "detach it after it (MPI-3.1 section 11.2.4)."
                           : "The displacement counts in units of the target's disp_unit (MPI-3.1 "
                             "section 11.3). Check displacement, count and datatype of the "
                             "target."));
    if (status == ORK_OK && outside[0]->is_failed)
        status = ork_describe_add_detail(&f, strdup("The call failed; the error was returned to "
                                                    "the application."));
    return end(&f, status, finding);
}

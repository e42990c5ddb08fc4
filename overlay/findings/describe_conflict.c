/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to the same bytes of a window that nothing orders. */
#include "overlay/findings/describe_conflict.h"

#include "bytes/datatype/basic.h"
#include "overlay/findings/describe_internal.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- an access ---- */

/* By a pending operation that is no one-sided one. */
static bool is_message(const struct ork_touched *t)
{
    return ork_touch_is_plain(t->touch) && t->call != 0;
}

static enum ork_says verb_of(const struct ork_touched *t)
{
    switch (t->touch) {
    case ORK_TOUCH_GET:
        return SAYS_ACCESS_GOT;
    case ORK_TOUCH_PUT:
        return SAYS_ACCESS_PUT;
    case ORK_TOUCH_ACCUMULATE:
        return SAYS_ACCESS_ACCUMULATED;
    case ORK_TOUCH_LOAD:
        return t->call != 0 ? SAYS_ACCESS_READ : SAYS_ACCESS_LOADED;
    case ORK_TOUCH_STORE:
        return t->call != 0 ? SAYS_ACCESS_WROTE : SAYS_ACCESS_STORED;
    case ORK_TOUCH_READ:
        break;
    case ORK_TOUCH_WRITE:
        return SAYS_ACCESS_WROTE;
    }
    return SAYS_ACCESS_READ;
}

/* "bytes 80-159", "some of bytes 80-159", "byte 80", "bytes 0x7f..10-0x7f..17" */
static const char *bytes_words(struct ork_writing *w, const struct ork_touched *t)
{
    int64_t last = t->high - 1;

    if (t->is_address)
        return ork_say(w, SAYS_ACCESS_BYTES, NUMBER('i', t->has_gaps),
                       TEXT('n', ork_writing_keep(w, ork_text("0x%" PRIx64, (uint64_t)t->low))),
                       TEXT('m', ork_writing_keep(w, ork_text("0x%" PRIx64, (uint64_t)last))));
    if (last == t->low)
        return ork_say(w, SAYS_BYTE, NUMBER('n', last));
    return ork_say(w, SAYS_ACCESS_BYTES, NUMBER('i', t->has_gaps), NUMBER('n', t->low),
                   NUMBER('m', last));
}

/* "put bytes 80-159 of the window of rank 0 (stencil.c:88)"; `of`: whose bytes. A buffer: "read
 * bytes 0-7 of it as a buffer of MPI_Put (a.c:3)". */
static const char *access_words(struct ork_writing *w, const struct ork_touched *t, const char *of)
{
    const char *verb = ork_plain(verb_of(t)), *bytes = bytes_words(w, t);

    if (t->touch == ORK_TOUCH_READ || t->touch == ORK_TOUCH_WRITE || is_message(t))
        return ork_say(w, SAYS_ACCESS_BUFFER, TEXT('v', verb), TEXT('b', bytes), TEXT('w', of),
                       TEXT('c', ork_call_in(w, t->rank, t->call, t->site)));
    return ork_say(w, SAYS_ACCESS, TEXT('v', verb), TEXT('b', bytes), TEXT('w', of),
                   TEXT('p', ork_place_in(w, t->rank, t->site)));
}

static enum ork_says epoch_of(const struct ork_touched *t)
{
    switch (t->epoch) {
    case ORK_IN_FENCE:
        return SAYS_EPOCH_FENCE;
    case ORK_IN_START:
        return SAYS_EPOCH_START;
    case ORK_IN_LOCK:
        return t->is_exclusive ? SAYS_EPOCH_EXCLUSIVE : SAYS_EPOCH_SHARED;
    case ORK_IN_LOCK_ALL:
        return SAYS_EPOCH_LOCK_ALL;
    case ORK_IN_NONE:
        break;
    }
    return SAYS_EPOCH;
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

/* Is it one of the separate memory model only? */
static bool is_of_separate(const struct ork_conflict *c)
{
    return c->kind == ORK_CONFLICT_SEPARATE || c->kind == ORK_CONFLICT_UNSYNCED;
}

static bool is_warning(const struct ork_conflict *c)
{
    if (is_of_separate(c))
        return c->is_portable;
    return c->kind == ORK_CONFLICT_BY_NAME || is_valid(c);
}

/* They are in order. */
static const char *unsynced_words(struct ork_writing *w, const struct ork_conflict *c)
{
    const struct ork_touched *earlier = c->is_second_earlier ? &c->second : &c->first;
    const struct ork_touched *later = c->is_second_earlier ? &c->first : &c->second;
    const char *window = ork_say(w, SAYS_CONFLICT_WINDOW, RANK('r', c->target));

    return ork_say(w, SAYS_CONFLICT_UNSYNCED, RANK('r', earlier->rank),
                   TEXT('w', access_words(w, earlier, window)), RANK('o', later->rank),
                   TEXT('x', access_words(w, later, ork_plain(SAYS_CONFLICT_IT))),
                   NUMBER('n', c->target));
}

static const char *conflict_words(struct ork_writing *w, const struct ork_conflict *c)
{
    const char *window = ork_say(w, SAYS_CONFLICT_WINDOW, RANK('r', c->target));
    const char *first = access_words(w, &c->first, window);
    const char *second = access_words(w, &c->second, ork_plain(SAYS_CONFLICT_IT));

    if (c->first.rank == c->second.rank)
        return ork_say(w, SAYS_CONFLICT_OWN, RANK('r', c->first.rank), TEXT('w', first),
                       TEXT('x', second));
    return ork_say(w, SAYS_CONFLICT, RANK('r', c->first.rank), TEXT('w', first),
                   RANK('o', c->second.rank), TEXT('x', second), NUMBER('i', c->has_flags));
}

static const char *epochs_words(struct ork_writing *w, const struct ork_conflict *c)
{
    enum ork_says first = epoch_of(&c->first), second = epoch_of(&c->second);
    bool is_own = c->first.rank == c->second.rank;

    if (first == SAYS_EPOCH || second == SAYS_EPOCH)
        return ork_say(w, SAYS_EPOCHS_ONE,
                       RANK('r', first == SAYS_EPOCH ? c->second.rank : c->first.rank),
                       TEXT('w', ork_plain(first == SAYS_EPOCH ? second : first)));
    if (first == second)
        return ork_say(w, is_own ? SAYS_EPOCHS_BOTH_ACCESSES : SAYS_EPOCHS_BOTH_RANKS,
                       TEXT('w', ork_plain(first)));
    if (is_own)
        return ork_say(w, SAYS_EPOCHS_OF_ACCESSES, TEXT('w', ork_plain(first)),
                       TEXT('x', ork_plain(second)));
    return ork_say(w, SAYS_EPOCHS_OF_RANKS, RANK('r', c->first.rank), TEXT('w', ork_plain(first)),
                   RANK('o', c->second.rank), TEXT('x', ork_plain(second)));
}

static bool is_no_op(const char *operation)
{
    return operation != NULL && strcmp(operation, "MPI_NO_OP") == 0;
}

/* The basic datatypes of two accumulates, if they differ. */
static const char *types_words(struct ork_writing *w, const struct ork_conflict *c)
{
    const char *first = ork_basic_name(ork_basic_of_id(ork_access_type_id(c->first.type)));
    const char *second = ork_basic_name(ork_basic_of_id(ork_access_type_id(c->second.type)));

    return ork_say(w, SAYS_ACCUMULATES_TYPES, NUMBER('i', c->first.rank == c->second.rank),
                   TEXT('a', first), TEXT('b', second),
                   NUMBER('j', c->kind == ORK_CONFLICT_BY_NAME));
}

/* Does each element of one of them begin inside of one of the other? As far as it is simple. */
static bool overlap_in_part(const struct ork_conflict *c)
{
    int64_t size = ork_access_type_size(c->first.type);

    return size > 1 && c->first.type == c->second.type && !c->first.has_gaps &&
           !c->second.has_gaps && c->first.is_address == c->second.is_address &&
           (c->first.low - c->second.low) % size != 0;
}

/* Why two accumulates conflict. */
static const char *operations_words(struct ork_writing *w, const struct ork_conflict *c)
{
    const char *first = ork_phrase_reduction(c->first.op);
    const char *second = ork_phrase_reduction(c->second.op);
    bool is_own = c->first.rank == c->second.rank;
    bool has_types = c->first.type != 0 && c->second.type != 0 && c->first.type != c->second.type;
    bool differ = first != NULL && second != NULL && strcmp(first, second) != 0;
    bool any_op = is_no_op(first) || is_no_op(second);

    if (has_types && (is_own || !differ || any_op))
        return types_words(w, c);
    if (!differ || any_op || is_own)
        return ork_say(w, SAYS_ACCUMULATES_APART, NUMBER('i', overlap_in_part(c)));
    return ork_say(w, SAYS_ACCUMULATES, TEXT('a', first), TEXT('b', second));
}

static bool is_passive(const struct ork_touched *t)
{
    return t->epoch == ORK_IN_LOCK || t->epoch == ORK_IN_LOCK_ALL;
}

/* What would order a load or store and a call of another rank? */
static const char *plain_order_words(struct ork_writing *w, const struct ork_touched *plain,
                                     const struct ork_touched *call)
{
    if (call->epoch == ORK_IN_FENCE)
        return ork_plain(SAYS_ORDER_FENCE);
    return ork_say(w, call->epoch == ORK_IN_START ? SAYS_ORDER_POST : SAYS_ORDER_LOCK,
                   RANK('r', plain->rank));
}

/* Only in the separate memory model. */
static const char *separate_words(struct ork_writing *w, const struct ork_conflict *c)
{
    const struct ork_touched *a = &c->first, *b = &c->second;
    const struct ork_touched *plain = ork_touch_is_plain(a->touch) ? a : b;
    const char *model =
        ork_plain(c->is_portable ? SAYS_SEPARATE_BY_OPTION : SAYS_SEPARATE_BY_WINDOW);
    bool none_reads = !a->is_read && !b->is_read;

    return ork_say(w,
                   none_reads       ? SAYS_SEPARATE_STORED
                   : plain->is_read ? SAYS_SEPARATE_LOADS
                                    : SAYS_SEPARATE_STORES,
                   TEXT('w', model), RANK('r', plain->rank));
}

static const char *completion_words(const struct ork_touched *t)
{
    if (is_message(t))
        return ork_plain(SAYS_COMPLETES_WAIT);
    if (is_passive(t))
        return ork_plain(SAYS_COMPLETES_FLUSH);
    return ork_plain(t->epoch == ORK_IN_START ? SAYS_COMPLETES_COMPLETE : SAYS_COMPLETES_FENCE);
}

/* The rank of `a` told that of `b` too early. RATIONALE: a get is complete when its data is there,
 * so MPI_Win_flush_local completes it, too. */
static const char *too_early_words(struct ork_writing *w, const struct ork_touched *a,
                                   const struct ork_touched *b)
{
    return ork_say(w, SAYS_ORDER_TOO_EARLY, RANK('r', a->rank), RANK('o', b->rank),
                   NUMBER('i', !a->is_read), TEXT('c', completion_words(a)));
}

/* What would order them? */
static const char *order_words(struct ork_writing *w, const struct ork_conflict *c)
{
    const struct ork_touched *a = &c->first, *b = &c->second;

    if (is_of_separate(c))
        return separate_words(w, c);
    if (a->rank != b->rank && has_plain(c))
        return ork_touch_is_plain(a->touch) ? plain_order_words(w, a, b)
                                            : plain_order_words(w, b, a);
    if (a->rank == b->rank)
        return ork_say(w, SAYS_ORDER_COMPLETE_FIRST, TEXT('c', completion_words(a)));
    if ((a->is_known && is_passive(a)) || (b->is_known && is_passive(b)))
        return a->is_known && is_passive(a) ? too_early_words(w, a, b) : too_early_words(w, b, a);
    if (a->epoch == ORK_IN_FENCE && b->epoch == ORK_IN_FENCE)
        return ork_plain(SAYS_ORDER_FENCE);
    if (is_passive(a) && a->is_over)
        return ork_say(w, SAYS_ORDER_NOT_TOLD, RANK('r', a->rank), RANK('o', b->rank));
    return ork_plain(SAYS_ORDER_COMPLETE);
}

static void add_details(struct ork_writing *w, const struct ork_conflict *c, uint32_t n,
                        struct ork_finding *f)
{
    ork_writing_detail(w, f, epochs_words(w, c));
    if (c->first.touch == ORK_TOUCH_ACCUMULATE && c->second.touch == ORK_TOUCH_ACCUMULATE)
        ork_writing_detail(w, f, operations_words(w, c));
    if (is_valid(c) && !is_of_separate(c))
        ork_writing_detail(w, f, ork_plain(SAYS_CONFLICT_ALLOWED));
    ork_writing_detail(w, f, order_words(w, c));
    if (n > 1)
        ork_writing_detail(w, f, ork_say(w, SAYS_CONFLICTS_MORE, NUMBER('n', n - 1)));
}

/* ---- findings ---- */

static const char *name_of(const struct ork_touched *t)
{
    if (ork_touch_is_plain(t->touch) && !is_message(t))
        return ork_plain(t->touch == ORK_TOUCH_LOAD ? SAYS_ACCESS_LOAD : SAYS_ACCESS_STORE);
    return ork_call_name(t->call);
}

/* A row for the rank and call, unless there is one. */
static void add_row(struct ork_writing *w, const struct ork_touched *t, struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        if (f->waits[i].rank == t->rank && strcmp(f->waits[i].call, name_of(t)) == 0)
            return;
    }
    ork_writing_row(w, f, t->rank, name_of(t), t->site);
}

static char *epoch_name(struct ork_writing *w, const struct ork_touched *t)
{
    enum ork_says epoch = epoch_of(t);

    return epoch != SAYS_EPOCH ? ork_writing_give(w, ork_plain(epoch)) : NULL;
}

/* For pictures: there is room. */
static void add_access(struct ork_writing *w, const struct ork_touched *t, uint32_t target,
                       struct ork_finding *f)
{
    struct ork_window_access *a = &f->access[f->num_accesses++];

    *a = (struct ork_window_access){.rank = t->rank,
                                    .target = target,
                                    .call = ork_writing_give(w, name_of(t)),
                                    .epoch = epoch_name(w, t),
                                    .low = t->low,
                                    .high = t->high,
                                    .is_address = t->is_address,
                                    .has_gaps = t->has_gaps,
                                    .is_read = t->is_read};
    ork_writing_check(w, ork_call_sites_find(w->sites, t->rank, t->site, &a->where));
}

/* The example of the message; `second` NULL: there is one access. */
static void add_accesses(struct ork_writing *w, const struct ork_touched *first,
                         const struct ork_touched *second, uint32_t target, struct ork_finding *f)
{
    f->access = calloc(2, sizeof(*f->access));
    if (!ork_writing_check(w, f->access != NULL ? ORK_OK : ORK_NOMEM))
        return;
    add_access(w, first, target, f);
    if (second != NULL)
        add_access(w, second, target, f);
}

static void finish(struct ork_writing *w, struct ork_finding *f, const char *message)
{
    ork_writing_headline(w, f, message);
    ork_describe_sort_unique(&f->ranks);
    ork_describe_sort_rows(f);
}

enum ork_status ork_describe_conflict(struct ork_call_sites *sites,
                                      const struct ork_conflict *const *conflict, uint32_t n,
                                      struct ork_finding *finding)
{
    const struct ork_conflict *c = conflict[0];
    struct ork_writing w = {.sites = sites};
    bool is_unsynced = c->kind == ORK_CONFLICT_UNSYNCED;
    struct ork_finding f =
        ork_writing_begin(&w, is_unsynced ? "window-sync" : "rma-conflict", ORK_ERROR, 2 * n);

    if (is_warning(c))
        f.severity = ORK_WARNING;
    for (uint32_t i = 0; i < n && w.status == ORK_OK; i++) {
        add_row(&w, &conflict[i]->first, &f);
        add_row(&w, &conflict[i]->second, &f);
    }
    add_accesses(&w, &c->first, &c->second, c->target, &f);
    finish(&w, &f, is_unsynced ? unsynced_words(&w, c) : conflict_words(&w, c));
    add_details(&w, c, n, &f);
    return ork_writing_end(&w, &f, finding);
}

/* ---- accesses outside of a window ---- */

static const char *outside_words(struct ork_writing *w, const struct ork_outside *o)
{
    const struct ork_touched *t = &o->access;
    const char *call = ork_call_in(w, t->rank, t->call, t->site), *bytes = bytes_words(w, t);

    if (o->is_dynamic)
        return ork_say(w, SAYS_OUTSIDE_DYNAMIC, TEXT('c', call), RANK('r', t->rank),
                       TEXT('b', bytes), RANK('o', o->target));
    return ork_say(w, SAYS_OUTSIDE, TEXT('c', call), RANK('r', t->rank), TEXT('b', bytes),
                   RANK('o', o->target), NUMBER('n', o->size));
}

enum ork_status ork_describe_outside(struct ork_call_sites *sites,
                                     const struct ork_outside *const *outside, uint32_t n,
                                     struct ork_finding *finding)
{
    const struct ork_outside *o = outside[0];
    struct ork_writing w = {.sites = sites};
    struct ork_finding f =
        ork_writing_begin(&w, "window-bounds", o->is_failed ? ORK_WARNING : ORK_ERROR, n);

    for (uint32_t i = 0; i < n && w.status == ORK_OK; i++)
        add_row(&w, &outside[i]->access, &f);
    add_accesses(&w, &o->access, NULL, o->target, &f);
    f.window_size = o->is_dynamic ? 0 : o->size;
    finish(&w, &f, outside_words(&w, o));
    ork_writing_detail(&w, &f,
                       ork_plain(o->is_dynamic ? SAYS_OUTSIDE_RULE_DYNAMIC : SAYS_OUTSIDE_RULE));
    if (o->is_failed)
        ork_writing_detail(&w, &f, ork_plain(SAYS_OUTSIDE_FAILED));
    return ork_writing_end(&w, &f, finding);
}

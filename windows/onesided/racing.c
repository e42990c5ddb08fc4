/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of which nothing says which comes first, although outcomes depend on it, and which are no
 * choice points (docs/explanation/order.md): updates of a location, uses of a shared file pointer,
 * and window locks that are not counted. */
#include "common/table.h"
#include "windows/onesided/internal.h"
#include "record/access.h"

#include <stdlib.h>

enum { CALLS_MAX = 64 /* of a rank */ };

/* A lock, or a call with the shared file pointer. */
struct use {
    struct ork_racing_call by;
    bool is_shared, is_choice; /* of a lock */
    uint32_t end; /* the component of its rank from which on it is over; 0: it is not */
};

/* A target of a window, or a file. */
struct resource {
    struct use *use; /* the latest one of each rank and call site */
    uint32_t uses, room;
};

struct racing {
    struct racing_calls {
        struct ork_racing_call *item;
        uint32_t count, room;
    } * calls;                  /* by rank */
    struct ork_table resources; /* by the context of the window or file, and the target */
    bool has_uncounted;         /* there was a use that is no choice */
};

enum ork_status ork_onesided_follow_racing(struct ork_onesided *o)
{
    struct racing *c = calloc(1, sizeof(*c));

    if (c == NULL)
        return ORK_NOMEM;
    o->racing = c;
    c->calls = calloc(o->nprocs, sizeof(*c->calls));
    return c->calls == NULL ? ORK_NOMEM : ORK_OK;
}

static void free_uses(void *context, void *resource)
{
    (void)context;
    free(((struct resource *)resource)->use);
}

void ork_racing_destroy(struct ork_onesided *o)
{
    struct racing *c = o->racing;

    if (c == NULL)
        return;
    for (uint32_t r = 0; c->calls != NULL && r < o->nprocs; r++)
        free(c->calls[r].item);
    free(c->calls);
    ork_table_release(&c->resources, free_uses, NULL);
    free(c);
}

/* RATIONALE: uses that are choices are only compared with others. */
bool ork_racing_is_comparable(const struct ork_onesided *o)
{
    return o->racing == NULL || !o->racing->has_uncounted;
}

/* ---- calls ---- */

static bool is_same_call(const struct ork_racing_call *a, const struct ork_racing_call *b)
{
    return a->rank == b->rank && a->site == b->site && a->call == b->call && a->touch == b->touch;
}

/* RATIONALE: a program with more such calls learns of the first ones. */
static void mark(struct ork_onesided *o, const struct ork_racing_call *call)
{
    struct racing_calls *c = &o->racing->calls[call->rank];

    for (uint32_t i = 0; i < c->count; i++) {
        if (is_same_call(&c->item[i], call))
            return;
    }
    if (c->count == CALLS_MAX)
        return;
    if (ork_vec_reserve(&c->item, &c->room, c->count + 1, sizeof(*c->item)))
        c->item[c->count++] = *call;
    else
        o->failed = true;
}

static void mark_access(struct ork_onesided *o, const struct ork_touched *t)
{
    mark(o, &(struct ork_racing_call){
                .rank = t->rank, .site = t->site, .call = t->call, .touch = t->touch});
}

void ork_racing_mark(struct ork_onesided *o, const struct access *a, const struct access *b)
{
    if (o->racing == NULL)
        return;
    mark_access(o, &a->seen);
    mark_access(o, &b->seen);
}

static int compare_calls(const void *a, const void *b)
{
    const struct ork_racing_call *x = a, *y = b;

    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->touch > y->touch) - (x->touch < y->touch);
}

void ork_racing_list(struct ork_onesided *o, ork_racing_take *take, void *context)
{
    bool goes_on = true;

    for (uint32_t r = 0; o->racing != NULL && r < o->nprocs && goes_on; r++) {
        struct racing_calls *c = &o->racing->calls[r];
        if (c->count > 0)
            qsort(c->item, c->count, sizeof(*c->item), compare_calls);
        for (uint32_t i = 0; i < c->count && goes_on; i++)
            goes_on = take(context, &c->item[i]);
    }
}

/* ---- accesses ---- */

static bool are_updates_racing(const struct access *a, const struct access *b)
{
    bool fetches = (a->fetches && !ork_access_reads(b)) || (b->fetches && !ork_access_reads(a));
    bool update = !ork_access_reads(a) && !ork_access_reads(b);

    return fetches ||
           (update && (a->seen.op != b->seen.op || !ork_access_commutes(a->seen.op, a->seen.type)));
}

/* Does the order of the run say which comes first? RATIONALE: atomics are ordered by the place that
 * they name, so these must be the same bytes. */
static bool are_choices(const struct access *a, const struct access *b)
{
    return a->seen.is_choice && b->seen.is_choice && a->window == b->window && a->low == b->low &&
           a->high == b->high;
}

/* A load or store of the program, and an access of another rank that it may wait for: see
 * conflict.c. */
static bool is_plain_racing(const struct access *plain, const struct access *other)
{
    return !plain->is_message && ork_access_is_passive(other) && !ork_access_is_plain(other) &&
           !(ork_access_reads(plain) && ork_access_reads(other));
}

void ork_racing_check(struct ork_onesided *o, const struct access *older,
                      const struct access *newer)
{
    if (o->racing == NULL || older->seen.rank == newer->seen.rank || older->is_separate ||
        newer->is_separate || ork_access_is_complete_before(o, older, newer))
        return;
    bool are = false;
    if (ork_access_is_plain(older))
        are = is_plain_racing(older, newer);
    else if (ork_access_is_plain(newer))
        are = is_plain_racing(newer, older);
    else if (older->seen.touch == ORK_TOUCH_ACCUMULATE && newer->seen.touch == ORK_TOUCH_ACCUMULATE)
        are = are_updates_racing(older, newer) && !are_choices(older, newer);
    if (are)
        ork_racing_mark(o, older, newer);
}

/* ---- locks, and shared file pointers ---- */

/* NULL: out of memory. */
static struct resource *resource_of(struct ork_onesided *o, const struct ork_comm *comm,
                                    uint32_t target)
{
    struct resource *r = ork_table_use(&o->racing->resources, comm->context, target, sizeof(*r));

    o->failed |= r == NULL;
    return r;
}

static bool are_racing(const struct ork_onesided *o, const struct use *older,
                       struct ork_stamp start, const struct use *newer)
{
    if (older->by.rank == newer->by.rank || (older->is_shared && newer->is_shared) ||
        (older->is_choice && newer->is_choice))
        return false;
    return older->end == 0 || ork_events_component(o->events, start, older->by.rank) < older->end;
}

static struct use *latest_of(struct ork_onesided *o, struct resource *r, const struct use *use)
{
    for (uint32_t i = 0; i < r->uses; i++) {
        if (is_same_call(&r->use[i].by, &use->by) && r->use[i].is_shared == use->is_shared &&
            r->use[i].is_choice == use->is_choice)
            return &r->use[i];
    }
    if (!ork_vec_reserve(&r->use, &r->room, r->uses + 1, sizeof(*r->use))) {
        o->failed = true;
        return NULL;
    }
    return &r->use[r->uses++];
}

static void add_use(struct ork_onesided *o, struct resource *r, const struct use *use)
{
    struct ork_stamp start = ork_events_take(o->events, use->by.rank);

    o->racing->has_uncounted |= !use->is_choice;
    for (uint32_t i = 0; i < r->uses; i++) {
        if (are_racing(o, &r->use[i], start, use)) {
            mark(o, &r->use[i].by);
            mark(o, &use->by);
        }
    }
    ork_events_release(start);
    struct use *latest = latest_of(o, r, use);
    if (latest != NULL)
        *latest = *use;
}

/* What the rank does with it is over with this component. */
static void end_uses(struct resource *r, uint32_t rank, uint32_t end)
{
    for (uint32_t i = 0; i < r->uses; i++) {
        if (r->use[i].by.rank == rank && r->use[i].end == 0)
            r->use[i].end = end;
    }
}

static struct ork_racing_call call_of(uint32_t rank, const struct ork_record *record)
{
    return (struct ork_racing_call){.rank = rank, .site = record->site, .call = record->call};
}

void ork_racing_use_file(struct ork_onesided *o, const struct ork_comm *file, uint32_t rank,
                         const struct ork_record *record)
{
    struct resource *r = o->racing == NULL ? NULL : resource_of(o, file, 0);

    if (r == NULL)
        return;
    const struct use use = {.by = call_of(rank, record)};
    add_use(o, r, &use);
    end_uses(r, rank, ork_events_tick(o->events, rank));
}

/* RATIONALE: MPI_Win_lock_all that is a choice conflicts with single locks only, which are then
 * choices, too. */
void ork_racing_lock(struct ork_onesided *o, const struct ork_comm *window, uint32_t rank,
                     uint32_t member, const struct ork_record *record)
{
    bool is_all = member == EPOCH_ALL_TARGETS, is_choice = record->arg == ORK_LOCK_IS_CHOICE;
    uint32_t first = is_all ? 0 : member, count = is_all ? window->group->size : 1;
    const struct use use = {
        .by = call_of(rank, record), .is_shared = record->mode != 1, .is_choice = is_choice};

    if (o->racing == NULL || record->arg == ORK_LOCK_IS_UNCHECKED || (is_all && is_choice))
        return;
    for (uint32_t i = first; i < first + count; i++) {
        struct resource *r = resource_of(o, window, i);
        if (r != NULL)
            add_use(o, r, &use);
    }
}

void ork_racing_unlock(struct ork_onesided *o, const struct ork_comm *window, uint32_t rank,
                       uint32_t member)
{
    bool is_all = member == EPOCH_ALL_TARGETS;
    uint32_t first = is_all ? 0 : member, count = is_all ? window->group->size : 1;

    if (o->racing == NULL)
        return;
    uint32_t end = ork_events_tick(o->events, rank);
    o->failed |= end == 0;
    for (uint32_t i = first; i < first + count; i++) {
        struct resource *r = resource_of(o, window, i);
        if (r != NULL)
            end_uses(r, rank, end);
    }
}

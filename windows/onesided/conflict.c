/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of accesses that no rule allows: candidates, until it is known that data has not ordered
 * them; then conflicts. */
#include "common/hash.h"
#include "windows/onesided/internal.h"

#include <stdlib.h>

enum {
    CONFLICTS_MAX = 1 << 14, /* pairs of calls */
    EXCUSED_MAX = 64,        /* after so many allowed examples, a pair is not examined further */
};

/* ---- pairs of calls ---- */

static struct key key_of(const struct access *a, const struct access *b,
                         enum ork_conflict_kind kind)
{
    return (struct key){.rank = {a->seen.rank, b->seen.rank},
                        .site = {a->seen.site, b->seen.site},
                        .touch = {a->seen.touch, b->seen.touch},
                        .target = a->target,
                        .kind = kind};
}

static bool is_same_key(const struct key *x, const struct key *y)
{
    return memcmp(x, y, sizeof(*x)) == 0;
}

static uint64_t hash_of(const struct key *k)
{
    uint64_t hash = (uint64_t)k->target << 3 | k->kind;

    for (unsigned i = 0; i < 2; i++) {
        hash = ork_hash_add(hash, (uint64_t)k->rank[i] << 32 | k->site[i]);
        hash = ork_hash_add(hash, k->touch[i]);
    }
    return hash;
}

static struct conflict *find_exactly(const struct ork_onesided *o, const struct key *key)
{
    const uint64_t hash = hash_of(key);

    for (uint32_t probe = 0, i; (i = ork_hash_map_next(&o->conflict_of, hash, &probe)) != 0;) {
        if (is_same_key(&o->conflict[i - 1]->key, key))
            return o->conflict[i - 1];
    }
    return NULL;
}

static struct conflict *find(const struct ork_onesided *o, const struct key *key)
{
    struct key turned = {.rank = {key->rank[1], key->rank[0]},
                         .site = {key->site[1], key->site[0]},
                         .touch = {key->touch[1], key->touch[0]},
                         .target = key->target,
                         .kind = key->kind};
    struct conflict *c = find_exactly(o, key);

    return c != NULL ? c : find_exactly(o, &turned);
}

/* NULL: there are too many, or out of memory. */
static struct conflict *get(struct ork_onesided *o, const struct access *a, const struct access *b,
                            enum ork_conflict_kind kind)
{
    struct key key = key_of(a, b, kind);
    struct conflict *c = find(o, &key);

    if (c != NULL)
        return c;
    if (o->conflicts == CONFLICTS_MAX) {
        o->has_overflowed = true;
        return NULL;
    }
    c = calloc(1, sizeof(*c));
    if (c == NULL ||
        !ork_vec_reserve(&o->conflict, &o->conflict_room, o->conflicts + 1,
                         sizeof(struct conflict *)) ||
        !ork_hash_map_add(&o->conflict_of, hash_of(&key), o->conflicts + 1)) {
        free(c);
        o->failed = true;
        return NULL;
    }
    ORK_ASSERT(a->target == b->target); /* both touch its memory */
    c->key = key;
    c->found.kind = kind;
    o->conflict[o->conflicts++] = c;
    return c;
}

static struct likeness likeness_of(const struct candidate *c)
{
    const struct access *access[] = {c->first, c->second};
    struct likeness l;

    for (unsigned i = 0; i < 2; i++) {
        const struct access *a = access[i];
        const uint64_t value[LIKENESS_VALUES] = {
            a->low,     a->high,      a->seen.epoch, a->seen.is_exclusive,
            a->seen.op, a->seen.type, a->seen.call};
        memcpy(&l.value[i * LIKENESS_VALUES], value, sizeof(value));
    }
    return l;
}

static bool is_less(const struct likeness *x, const struct likeness *y)
{
    for (unsigned i = 0; i < 2 * LIKENESS_VALUES; i++) {
        if (x->value[i] != y->value[i])
            return x->value[i] < y->value[i];
    }
    return false;
}

static bool comes_before(const struct candidate *x, const struct candidate *y)
{
    struct likeness a = likeness_of(x), b = likeness_of(y);

    return is_less(&a, &b);
}

/* The access of the lower rank is the first one; of one rank, that of the earlier call. */
static struct candidate pair_of(struct access *a, struct access *b)
{
    bool is_in_order =
        a->seen.rank != b->seen.rank ? a->seen.rank < b->seen.rank : a->op_id < b->op_id;

    return is_in_order ? (struct candidate){a, b} : (struct candidate){b, a};
}

static void release(struct ork_onesided *o, const struct candidate *c)
{
    ork_access_unref(o, c->first);
    ork_access_unref(o, c->second);
}

static void drop_last(struct ork_onesided *o, struct conflict *c)
{
    ORK_ASSERT(c->num_pending > 0 && o->candidates >= c->num_pending);
    release(o, &c->pending[--c->num_pending]);
    o->candidates--;
}

static void add_candidate(struct ork_onesided *o, struct access *older, struct access *newer,
                          enum ork_conflict_kind kind)
{
    struct conflict *c = get(o, older, newer, kind);
    struct candidate pair = pair_of(older, newer);
    struct likeness likeness = likeness_of(&pair);

    if (c == NULL)
        return;
    c->found.times += c->found.times > 0;
    if (c->found.times > 0 ? !is_less(&likeness, &c->example) : c->excused == EXCUSED_MAX)
        return;
    if (c->num_pending == PENDING_MAX) {
        if (!comes_before(&pair, &c->pending[PENDING_MAX - 1]))
            return;
        drop_last(o, c);
    }
    uint32_t at = c->num_pending++;
    ORK_ASSERT(c->num_pending <= PENDING_MAX);
    for (; at > 0 && comes_before(&pair, &c->pending[at - 1]); at--)
        c->pending[at] = c->pending[at - 1];
    c->pending[at] = pair;
    pair.first->refs++;
    pair.second->refs++;
    o->candidates++;
}

/* Is the pair allowed only because a load may wait, and it does not? RATIONALE: to ask takes long.
 */
static bool has_no_wait(const struct ork_onesided *o, const struct access *older,
                        const struct access *newer)
{
    const struct access *load = o->may_wait != NULL ? ork_rules_waiting(older, newer) : NULL;

    return load != NULL && !ork_access_is_complete_before(o, older, newer) &&
           !ork_load_may_wait(o, load->seen.rank, load->seen.site, ork_access_is_element(load));
}

/* RATIONALE: in the index, a store of the separate memory model has all bytes of the window. */
void ork_conflict_check(struct ork_onesided *o, struct access *older, struct access *newer)
{
    bool is_separate = older->is_separate || newer->is_separate;
    bool excludes =
        older->seen.rank != newer->seen.rank && ork_lockset_excludes(older->locks, newer->locks);

    if (excludes)
        return;
    ork_racing_check(o, older, newer);
    enum ork_conflict_kind kind = ork_rules_judge(older, newer);
    if (kind == ORK_CONFLICT_NONE && !is_separate && has_no_wait(o, older, newer))
        kind = ORK_CONFLICT_UNORDERED;
    if (kind != ORK_CONFLICT_NONE && !ork_access_is_complete_before(o, older, newer) &&
        (!is_separate || ork_access_overlaps(older, newer)))
        add_candidate(o, older, newer, kind);
    else if (is_separate && !ork_separate_allows(o, older, newer))
        add_candidate(o, older, newer,
                      ork_access_is_complete_before(o, older, newer) ? ORK_CONFLICT_UNSYNCED
                                                                     : ORK_CONFLICT_SEPARATE);
}

/* ---- decisions ---- */

static struct ork_touched describe(const struct access *a)
{
    struct ork_touched seen = a->seen;
    uint32_t member = ork_window_member(a->window, a->target);

    seen.is_read = ork_access_reads(a);
    /* memory of the rank itself: its place in the window of the call, if it is there */
    if (a->seen.is_address && member != UINT32_MAX && a->window->place[member].is_known &&
        !a->window->place[member].is_dynamic) {
        uint64_t base = a->window->place[member].base;
        seen.is_address = a->low < base || a->high > base + a->window->place[member].size;
        if (!seen.is_address) {
            seen.low = (int64_t)(a->low - base);
            seen.high = (int64_t)(a->high - base);
        }
    }
    return seen;
}

/* Had the rank of `a` told that of `b` something after its call? */
static bool is_known_to(const struct ork_onesided *o, const struct access *a,
                        const struct access *b)
{
    return a->seen.rank != b->seen.rank &&
           ork_events_component(o->events, b->start, a->seen.rank) > a->issued;
}

/* Is it one of the separate memory model only? */
static bool is_of_separate(const struct conflict *c)
{
    return c->found.kind == ORK_CONFLICT_SEPARATE || c->found.kind == ORK_CONFLICT_UNSYNCED;
}

static void confirm(struct ork_onesided *o, struct conflict *c, const struct candidate *pair)
{
    const struct access *a = pair->first, *b = pair->second;
    struct likeness likeness = likeness_of(pair);

    ORK_ASSERT(a->target == b->target && a->target == c->key.target);
    if (!is_of_separate(c))
        ork_racing_mark(o, a, b);
    if (c->found.times > 0 && !is_less(&likeness, &c->example))
        return;
    c->found.times += c->found.times == 0;
    c->example = likeness;
    c->found.first = describe(a);
    c->found.second = describe(b);
    c->found.first.is_known = is_known_to(o, a, b);
    c->found.second.is_known = is_known_to(o, b, a);
    c->found.is_second_earlier =
        c->found.kind == ORK_CONFLICT_UNSYNCED && ork_access_is_complete_before(o, b, a);
    c->found.has_flags =
        c->found.kind == ORK_CONFLICT_SEPARATE && ork_spin_waits_may_order(o, a, b, false);
    c->found.target = a->target;
    c->found.window = b->window->member[b->member].number;
    const struct access *judged = a->is_separate ? a : b;
    c->found.is_portable = judged->window->place[judged->member].is_portable;
}

/* In a passive epoch, a rank may wait until an element shows that another one updates, and then
 * store there (MPI-3.1 section 11.7). Did it load the element when the update can have shown, at a
 * place that may wait? */
static bool may_have_waited(const struct ork_onesided *o, const struct access *store,
                            const struct access *update)
{
    uint32_t rank = store->seen.rank;

    if (!ork_access_is_plain(store) || store->is_message || update->seen.rank == rank ||
        !ork_access_is_passive(update) || !ork_access_is_element(update))
        return false;
    uint32_t known = ork_events_component(o->events, update->start, rank);
    for (uint32_t i = 0; i < store->looks; i++) {
        const struct look_before *l = &store->look[i];
        if (known < l->end && ork_load_may_wait(o, rank, l->site, l->is_element))
            return true;
    }
    return known < store->other_looks;
}

/* Will no event that is still to be followed lie between them? */
static bool is_known(const struct access *a, const uint32_t *known)
{
    return a->end != 0 && a->end <= known[a->seen.rank];
}

static void decide(struct ork_onesided *o, struct conflict *c, const uint32_t *known)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < c->num_pending; i++) {
        struct candidate *x = &c->pending[i];
        if (known != NULL && !(is_known(x->first, known) && is_known(x->second, known))) {
            c->pending[left++] = *x;
            continue;
        }
        bool is_separate = is_of_separate(c);
        bool has_waited = !is_separate && (may_have_waited(o, x->first, x->second) ||
                                           may_have_waited(o, x->second, x->first));
        if (has_waited || ork_spin_waits_may_order(o, x->first, x->second, is_separate))
            c->excused++;
        else
            confirm(o, c, x);
        ORK_ASSERT(o->candidates > 0);
        release(o, x);
        o->candidates--;
    }
    c->num_pending = left;
}

void ork_conflict_decide(struct ork_onesided *o, const uint32_t *known)
{
    for (uint32_t r = 0; o->candidates > 0 && r < o->nprocs; r++)
        ork_spin_waits_note_state(o, r);
    for (uint32_t i = 0; o->candidates > 0 && i < o->conflicts; i++)
        decide(o, o->conflict[i], known);
}

void ork_conflict_destroy(struct ork_onesided *o)
{
    for (uint32_t i = 0; i < o->conflicts; i++) {
        struct conflict *c = o->conflict[i];
        while (c->num_pending > 0)
            drop_last(o, c);
        free(c);
    }
    free(o->conflict);
    ork_hash_map_release(&o->conflict_of);
}

/* RATIONALE: of two calls that conflict in both models, some accesses may do so in the separate one
 * only; which of them are compared depends on the order in which they come. */
bool ork_conflict_is_told(const struct ork_onesided *o, const struct conflict *c)
{
    struct key key = c->key;

    if (c->found.times == 0)
        return false;
    for (key.kind = ORK_CONFLICT_UNORDERED; key.kind < (uint32_t)c->found.kind; key.kind++) {
        const struct conflict *graver = find(o, &key);
        if (graver != NULL && graver->found.times > 0)
            return false;
    }
    return true;
}

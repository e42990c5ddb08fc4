/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/diff.h"

#include "common/hash.h"
#include "common/vec.h"
#include "mustview/diff_places.h"
#include "report/ranks.h"

#include <stdlib.h>
#include <string.h>

/* ---- matching the findings ---- */

enum { BY_ALL, BY_PLACES_AND_RANKS, BY_PLACES, BY_RANKS, BY_FUNCTIONS, NUM_KEYS };

/* 0: it has no such property. */
struct keys {
    uint64_t key[NUM_KEYS];
};

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Hash of a set; sorts the values; 0 for the empty set. */
static uint64_t hash_set(uint64_t *value, size_t count)
{
    uint64_t h = 0;

    qsort(value, count, sizeof(*value), compare_u64);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || value[i] != value[i - 1])
            h = ork_hash_add(h, value[i]);
    return h;
}

static uint64_t hash_function(const struct ork_rank_row *wait)
{
    const char *place = wait->where.function != NULL ? wait->where.function : wait->where.file;

    return ork_hash_text(ork_hash_text(9, wait->call), place);
}

static bool make_keys(const struct ork_places *places, struct keys *keys)
{
    const struct ork_finding *f = places->finding;
    size_t room = (size_t)places->count + f->num_waits + 1;
    uint64_t *value = malloc(room * sizeof(*value));
    uint64_t h = ork_hash_text(10, f->id);

    if (value == NULL)
        return false;
    for (uint32_t i = 0; i < places->count; i++)
        value[i] = ork_hash_add(11, places->item[i].rank);
    uint64_t ranks = hash_set(value, places->count);
    for (uint32_t i = 0; i < f->num_waits; i++)
        value[i] = ork_place_hash(12, &f->waits[i]);
    uint64_t where = hash_set(value, f->num_waits);
    for (uint32_t i = 0; i < f->num_waits; i++)
        value[i] = hash_function(&f->waits[i]);
    uint64_t functions = hash_set(value, f->num_waits);
    for (uint32_t i = 0; i < f->num_waits; i++)
        value[i] = ork_place_hash(f->waits[i].rank, &f->waits[i]);
    uint64_t all = ork_hash_add(hash_set(value, f->num_waits), ranks);
    all = ork_hash_add(all, ((uint64_t)f->class_ << 8) + f->severity);
    free(value);
    keys->key[BY_ALL] = ork_hash_add(h, ork_hash_text(all, f->message));
    keys->key[BY_PLACES_AND_RANKS] = where != 0 ? ork_hash_add(h, ork_hash_add(where, ranks)) : 0;
    keys->key[BY_PLACES] = where != 0 ? ork_hash_add(h, where) : 0;
    keys->key[BY_RANKS] = ranks != 0 ? ork_hash_add(h, ranks) : 0;
    keys->key[BY_FUNCTIONS] = functions != 0 ? ork_hash_add(h, functions) : 0;
    return true;
}

/* pair[a], for each finding of the second report: its match in the first, ORK_DIFF_NONE at
 * first. */
static void pair_by(unsigned by, const struct keys *before, uint32_t num_before,
                    const struct keys *after, uint32_t num_after, bool *taken, uint32_t *pair)
{
    for (uint32_t a = 0; a < num_after; a++) {
        if (pair[a] != ORK_DIFF_NONE || after[a].key[by] == 0)
            continue;
        for (uint32_t b = 0; b < num_before; b++) {
            if (taken[b] || before[b].key[by] != after[a].key[by])
                continue;
            taken[b] = true;
            pair[a] = b;
            break;
        }
    }
}

/* ---- changes within a finding ---- */

static struct ork_diff_move *find_move(struct ork_diff_finding *f, const char *before,
                                       const char *after)
{
    for (uint32_t i = 0; i < f->num_moves; i++)
        if (ork_place_equal(f->move[i].before, before) && ork_place_equal(f->move[i].after, after))
            return &f->move[i];
    return NULL;
}

static struct ork_diff_move *add_move(struct ork_diff_finding *f, const char *before,
                                      const char *after)
{
    size_t n = f->num_moves;

    if (!ork_vec_extend(&f->move, n, n + 1, sizeof(*f->move)))
        return NULL;
    struct ork_diff_move *move = &f->move[f->num_moves++];
    *move = (struct ork_diff_move){.before = before != NULL ? strdup(before) : NULL,
                                   .after = after != NULL ? strdup(after) : NULL};
    bool copied =
        (before == NULL || move->before != NULL) && (after == NULL || move->after != NULL);
    return copied ? move : NULL;
}

static enum ork_status note_move(struct ork_diff_finding *f, uint32_t rank, const char *before,
                                 const char *after)
{
    struct ork_diff_move *move = find_move(f, before, after);

    if (move == NULL)
        move = add_move(f, before, after);
    if (move == NULL)
        return ORK_NOMEM;
    size_t n = move->ranks.count;
    if (!ork_vec_extend(&move->ranks.item, n, n + 1, sizeof(*move->ranks.item)))
        return ORK_NOMEM;
    move->ranks.item[move->ranks.count++] = rank;
    return ORK_OK;
}

/* Both lists are in the order of ranks. */
static enum ork_status compare_places(struct ork_diff_finding *f, const struct ork_places *before,
                                      const struct ork_places *after)
{
    enum ork_status status = ORK_OK;
    uint32_t b = 0;
    uint32_t a = 0;

    while (status == ORK_OK && (b < before->count || a < after->count)) {
        const struct ork_place *old = b < before->count ? &before->item[b] : NULL;
        const struct ork_place *new = a < after->count ? &after->item[a] : NULL;
        if (new == NULL || (old != NULL && old->rank < new->rank)) {
            status = note_move(f, old->rank, old->words, NULL);
            b++;
        } else if (old == NULL || new->rank < old->rank) {
            status = note_move(f, new->rank, NULL, new->words);
            a++;
        } else {
            if (!ork_place_equal(old->words, new->words))
                status = note_move(f, old->rank, old->words, new->words);
            b++;
            a++;
        }
    }
    return status;
}

static enum ork_status compare_findings(struct ork_diff_finding *f, const struct ork_places *before,
                                        const struct ork_places *after)
{
    const struct ork_finding *old = before->finding;
    const struct ork_finding *new = after->finding;

    f->class_ = old->class_ != new->class_;
    f->severity = old->severity != new->severity;
    f->message = !ork_place_equal(old->message, new->message);
    return compare_places(f, before, after);
}

/* ---- the whole difference ---- */

struct side {
    const struct ork_report *report;
    struct ork_places *places; /* per finding */
    struct keys *keys;         /* per finding */
};

static void side_release(struct side *side)
{
    for (uint32_t i = 0; side->places != NULL && i < side->report->num_findings; i++)
        ork_places_release(&side->places[i]);
    free(side->places);
    free(side->keys);
}

static enum ork_status side_init(struct side *side)
{
    size_t room = (size_t)side->report->num_findings + 1;

    side->places = calloc(room, sizeof(*side->places));
    side->keys = calloc(room, sizeof(*side->keys));
    if (side->places == NULL || side->keys == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < side->report->num_findings; i++)
        if (ork_places_init(&side->places[i], &side->report->finding[i]) != ORK_OK ||
            !make_keys(&side->places[i], &side->keys[i]))
            return ORK_NOMEM;
    return ORK_OK;
}

static enum ork_status fill(struct ork_diff *diff, const struct side *before,
                            const struct side *after, bool *taken, uint32_t *pair)
{
    for (uint32_t a = 0; a < after->report->num_findings; a++)
        pair[a] = ORK_DIFF_NONE;
    for (unsigned by = 0; by < NUM_KEYS; by++)
        pair_by(by, before->keys, before->report->num_findings, after->keys,
                after->report->num_findings, taken, pair);
    for (uint32_t a = 0; a < after->report->num_findings; a++) {
        struct ork_diff_finding *f = &diff->finding[diff->num_findings++];
        *f = (struct ork_diff_finding){.before = pair[a], .after = a};
        if (pair[a] == ORK_DIFF_NONE)
            continue;
        enum ork_status status = compare_findings(f, &before->places[pair[a]], &after->places[a]);
        if (status != ORK_OK)
            return status;
    }
    for (uint32_t b = 0; b < before->report->num_findings; b++)
        if (!taken[b])
            diff->finding[diff->num_findings++] =
                (struct ork_diff_finding){.before = b, .after = ORK_DIFF_NONE};
    return ORK_OK;
}

enum ork_status ork_diff_init(struct ork_diff *diff, const struct ork_report *before,
                              const struct ork_report *after)
{
    struct side old = {.report = before};
    struct side new = {.report = after};
    size_t room = (size_t)before->num_findings + after->num_findings + 1;
    bool *taken = calloc(room, sizeof(*taken));
    uint32_t *pair = malloc(room * sizeof(*pair));

    *diff = (struct ork_diff){
        .before = before, .after = after, .finding = calloc(room, sizeof(*diff->finding))};
    enum ork_status status = ORK_NOMEM;
    if (taken != NULL && pair != NULL && diff->finding != NULL && side_init(&old) == ORK_OK &&
        side_init(&new) == ORK_OK)
        status = fill(diff, &old, &new, taken, pair);
    side_release(&old);
    side_release(&new);
    free(taken);
    free(pair);
    if (status != ORK_OK)
        ork_diff_release(diff);
    return status;
}

void ork_diff_release(struct ork_diff *diff)
{
    for (uint32_t i = 0; i < diff->num_findings; i++) {
        struct ork_diff_finding *f = &diff->finding[i];
        for (uint32_t m = 0; m < f->num_moves; m++) {
            free(f->move[m].ranks.item);
            free(f->move[m].before);
            free(f->move[m].after);
        }
        free(f->move);
    }
    free(diff->finding);
    memset(diff, 0, sizeof(*diff));
}

bool ork_diff_is_changed(const struct ork_diff_finding *finding)
{
    return finding->class_ || finding->severity || finding->message || finding->num_moves > 0;
}

bool ork_diff_is_equal(const struct ork_diff *diff)
{
    for (uint32_t i = 0; i < diff->num_findings; i++) {
        const struct ork_diff_finding *f = &diff->finding[i];
        if (f->before == ORK_DIFF_NONE || f->after == ORK_DIFF_NONE || ork_diff_is_changed(f))
            return false;
    }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/fold/steps.h"

#include "common/assert.h"
#include "common/hash.h"
#include "common/vec.h"
#include "detector/detector.h"

#include <stdlib.h>
#include <string.h>

void ork_steps_release(struct steps *s)
{
    free(s->record);
    free(s->step);
    ork_hash_map_release(&s->by_hash);
    ork_hash_map_release(&s->exits);
    *s = (struct steps){0};
}

static void begin(struct steps *s)
{
    s->num_open = s->head = s->conts = 0;
}

void ork_steps_cut(struct steps *s)
{
    s->is_cut |= s->num_open > 0;
    begin(s);
}

static bool is_call(const struct ork_record *record)
{
    return record->kind != ORK_KIND_EXIT && record->kind != ORK_KIND_CONT;
}

static uint64_t hash_of(const struct ork_record *record, uint32_t n)
{
    uint64_t hash = n;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t word[sizeof(*record) / sizeof(uint64_t)];
        memcpy(word, &record[i], sizeof(word));
        for (unsigned k = 0; k < sizeof(word) / sizeof(word[0]); k++)
            hash = (hash ^ word[k]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return ork_hash_mix(hash);
}

static bool are_same(const struct ork_record *a, const struct ork_record *b, uint32_t n)
{
    uint32_t i = 0;

    while (i < n && ork_record_is_same(&a[i], &b[i]))
        i++;
    return i == n;
}

/* ---- what a step is ---- */

/* STEP_NONE: there is none. */
static uint32_t find(const struct steps *s, const struct ork_record *record, uint32_t n,
                     uint64_t hash)
{
    uint32_t probe = 0, found;

    while ((found = ork_hash_map_next(&s->by_hash, hash, &probe)) != 0) {
        if (s->step[found - 1].length == n && are_same(ork_step_records(s, found - 1), record, n))
            return found - 1;
    }
    return STEP_NONE;
}

static uint32_t add(struct steps *s, uint64_t hash)
{
    if (s->count == STEPS_MAX ||
        !ork_vec_reserve(&s->step, &s->step_room, s->count + 1, sizeof(*s->step)) ||
        !ork_vec_reserve(&s->record, &s->record_room, s->num_records + s->num_open,
                         sizeof(*s->record)) ||
        !ork_hash_map_add(&s->by_hash, hash, s->count + 1)) {
        s->has_failed = true;
        return STEP_NONE;
    }
    memcpy(s->record + s->num_records, s->open, s->num_open * sizeof(*s->open));
    s->step[s->count] = (struct known_step){
        .first = s->num_records, .length = (uint16_t)s->num_open, .is_rest = !is_call(&s->open[0])};
    for (unsigned i = 0; i < STEP_AFTER; i++)
        s->step[s->count].after[i] = STEP_NONE;
    s->num_records += s->num_open;
    return s->count++;
}

/* It followed the step before. */
static void follow(struct steps *s, uint32_t number)
{
    uint16_t *after = s->step[s->latest].after;
    unsigned i = 0;

    while (i < STEP_AFTER - 1 && after[i] != number)
        i++;
    for (; i > 0; i--)
        after[i] = after[i - 1];
    after[0] = (uint16_t)number;
    s->latest = number;
}

/* Returns its number, or STEP_NONE. */
static uint32_t close(struct steps *s)
{
    const uint64_t hash = hash_of(s->open, s->num_open);
    uint32_t number = find(s, s->open, s->num_open, hash);

    if (number == STEP_NONE)
        number = add(s, hash);
    if (number == STEP_NONE)
        return STEP_NONE;
    if (s->num_open == s->head && ork_hash_map_get(&s->exits, hash) != 0)
        s->step[number].waits = true;
    follow(s, number);
    s->is_cut = false;
    begin(s);
    return number;
}

/* The latest step was only the beginning. */
static void note_exit(struct steps *s)
{
    struct known_step *before = s->count > 0 ? &s->step[s->latest] : NULL;
    bool is_new;

    if (before == NULL || before->is_rest || s->is_cut)
        return;
    before->waits = true;
    s->has_failed |=
        !ork_hash_map_note(&s->exits, hash_of(s->record + before->first, before->length), &is_new);
}

/* ---- records ---- */

/* One of those that came after the latest step before? RATIONALE: most are, and to compare them is
 * faster than to hash. */
static size_t take_known(struct steps *s, const struct ork_record *record, size_t n,
                         uint32_t *number)
{
    const struct known_step *before = &s->step[s->latest];

    for (unsigned i = 0; i < STEP_AFTER && before->after[i] != STEP_NONE; i++) {
        const struct known_step *next = &s->step[before->after[i]];
        if (next->waits || next->length > n ||
            !are_same(s->record + next->first, record, next->length))
            continue;
        *number = before->after[i];
        if (i == 0)
            s->latest = *number;
        else
            follow(s, *number);
        return next->length;
    }
    return 0;
}

/* Does it go on with what is open? Else it begins the next step. */
static bool goes_on(const struct steps *s, const struct ork_record *record)
{
    if (s->conts > 0 || record->kind == ORK_KIND_CONT)
        return true;
    return record->kind == ORK_KIND_EXIT && s->num_open == s->head;
}

static void append(struct steps *s, const struct ork_record *record)
{
    if (s->num_open == 0 && record->kind == ORK_KIND_EXIT)
        note_exit(s);
    bool is_head = s->num_open == 0 || (record->kind == ORK_KIND_CONT && s->num_open == s->head);
    s->open[s->num_open++] = *record;
    s->head += is_head;
    if (record->kind != ORK_KIND_CONT)
        s->conts = ork_record_conts(record->count);
    else if (s->conts > 0)
        s->conts--;
}

/* Is there no room for it, or is it no part of a list that has to go on, or goes on without one? */
static bool is_wrong(const struct steps *s, const struct ork_record *record)
{
    if (record->kind == ORK_KIND_CONT)
        return s->num_open == STEP_RECORDS_MAX || (s->num_open > 0 && s->conts == 0);
    return s->num_open == STEP_RECORDS_MAX || s->conts > 0 || record->count > ORK_LIST_MAX;
}

/* Can nothing more belong to it? */
static bool is_complete(const struct steps *s)
{
    if (s->num_open == 0 || s->conts > 0)
        return false;
    return s->num_open > s->head || !is_call(&s->open[0]) ||
           ork_hash_map_get(&s->exits, hash_of(s->open, s->head)) == 0;
}

size_t ork_steps_take(struct steps *s, const struct ork_record *record, size_t n, uint32_t *number)
{
    size_t i = 0;

    ORK_ASSERT(!s->has_failed);
    if (s->num_open == 0 && s->count > 0 && (i = take_known(s, record, n, number)) > 0)
        return i;
    *number = STEP_NONE;
    while (i < n && !s->has_failed) {
        if (s->num_open > 0 && !goes_on(s, &record[i])) {
            *number = close(s);
            return i;
        }
        if (is_wrong(s, &record[i])) {
            s->has_failed = true;
            return i;
        }
        append(s, &record[i++]);
        if (!s->has_failed && is_complete(s)) {
            *number = close(s);
            return i;
        }
    }
    return i;
}

/* ---- what may be a step ---- */

static bool is_wildcard(int32_t peer, int32_t tag)
{
    return peer == ORK_ANY_SOURCE || tag == ORK_ANY_TAG;
}

/* RATIONALE: while a receive that returns at once and may take any message is pending, it may
 * depend on the order of records of other ranks whether the detector knows what it took. */
static bool may_be_in_step(const struct ork_record *record)
{
    if (!ork_record_may_repeat(record))
        return false;
    switch ((unsigned)record->kind) { /* few of all kinds */
    case ORK_KIND_RECV:
        return (record->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) == 0 ||
               !is_wildcard(record->peer, record->tag);
    case ORK_KIND_START:
    case ORK_KIND_EARLY:
    case ORK_KIND_CONTROL:
        return false;
    default:
        return !ork_record_has(record, ORK_IS_WINDOW);
    }
}

bool ork_step_may_repeat(const struct steps *s, uint32_t number)
{
    const struct ork_record *record = ork_step_records(s, number);

    for (uint32_t i = 0; i < s->step[number].length; i++) {
        if (!may_be_in_step(&record[i]))
            return false;
    }
    return true;
}

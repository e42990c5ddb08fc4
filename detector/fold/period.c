/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/fold/period.h"

#include "common/assert.h"
#include "detector/detector.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE: a loop in which an inner loop has iterations of a few kinds breaks some periods until
 * the anchor is the record that comes once in an iteration. */
enum {
    REACH_FIRST = 32,
    BREAKS = 8,           /* of an attempt */
    FARTHER = 4,          /* times as far after each inner loop */
    REST_FIRST = 1 << 10, /* records; it doubles after so many attempts, so many times */
    PATIENCE = 4,
    REST_DOUBLINGS = 8,
};

void ork_period_release(struct period *p)
{
    free(p->block);
    *p = (struct period){.stage = PERIOD_REST};
}

void ork_period_wait(struct period *p)
{
    p->left = REST_FIRST;
    p->stage = PERIOD_REST;
    p->at = p->length = p->reach = p->breaks = p->least = p->beyond = 0;
}

void ork_period_give_up(struct period *p)
{
    uint32_t doublings = p->failures < PATIENCE ? 0 : p->failures - PATIENCE;

    ork_period_wait(p);
    p->left <<= doublings;
    p->failures += doublings < REST_DOUBLINGS;
}

/* RATIONALE: a block begins with a call, so a list is never in two blocks, and at the end of a
 * block it is known what each wildcard receive took that has returned. */
bool ork_period_may_begin(const struct ork_record *rec)
{
    return rec->kind != ORK_KIND_CONT && rec->kind != ORK_KIND_EXIT &&
           rec->kind != ORK_KIND_EARLY && ork_record_may_repeat(rec);
}

static size_t begin(struct period *p, const struct ork_record *record, size_t n)
{
    size_t i = 0;

    while (i < n && !ork_period_may_begin(&record[i]))
        i++;
    if (i == n)
        return n;
    p->anchor = record[i];
    p->at = 0;
    p->reach = p->reach < REACH_FIRST ? REACH_FIRST : p->reach;
    p->stage = PERIOD_SEEK;
    return i + 1;
}

static bool reserve(struct period *p, uint32_t length)
{
    if (length <= p->cap)
        return true;
    struct ork_record *block = realloc(p->block, length * sizeof(*block));
    if (block == NULL)
        return false;
    p->block = block;
    p->cap = length;
    return true;
}

bool ork_period_set(struct period *p, const struct ork_record *block, uint32_t length)
{
    if (!reserve(p, length))
        return false;
    memcpy(p->block, block, length * sizeof(*block));
    p->length = length;
    p->at = 0;
    p->has_repeated = true;
    p->stage = PERIOD_FOUND;
    return true;
}

/* RATIONALE: the anchor may be from before the loop, and the period longer than the reach, so both
 * change (Brent's algorithm for cycles, BIT 20, 1980). */
static void look_further(struct period *p, uint32_t longest)
{
    if (p->reach > longest) {
        ork_period_give_up(p);
        return;
    }
    p->reach *= 2;
    p->stage = PERIOD_BEGIN;
}

static size_t seek(struct period *p, const struct ork_record *record, size_t n, uint32_t longest)
{
    for (size_t i = 0; i < n; i++) {
        if (p->at++ == p->reach || p->at > longest) {
            look_further(p, longest);
            return i;
        }
        if (p->at < p->least || !ork_record_is_same(&record[i], &p->anchor))
            continue;
        p->length = p->at;
        p->at = 0;
        if (reserve(p, p->length))
            p->stage = PERIOD_LEARN;
        else
            ork_period_give_up(p);
        return i; /* it is the first of the block */
    }
    return n;
}

/* The shortest period of the block that it has as a whole number of times. */
static uint32_t shortest(const struct period *p)
{
    for (uint32_t d = 1; d <= p->length / 2; d++) {
        uint32_t i = d;
        if (p->length % d != 0)
            continue;
        while (i < p->length && ork_record_is_same(&p->block[i], &p->block[i - d]))
            i++;
        if (i == p->length)
            return d;
    }
    return p->length;
}

static size_t learn(struct period *p, const struct ork_record *record, size_t n)
{
    ORK_ASSERT(p->length <= p->cap);
    for (size_t i = 0; i < n; i++) {
        if (!ork_record_may_repeat(&record[i])) {
            ork_period_give_up(p);
            return i;
        }
        p->block[p->at++] = record[i];
        if (p->at < p->length)
            continue;
        p->left = p->length;
        if (p->least > 0)
            p->length = shortest(p);
        p->has_repeated = p->length < p->left;
        p->at = 0;
        p->stage = PERIOD_CHECK;
        if (!ork_wildcards_may_repeat(p->block, p->length, NULL))
            ork_period_give_up(p);
        return i + 1;
    }
    return n;
}

void ork_period_doubt(struct period *p, uint32_t records)
{
    ORK_ASSERT(p->stage == PERIOD_FOUND);
    p->left = p->length > records ? p->length : records;
    p->stage = PERIOD_CHECK;
}

void ork_period_break(struct period *p)
{
    uint32_t reach = p->reach > 2 * p->length ? p->reach : 2 * p->length;

    if (p->breaks == BREAKS) {
        ork_period_give_up(p);
        return;
    }
    p->breaks++;
    p->reach = 2 * reach;
    if (p->has_repeated)
        p->beyond = FARTHER * (p->beyond > p->length ? p->beyond : p->length);
    p->least = p->has_repeated ? p->beyond : 0;
    p->stage = PERIOD_BEGIN;
}

static size_t check(struct period *p, const struct ork_record *record, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!ork_record_is_same(&record[i], &p->block[p->at])) {
            ork_period_break(p);
            return i;
        }
        p->at = p->at + 1 == p->length ? 0 : p->at + 1;
        if (--p->left == 0) {
            p->has_repeated = true;
            p->stage = PERIOD_FOUND;
            return i + 1;
        }
    }
    return n;
}

static size_t rest(struct period *p, size_t n)
{
    size_t taken = n < p->left ? n : p->left;

    p->left -= (uint32_t)taken;
    if (p->left == 0)
        p->stage = PERIOD_BEGIN;
    return taken;
}

size_t ork_period_watch(struct period *p, const struct ork_record *record, size_t n,
                        uint32_t longest)
{
    size_t i = 0;

    while (i < n && p->stage != PERIOD_FOUND) {
        switch (p->stage) {
        case PERIOD_REST:
            i += rest(p, n - i);
            break;
        case PERIOD_BEGIN:
            i += begin(p, record + i, n - i);
            break;
        case PERIOD_SEEK:
            i += seek(p, record + i, n - i, longest);
            break;
        case PERIOD_LEARN:
            i += learn(p, record + i, n - i);
            break;
        case PERIOD_CHECK:
            i += check(p, record + i, n - i);
            break;
        case PERIOD_FOUND:
            break;
        }
    }
    return i;
}

size_t ork_period_match(struct period *p, const struct ork_record *record, size_t n)
{
    size_t i = 0;
    uint32_t at = p->at;

    ORK_ASSERT(p->stage == PERIOD_FOUND && at < p->length);
    while (i < n && ork_record_is_same(&record[i], &p->block[at])) {
        i++;
        at = at + 1 == p->length ? 0 : at + 1;
    }
    p->at = at;
    return i;
}

bool ork_period_repeats(const struct period *p, const struct ork_record *record, size_t n)
{
    size_t i = 0, k = 0;
    uint32_t at = p->at;

    ORK_ASSERT(p->stage == PERIOD_FOUND && at < p->length);
    while (i < n + p->length && ork_record_is_same(&record[k], &p->block[at])) {
        i++;
        k = k + 1 == n ? 0 : k + 1;
        at = at + 1 == p->length ? 0 : at + 1;
    }
    return i == n + p->length;
}

void ork_period_skip(struct period *p, uint64_t n)
{
    ORK_ASSERT(p->stage == PERIOD_FOUND);
    uint64_t at = p->at + n;

    p->at = (uint32_t)(at < p->length ? at : at % p->length);
}

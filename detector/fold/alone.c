/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions of one rank. RATIONALE: a loop of one-sided communication needs nothing of the other
 * ranks, which may be far behind, or somewhere else. If one repetition of this rank alone leads
 * from a state to an equal one, so does each further one. */
#include "detector/fold/internal.h"

#include <stdlib.h>
#include <string.h>

/* After fewer records that were fed there is no try: to write two states takes longer. */
enum { WORTH_RECORDS = 64, WORTH_OF_RANK = 4, WORDS_OF_RECORD = 4, PAUSE_MAX = 1 << 10, TRIES = 3 };
/* In words of memory. */
enum { KNOWN_MAX = 1 << 22 };

static enum ork_status feed_all(struct ork_fold *f, uint32_t r, const struct ork_record *record,
                                size_t n, uint64_t times)
{
    enum ork_status status = ORK_OK;

    for (; times > 0 && status == ORK_OK; times--)
        status = ork_fold_feed(f, r, record, n);
    return status;
}

static bool is_of_all(const struct ork_record *record)
{
    return record->kind == ORK_KIND_COLL && record->comm != ORK_COMM_SELF;
}

/* RATIONALE: the history for alternative matches lacks the repetitions. What they do without other
 * ranks changes no match, unless they might take a message of another rank. */
static bool is_choice(const struct ork_record *record)
{
    int32_t source = record->kind == ORK_KIND_SENDRECV ? record->peer2 : record->peer;

    return record->kind == ORK_KIND_START ||
           (record->kind != ORK_KIND_CONT && ork_record_is_call(record) &&
            ork_record_has(record, ORK_HAS_COMM) && source == ORK_ANY_SOURCE);
}

static bool may_repeat(const struct ork_record *record, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!ork_record_may_repeat(&record[i]) || is_of_all(&record[i]) || is_choice(&record[i]))
            return false;
    }
    return ork_wildcards_may_repeat(record, (uint32_t)n, NULL);
}

static bool may_fold(const struct ork_fold *f)
{
    return ork_detector_may_repeat(f->d) &&
           (f->sink.may_fold == NULL || f->sink.may_fold(f->sink.context));
}

/* RATIONALE: if the records come in small portions, all of them together are worth a try. */
static bool is_worth_a_try(struct ork_fold *f, struct rank *rank, const struct ork_record *record,
                           size_t n, uint64_t times)
{
    uint64_t least = WORTH_RECORDS + (uint64_t)WORTH_OF_RANK * f->nprocs;

    rank->untried += times * n;
    if (times <= TRIES + 1 || rank->untried < least + f->words / WORDS_OF_RECORD)
        return false;
    rank->untried = 0;
    if (rank->pause > 0) {
        rank->pause--;
        return false;
    }
    return may_repeat(record, n) && may_fold(f);
}

/* ---- what is known ---- */

void ork_fold_forget_alone(struct ork_fold *f, struct rank *rank)
{
    struct alone *a = rank->alone;

    if (a == NULL)
        return;
    f->alone_words -= a->words;
    ork_detector_release_state(&a->before);
    ork_detector_release_state(&a->after);
    free(a->block);
    free(a);
    rank->alone = NULL;
}

/* The counts of a state that was written. */
static void move_counts(struct ork_detector_state *from, struct ork_detector_state *to)
{
    *to = *from;
    to->words = (struct ork_words){0};
    *from = (struct ork_detector_state){.words = from->words};
}

/* The repetition led from state[0] to state[1], which are equal. RATIONALE: if the next records of
 * this rank, and of others that are alone, come in small portions, no state is written again. */
static void remember(struct ork_fold *f, struct rank *rank, const struct ork_record *record,
                     size_t n)
{
    struct ork_detector_state *before = &f->state[0].detector, *after = &f->state[1].detector;
    const uint64_t words = n * sizeof(*record) / sizeof(uint32_t) +
                           2 * ((size_t)before->num_calls + before->num_lock_numbers);

    ork_fold_forget_alone(f, rank);
    if (f->alone_words + words > KNOWN_MAX)
        return;
    struct alone *a = calloc(1, sizeof(*a));
    struct ork_record *block = malloc(n * sizeof(*block));
    if (a == NULL || block == NULL) {
        free(a);
        free(block);
        return;
    }
    memcpy(block, record, n * sizeof(*block));
    *a = (struct alone){.block = block, .length = n, .fed = f->fed, .words = words};
    move_counts(before, &a->before);
    move_counts(after, &a->after);
    f->alone_words += words;
    rank->alone = a;
}

/* Does it lead from the present state to an equal one? */
static bool is_known(const struct ork_fold *f, const struct rank *rank,
                     const struct ork_record *record, size_t n)
{
    const struct alone *a = rank->alone;
    size_t i = 0;

    if (a == NULL || a->fed != f->fed || a->length != n)
        return false;
    while (i < n && ork_record_is_same(&record[i], &a->block[i]))
        i++;
    return i == n && may_fold(f);
}

/* It tried in vain: later and later again. */
static void pause(struct rank *rank)
{
    rank->next_pause = rank->next_pause < PAUSE_MAX ? 2 * rank->next_pause + 1 : PAUSE_MAX;
    rank->pause = rank->next_pause;
}

static void swap_states(struct ork_fold *f)
{
    const struct folded_state older = f->state[0];

    f->state[0] = f->state[1];
    f->state[1] = older;
}

/* Feed repetitions until one leads to an equal state. RATIONALE: the first ones may be the first
 * calls of their kind. *times: how many are left; *is_equal: their states will be equal, too. */
static enum ork_status find_equal(struct ork_fold *f, uint32_t r, const struct ork_record *record,
                                  size_t n, uint64_t *times, bool *is_equal)
{
    enum ork_status status = ORK_OK;
    bool has_state = ork_fold_write_state(f, &f->state[0]);
    uint64_t fed = f->fed; /* in state[0] */

    *is_equal = false;
    for (unsigned i = 0; i <= TRIES && status == ORK_OK && has_state && !*is_equal; i++) {
        if (i > 0)
            swap_states(f);
        fed = f->fed;
        status = ork_fold_feed(f, r, record, n);
        --*times;
        has_state = status == ORK_OK && ork_fold_write_state(f, &f->state[1]);
        *is_equal = has_state && ork_fold_is_same(&f->state[0], &f->state[1]);
    }
    *is_equal = *is_equal && ork_fold_starts_may_repeat(f, r, record, n);
    if (*is_equal)
        f->fed = fed; /* so what is known of other ranks stays known */
    return status;
}

enum ork_status ork_fold_feed_times(struct ork_fold *f, uint32_t r, const struct ork_record *record,
                                    size_t n, uint64_t times)
{
    struct rank *rank = &f->rank[r];
    bool is_equal;

    if (is_known(f, rank, record, n)) {
        ork_detector_repeat(f->d, &rank->alone->before, &rank->alone->after, times);
        f->counts.records += times * n;
        return ORK_OK;
    }
    if (!is_worth_a_try(f, rank, record, n, times))
        return feed_all(f, r, record, n, times);
    ORK_ASSERT(!f->has_state);
    enum ork_status status = find_equal(f, r, record, n, &times, &is_equal);
    if (!is_equal) {
        pause(rank);
        return status == ORK_OK ? feed_all(f, r, record, n, times) : status;
    }
    ork_detector_repeat(f->d, &f->state[0].detector, &f->state[1].detector, times);
    f->counts.records += times * n;
    rank->next_pause = 0;
    remember(f, rank, record, n);
    return ORK_OK;
}

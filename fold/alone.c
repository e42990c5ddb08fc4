/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions of one rank. RATIONALE: a loop of one-sided communication needs nothing of the other
 * ranks, which may be far behind, or somewhere else. If one repetition of this rank alone leads
 * from a state to an equal one, so does each further one. */
#include "fold/internal.h"

/* Fewer records are fed at once: to write two states takes longer. */
enum { WORTH_RECORDS = 64, WORTH_OF_RANK = 4, WORDS_OF_RECORD = 4, PAUSE_MAX = 1 << 10, TRIES = 3 };
/* Each time when a try is not worth it, so much less is expected of the state: it may be shorter
 * than when it was written last. */
enum { LESS = 8 };

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

static bool may_repeat(const struct ork_record *record, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!ork_record_may_repeat(&record[i]) || is_of_all(&record[i]))
            return false;
    }
    return ork_wildcards_may_repeat(record, (uint32_t)n, NULL);
}

static bool is_worth_a_try(struct ork_fold *f, struct rank *rank, const struct ork_record *record,
                           size_t n, uint64_t times)
{
    uint64_t least = WORTH_RECORDS + (uint64_t)WORTH_OF_RANK * f->nprocs;

    if (times * n < least || times <= TRIES + 1)
        return false;
    if (times * n < least + f->words / WORDS_OF_RECORD) {
        f->words -= f->words / LESS;
        return false;
    }
    if (rank->pause > 0) {
        rank->pause--;
        return false;
    }
    return may_repeat(record, n) && ork_detector_may_repeat(f->d) &&
           (f->sink.may_fold == NULL || f->sink.may_fold(f->sink.context));
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
    enum ork_status status = ork_fold_feed(f, r, record, n);
    bool has_state = status == ORK_OK && ork_fold_write_state(f, &f->state[0]);

    *is_equal = false;
    --*times;
    for (unsigned i = 0; i < TRIES && status == ORK_OK && has_state && !*is_equal; i++) {
        if (i > 0)
            swap_states(f);
        status = ork_fold_feed(f, r, record, n);
        --*times;
        has_state = status == ORK_OK && ork_fold_write_state(f, &f->state[1]);
        *is_equal = has_state && ork_fold_is_same(&f->state[0], &f->state[1]);
    }
    *is_equal = *is_equal && ork_fold_starts_may_repeat(f, r, record, n);
    return status;
}

enum ork_status ork_fold_feed_times(struct ork_fold *f, uint32_t r, const struct ork_record *record,
                                    size_t n, uint64_t times)
{
    struct rank *rank = &f->rank[r];
    bool is_equal;

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
    return ORK_OK;
}

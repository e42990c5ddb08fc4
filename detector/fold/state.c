/* SPDX-License-Identifier: BSD-3-Clause */
/* The states of the detector, and of what else follows the records. */
#include "detector/fold/internal.h"

enum {
    STATE_WORDS = 1 << 18, /* and for each rank, up to a limit */
    STATE_WORDS_OF_RANK = 1 << 11,
    STATE_WORDS_MAX = 1 << 24,
    OTHER_WORDS_OF_RANK = 1 << 8, /* RATIONALE: clocks have a component for each rank */
};

bool ork_fold_write_state(struct ork_fold *f, struct folded_state *state)
{
    uint64_t limit = STATE_WORDS + (uint64_t)STATE_WORDS_OF_RANK * f->nprocs;
    uint64_t other = STATE_WORDS + (uint64_t)OTHER_WORDS_OF_RANK * f->nprocs;

    limit = limit < STATE_WORDS_MAX ? limit : STATE_WORDS_MAX;
    other = other < STATE_WORDS_MAX ? other : STATE_WORDS_MAX;
    bool good = ork_detector_state(f->d, limit, &state->detector) &&
                (f->sink.state == NULL || f->sink.state(f->sink.context, other, &state->other));
    f->words = state->detector.words.count + state->other.count;
    return good;
}

bool ork_fold_is_same(const struct folded_state *a, const struct folded_state *b)
{
    return ork_detector_is_same_state(&a->detector, &b->detector) &&
           ork_words_are_equal(&a->other, &b->other);
}

struct rank_of_fold {
    const struct ork_fold *f;
    uint32_t rank;
};

static bool find_persistent(void *context, uint32_t request, struct ork_record *made)
{
    const struct rank_of_fold *of = context;

    return ork_detector_persistent_receive(of->f->d, of->rank, request, made);
}

bool ork_fold_starts_may_repeat(struct ork_fold *f, uint32_t r, const struct ork_record *block,
                                size_t n)
{
    struct rank_of_fold of = {f, r};
    bool has_starts = false;

    for (size_t i = 0; i < n && !has_starts; i++)
        has_starts = block[i].kind == ORK_KIND_START;
    return !has_starts ||
           ork_wildcards_may_repeat(block, (uint32_t)n,
                                    &(struct ork_persistent_receives){find_persistent, &of});
}

void ork_fold_forget_state(struct ork_fold *f)
{
    f->has_state = f->is_known = false;
    f->tries = f->noted = f->kept = 0;
    f->multiple = 1;
}

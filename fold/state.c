/* SPDX-License-Identifier: BSD-3-Clause */
/* The states of the detector, and of what else follows the records. */
#include "fold/internal.h"

enum {
    STATE_WORDS = 1 << 18, /* and for each rank, up to a limit */
    STATE_WORDS_OF_RANK = 1 << 11,
    STATE_WORDS_MAX = 1 << 24,
};

bool ork_fold_write_state(struct ork_fold *f, struct folded_state *state)
{
    uint64_t limit = STATE_WORDS + (uint64_t)STATE_WORDS_OF_RANK * f->nprocs;

    limit = limit < STATE_WORDS_MAX ? limit : STATE_WORDS_MAX;
    return ork_detector_state(f->d, limit, &state->detector) &&
           (f->sink.state == NULL || f->sink.state(f->sink.context, limit, &state->other));
}

bool ork_fold_is_same(const struct folded_state *a, const struct folded_state *b)
{
    return ork_detector_is_same_state(&a->detector, &b->detector) &&
           ork_words_are_equal(&a->other, &b->other);
}

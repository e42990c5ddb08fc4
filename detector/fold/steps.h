/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of one rank as steps: a call with its list, and the EXIT record with its list behind
 * it, if such a call has one. Equal steps have one number, from 0. So the records of a loop whose
 * iterations differ in a choice are a sequence of few numbers. */
#ifndef ORK_FOLD_STEPS_H
#define ORK_FOLD_STEPS_H

#include "common/hash_map.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    STEPS_MAX = 1 << 10,   /* different ones of a rank */
    STEP_RECORDS_MAX = 64, /* of a step */
    STEP_AFTER = 4,        /* that are tried first */
    STEP_NONE = UINT16_MAX
};

struct known_step {
    uint32_t first; /* of its records */
    uint16_t length;
    bool is_rest; /* no call: an EXIT record and its list, or a part of a list */
    /* A call without an EXIT record that was seen with one: not before another record comes, it is
     * known that it is this step. */
    bool waits;
    uint16_t after[STEP_AFTER]; /* the steps that followed it last, or STEP_NONE */
};

/* All 0: none. */
struct steps {
    struct ork_record *record;
    uint32_t num_records, record_room;
    struct known_step *step;
    uint32_t count, step_room;
    struct ork_hash_map by_hash; /* number + 1 */
    struct ork_hash_map exits;   /* hashes of calls that have an EXIT record */
    uint32_t latest;             /* the step before */
    /* The records of the step that is not complete. */
    struct ork_record open[STEP_RECORDS_MAX];
    uint32_t num_open, head; /* `head`: those of the call */
    uint32_t conts;          /* of its lists, that are still to come */
    bool is_cut;             /* what was open before the next record is no part of any step */
    bool has_failed;         /* too many or too long ones, out of memory, or not valid */
};

void ork_steps_release(struct steps *s);
/* Take records until a step is complete, at most n. Returns how many were taken. *number: of the
 * step; STEP_NONE: it is not complete. */
size_t ork_steps_take(struct steps *s, const struct ork_record *record, size_t n, uint32_t *number);
/* Forget the open records. What follows them is a step without them. */
void ork_steps_cut(struct steps *s);

/* May it be made again and again? See docs/explanation/folding.md. */
bool ork_step_may_repeat(const struct steps *s, uint32_t number);

static inline const struct ork_record *ork_step_records(const struct steps *s, uint32_t number)
{
    return s->record + s->step[number].first;
}

#endif

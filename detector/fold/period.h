/* SPDX-License-Identifier: BSD-3-Clause */
/* The period of one rank's records. Records are compared, never hashed: one of them, the anchor, is
 * looked for until it comes again. The records from there on are the block, if as many follow, and
 * then the same ones once more. If a record breaks this, it is the next anchor: in nested loops it
 * is rarer than those of the inner loop. If inner loops take turns, it is not. So the first record
 * after an inner loop is looked for farther and farther away. If the block that is found has a
 * shorter period, this is the one. */
#ifndef ORK_FOLD_PERIOD_H
#define ORK_FOLD_PERIOD_H

#include "record/record.h"

#include <stdbool.h>

enum period_stage {
    PERIOD_REST,  /* `left` more records pass before the next attempt */
    PERIOD_BEGIN, /* the next record that may begin a block is the anchor */
    PERIOD_SEEK,  /* the anchor was seen `at` records ago */
    PERIOD_LEARN, /* the first `at` records of the block are known */
    PERIOD_CHECK, /* `left` more records have to be equal; the next one to number `at` */
    PERIOD_FOUND, /* `at`: the next record is this one of the block, if the period goes on */
};

struct period {
    enum period_stage stage;
    uint32_t length, at;
    uint32_t reach; /* how far from the anchor to look for it */
    uint32_t left;
    uint32_t failures; /* attempts in a row; between two of them it rests */
    uint32_t breaks;   /* in this attempt */
    uint32_t cap;
    struct ork_record *block; /* PERIOD_FOUND: `length` records */
    uint32_t least;           /* records from the anchor to where it is looked for; */
    uint32_t beyond;          /* and at the end of an inner loop */
    bool has_repeated;        /* the block, or a part of which it consists */
    struct ork_record anchor;
};

void ork_period_release(struct period *p);

/* May a block begin with it? */
bool ork_period_may_begin(const struct ork_record *rec);
/* The rank repeats this block, and the next record is its first one. False: out of memory. */
bool ork_period_set(struct period *p, const struct ork_record *block, uint32_t length);

/* Take records until the period is found, at most n; it has at most `longest` records. Returns how
 * many were taken. */
size_t ork_period_watch(struct period *p, const struct ork_record *record, size_t n,
                        uint32_t longest);
/* PERIOD_FOUND: how many of these records go on with the period. They are taken. */
size_t ork_period_match(struct period *p, const struct ork_record *record, size_t n);
/* PERIOD_FOUND: would these records, repeated without end, go on with the period? Nothing is
 * taken. */
bool ork_period_repeats(const struct period *p, const struct ork_record *record, size_t n);
/* PERIOD_FOUND: n records came that are not compared. */
void ork_period_skip(struct period *p, uint64_t n);
/* The next record does not go on with the period: it is the next anchor, if it may be one, and is
 * looked for further than the one before. */
void ork_period_break(struct period *p);
/* PERIOD_FOUND: look whether it still goes on, for a whole block and for so many records. */
void ork_period_doubt(struct period *p, uint32_t records);
/* The persistent receives of a rank: by which call this request was made; false: it is none. */
struct ork_persistent_receives {
    bool (*find)(void *context, uint32_t request, struct ork_record *made);
    void *context;
};
/* Does each receive with a wildcard take the same in a rank that repeats the block, whichever order
 * the records of other ranks come in? `made`: NULL: persistent ones are not looked at. wildcards.c.
 */
bool ork_wildcards_may_repeat(const struct ork_record *block, uint32_t n,
                              const struct ork_persistent_receives *made);
/* Begin again in a while. */
void ork_period_wait(struct period *p);
/* Begin again, later and later if nothing came of it. */
void ork_period_give_up(struct period *p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: what a rank does depends on where its calls are in the program, which MPI does not
 * compare. Ranks at different places are right in most programs: the root has a branch of its own,
 * or they take turns. So a shift is only what docs/explanation/in-step.md says. Invariant: as long
 * as in_step.parted is not 0, bit i of `late` (`early`) is set if each call of the strays since
 * then, but for the first i of them (of the others), was that of the others (of the strays) i calls
 * before. */
#include "detector/check/in_step.h"

#include "common/hash.h"
#include "detector/check/issue.h"

#include <stdlib.h>

enum {
    ENOUGH = 2,      /* calls in step, before ranks part */
    CALLS_MIN = 4,   /* calls of a shift */
    PARTED_MAX = 64, /* calls that are counted */
    TOLD_MAX = 4,    /* shifts that are told of a communicator */
};
#define ALL_DELAYS ((uint16_t)((1u << (IN_STEP_DELAY + 1)) - 2))

/* ---- the places of one call ---- */

static void add_members(struct wave_side *side, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count && side->members + i < IN_STEP_STRAYS; i++) {
        uint32_t at = side->members + i;
        for (; at > 0 && side->some[at - 1] > first + i; at--)
            side->some[at] = side->some[at - 1];
        side->some[at] = first + i;
    }
    side->least = side->members == 0 || first < side->least ? first : side->least;
    side->members += count;
}

void ork_sides_add(struct wave_sides *sides, uint64_t place, const struct ork_record *call,
                   uint32_t first, uint32_t count)
{
    struct wave_side *side = &sides->side[0];

    if (side->members > 0 && side->place != place)
        side++;
    sides->is_scattered |= place == 0 || (side->members > 0 && side->place != place);
    if (sides->is_scattered)
        return;
    if (side->members == 0) {
        side->place = place;
        side->call = *call;
        side->rank = first;
    }
    add_members(side, first, count);
}

/* The side of most ranks; of as many, that of the lowest one. */
static unsigned main_side(const struct wave_sides *s)
{
    const struct wave_side *a = &s->side[0], *b = &s->side[1];

    return a->members != b->members ? b->members > a->members
                                    : b->members > 0 && b->least < a->least;
}

/* ---- what is known of a communicator ---- */

static struct in_step *of_comm(struct ork_detector *d, struct comm *c)
{
    if (c->in_step == NULL && (c->in_step = calloc(1, sizeof(*c->in_step))) == NULL)
        d->failed = true;
    return c->in_step;
}

static void forget_parting(struct in_step *s)
{
    s->parted = 0;
    s->late = s->early = s->late_shown = s->early_shown = 0;
    s->num_strays = s->shift.num_pairs = 0;
    s->is_told = false;
}

static void lose(struct in_step *s)
{
    forget_parting(s);
    s->in_step = 0;
    s->has_parted = true;
    s->at.is_known = false;
    s->last.kind = ORK_KIND_CONT;
}

/* The place and the arguments that a shift compares. */
static uint64_t call_of(const struct wave_side *side)
{
    const struct ork_record *r = &side->call;

    return ork_hash_add(ork_hash_add(side->place, (uint64_t)r->mode << 32 | r->arg),
                        (uint64_t)(uint32_t)r->peer);
}

uint64_t ork_in_step_call(const struct in_step *s, unsigned of, unsigned back)
{
    ORK_ASSERT(back < IN_STEP_RING);
    return s->call[of][(s->next - 1 - back) % IN_STEP_RING];
}

/* ---- pairs of places ---- */

static uint64_t key_of(const struct wave_sides *w)
{
    uint64_t a = w->side[0].place, b = w->side[1].place;

    return ork_hash_add(a < b ? a : b, a < b ? b : a);
}

static bool is_usual(const struct in_step *s, uint64_t key)
{
    for (uint32_t i = 0; i < s->num_usual; i++) {
        if (s->usual[i] == key)
            return true;
    }
    return s->num_usual == IN_STEP_USUAL;
}

/* False: there are too many. */
static bool add_pair(struct in_step *s, const struct wave_sides *w)
{
    struct ork_shift *shift = &s->shift;
    uint64_t key = key_of(w);

    for (uint32_t i = 0; i < shift->num_pairs; i++) {
        if (s->pair[i] == key)
            return true;
    }
    if (shift->num_pairs == IN_STEP_PAIRS)
        return false;
    s->pair[shift->num_pairs] = key;
    for (unsigned i = 0; i < 2; i++) {
        shift->pair[shift->num_pairs].rank[i] = w->side[i].rank;
        shift->pair[shift->num_pairs].site[i] = w->side[i].call.site;
    }
    shift->num_pairs++;
    return true;
}

/* ---- where ranks part ---- */

static struct ork_parting parting_at(const struct in_step *s, uint32_t index,
                                     const struct wave_sides *w, unsigned most)
{
    return (struct ork_parting){.is_known = s->in_step > 0 && s->last.kind == ORK_KIND_COLL,
                                .is_first = !s->has_parted,
                                .calls = index,
                                .last = s->last,
                                .last_rank = s->last_rank,
                                .call = {w->side[most].call, w->side[!most].call},
                                .rank = {w->side[most].rank, w->side[!most].rank}};
}

void ork_in_step_note(const struct comm *c, const struct wave *w, struct ork_issue *issue)
{
    const struct in_step *s = c->in_step;

    if (s == NULL || c->base != w->index)
        return;
    if (s->at.is_known)
        issue->parting = s->at;
    else if (s->in_step > 0 && s->last.kind == ORK_KIND_COLL)
        issue->parting = (struct ork_parting){.is_known = true,
                                              .is_here = true,
                                              .is_first = !s->has_parted,
                                              .calls = w->index,
                                              .last = s->last,
                                              .last_rank = s->last_rank};
}

/* ---- a shift ---- */

static bool is_stray(const struct in_step *s, uint32_t rank)
{
    for (uint32_t i = 0; i < s->num_strays; i++) {
        if (s->stray[i] == rank)
            return true;
    }
    return false;
}

static void tell(struct ork_detector *d, const struct comm *c, struct in_step *s, uint32_t delay,
                 bool is_ahead)
{
    struct ork_issue *issue = ork_issue_add(d, ORK_ISSUE_SHIFT, c->id, 2);

    if (issue == NULL)
        return;
    s->is_told = true;
    s->told++;
    issue->parting = s->from;
    issue->shift = s->shift;
    issue->shift.delay = delay;
    issue->shift.is_ahead = is_ahead;
    issue->shift.calls = s->parted - delay;
    for (unsigned i = 0; i < 2; i++) {
        issue->side[i].call = s->from.call[i];
        issue->side[i].rank = s->from.rank[i];
        issue->quiet |= d->proc[s->from.rank[i]]->quiet;
    }
    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t rank = ork_comm_member(c, 0, i);
        ork_issue_add_rank(d, &issue->side[is_stray(s, rank)], rank);
    }
}

/* Which of these delays the latest call leaves: call number `behind` of the two is that of the
 * other one. */
static uint16_t left_of(const struct in_step *s, uint16_t delays, unsigned behind, uint16_t *shown)
{
    bool differs = ork_in_step_call(s, 0, 0) != ork_in_step_call(s, 1, 0);

    for (unsigned i = 1; i <= IN_STEP_DELAY && i < s->parted; i++) {
        if (ork_in_step_call(s, behind, 0) != ork_in_step_call(s, !behind, i))
            delays &= (uint16_t) ~(1u << i);
        else if (differs)
            *shown |= (uint16_t)(1u << i);
    }
    *shown &= delays;
    return delays;
}

/* One more call since they parted. */
static void advance(struct ork_detector *d, const struct comm *c, struct in_step *s)
{
    if (s->parted < PARTED_MAX)
        s->parted++;
    s->late = left_of(s, s->late, 1, &s->late_shown);
    s->early = left_of(s, s->early, 0, &s->early_shown);
    for (unsigned i = 1; i <= IN_STEP_DELAY && i + CALLS_MIN <= s->parted; i++) {
        bool is_late = (s->late_shown >> i & 1) != 0;
        if ((is_late || (s->early_shown >> i & 1) != 0) && !s->is_told && s->told < TOLD_MAX)
            tell(d, c, s, i, !is_late);
    }
}

/* Is some delay left that was compared? */
static bool is_shifted(const struct in_step *s)
{
    unsigned compared = s->parted > IN_STEP_DELAY ? ALL_DELAYS : (1u << s->parted) - 2;

    return ((s->late | s->early) & compared) != 0;
}

static void begin(struct in_step *s, uint32_t index, const struct wave_sides *w, unsigned most)
{
    const struct wave_side *few = &w->side[!most];

    s->from = parting_at(s, index, w, most);
    s->late = s->early = ALL_DELAYS;
    s->num_strays = few->members;
    memcpy(s->stray, few->some, few->members * sizeof(*s->stray));
}

/* RATIONALE: MPI_Barrier passes no data, so which of them belong together is for the program. */
static bool may_shift(const struct in_step *s, const struct wave_side *few)
{
    if (few->members > IN_STEP_STRAYS || few->call.mode == ORK_COLL_BARRIER ||
        !ork_coll_has(few->call.mode, ORK_IS_OPERATION) ||
        (few->call.flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) != 0)
        return false;
    if (s->parted == 0)
        return s->in_step >= ENOUGH;
    return s->num_strays == few->members &&
           memcmp(s->stray, few->some, few->members * sizeof(*s->stray)) == 0;
}

static void part(struct ork_detector *d, const struct comm *c, struct in_step *s, uint32_t index,
                 const struct wave_sides *w, unsigned most)
{
    if (!s->at.is_known && !is_usual(s, key_of(w))) {
        s->at = parting_at(s, index, w, most);
        s->at_pair = key_of(w);
    }
    if (!may_shift(s, &w->side[!most])) {
        forget_parting(s);
    } else {
        if (s->parted == 0)
            begin(s, index, w, most);
        if (add_pair(s, w))
            advance(d, c, s);
        else
            forget_parting(s);
        if (s->parted > 0 && (s->late | s->early) == 0)
            forget_parting(s);
    }
    s->in_step = 0;
    s->has_parted = true;
}

static void meet(struct ork_detector *d, const struct comm *c, struct in_step *s,
                 const struct wave_side *side)
{
    if (s->parted > 0) {
        advance(d, c, s);
        if (!is_shifted(s))
            forget_parting(s);
    }
    if (s->parted == 0) {
        if (s->at.is_known && !is_usual(s, s->at_pair))
            s->usual[s->num_usual++] = s->at_pair;
        s->at.is_known = false;
        if (s->in_step < ENOUGH)
            s->in_step++;
    }
    s->last = side->call;
    s->last_rank = side->rank;
}

/* RATIONALE: the starts of a persistent operation are at places of their own, and MPI_Finalize is
 * no operation. */
static bool is_followed(const struct comm *c)
{
    return !c->inter && !c->self && c->ends == NULL && c->shown == c->id && c->size > 1;
}

void ork_in_step_follow(struct ork_detector *d, struct comm *c, uint32_t index,
                        const struct wave_sides *w)
{
    struct in_step *s = is_followed(c) ? of_comm(d, c) : NULL;

    if (s == NULL)
        return;
    if (w->is_scattered || w->side[0].members == 0) {
        lose(s);
        return;
    }
    bool is_one = w->side[1].members == 0;
    unsigned most = main_side(w);
    s->call[0][s->next % IN_STEP_RING] = call_of(&w->side[most]);
    s->call[1][s->next % IN_STEP_RING] = call_of(&w->side[is_one ? most : !most]);
    s->next++;
    if (is_one)
        meet(d, c, s, &w->side[0]);
    else
        part(d, c, s, index, w, most);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the stamps say. Event a is complete before event b if b knew, when it began, the value of
 * the component of a's rank from which on a is complete. */
#include "common/lower_bound.h"
#include "common/vec.h"
#include "windows/stamps/internal.h"

#include <stdlib.h>
#include <string.h>

uint32_t ork_stamps_ranks(const struct ork_stamps *s)
{
    return s->ranks;
}

uint64_t ork_stamps_count(const struct ork_stamps *s, uint32_t rank)
{
    return s->of[rank].count;
}

const char *ork_stamps_why_lost(const struct ork_stamps *s)
{
    return s->lost;
}

static const char *place_of(const struct ork_stamps *s, uint32_t rank, uint32_t site)
{
    ORK_LOWER_BOUND(low, s->places, i,
                    s->place[i].rank < rank ||
                        (s->place[i].rank == rank && s->place[i].site < site));
    if (low == s->places || s->place[low].rank != rank || s->place[low].site != site)
        return NULL;
    return s->place[low].text;
}

static bool is_private_store(const struct ork_stamps_event *e)
{
    return e->is_private && !e->reads;
}

/* Other events are over when the next one of their rank begins. */
static uint64_t end_of(const struct events *of, uint64_t number, uint64_t stated, bool at_origin)
{
    const struct event *e = &of->item[number - 1];

    if (e->access == ORK_STAMPS_BY_CALL || (e->is_private && !e->reads && !at_origin))
        return stated == 0 ? UINT64_MAX : stated;
    return number < of->count ? of->item[number].own : UINT64_MAX;
}

struct ork_stamps_event ork_stamps_get(const struct ork_stamps *s, uint32_t rank, uint64_t number)
{
    const struct events *of = &s->of[rank];
    const struct event *e = &of->item[number - 1];
    const char *plain = e->reads ? "load" : "store";

    return (struct ork_stamps_event){.rank = rank,
                                     .number = number,
                                     .call = e->access == ORK_STAMPS_BY_PROGRAM ? plain : e->call,
                                     .place = place_of(s, rank, e->site),
                                     .access = e->access,
                                     .reads = e->reads,
                                     .window = e->window,
                                     .target = e->target,
                                     .is_private = e->is_private,
                                     .seen = e->seen,
                                     .own = e->own,
                                     .origin = end_of(of, number, e->origin, true),
                                     .end = end_of(of, number, e->end, false)};
}

/* ---- what an event knew ---- */

static bool find_change(const struct ork_stamps *s, const struct event *e, uint32_t rank,
                        uint32_t *value)
{
    for (uint32_t i = 0; i < e->changes; i++) {
        const struct change *c = &s->change[e->first + i];
        if (c->rank == rank) {
            *value = c->value;
            return true;
        }
    }
    return false;
}

/* What the rank itself knew. */
static uint32_t known(const struct ork_stamps *s, uint32_t of, uint64_t number, uint32_t rank)
{
    uint32_t value = 0;

    for (uint64_t i = number; i > 0; i--) {
        if (find_change(s, &s->of[of].item[i - 1], rank, &value))
            break;
    }
    return value;
}

/* The event from which it learned at its start at least this value. NULL: none. */
static const struct source *start_with(const struct ork_stamps *s, uint32_t of, uint64_t number,
                                       uint32_t rank, uint64_t value)
{
    const struct event *e = &s->of[of].item[number - 1];

    for (uint32_t i = e->sources; i != NO_SOURCE; i = s->source[i].next) {
        const struct source *from = &s->source[i];
        if (from->at_start && known(s, from->rank, from->number, rank) >= value)
            return from;
    }
    return NULL;
}

uint32_t ork_stamps_component(const struct ork_stamps *s, const struct ork_stamps_event *event,
                              uint32_t rank)
{
    uint32_t value = known(s, event->rank, event->number, rank);
    const struct event *e = &s->of[event->rank].item[event->number - 1];

    for (uint32_t i = e->sources; i != NO_SOURCE; i = s->source[i].next) {
        const struct source *from = &s->source[i];
        uint32_t other = from->at_start ? known(s, from->rank, from->number, rank) : 0;
        value = other > value ? other : value;
    }
    return value;
}

/* Loads and stores of one rank: they are in the order of its program. */
static bool is_own_order(const struct ork_stamps_event *a, const struct ork_stamps_event *b)
{
    return a->rank == b->rank && a->access == ORK_STAMPS_BY_PROGRAM &&
           b->access == ORK_STAMPS_BY_PROGRAM;
}

/* Has the private copy that b uses to be brought up to date with a? */
static bool has_to_see(const struct ork_stamps_event *a, const struct ork_stamps_event *b)
{
    return b->is_private && a->access == ORK_STAMPS_BY_CALL && !a->reads && a->target == b->rank;
}

/* The event of the rank of b that knew, when it began, what b sees of the rank of a: of others, the
 * rank learns until event b->seen is over. */
static uint64_t seen_at(const struct ork_stamps_event *a, const struct ork_stamps_event *b)
{
    return a->rank == b->rank || b->seen == 0 ? b->seen : b->seen + 1;
}

bool ork_stamps_is_before(const struct ork_stamps *s, const struct ork_stamps_event *a,
                          const struct ork_stamps_event *b, bool at_origin)
{
    uint64_t value = at_origin ? a->origin : a->end;

    if (is_own_order(a, b))
        return a->number < b->number;
    if (!at_origin && has_to_see(a, b))
        return value != UINT64_MAX && known(s, b->rank, seen_at(a, b), a->rank) >= value;
    return value != UINT64_MAX && ork_stamps_component(s, b, a->rank) >= value;
}

/* Add what it learned at its start. */
static void add_start(const struct ork_stamps *s, const struct event *e, uint32_t *clock)
{
    for (uint32_t i = e->sources; i != NO_SOURCE; i = s->source[i].next) {
        const struct source *from = &s->source[i];
        for (uint32_t r = 0; from->at_start && r < s->ranks; r++) {
            uint32_t value = known(s, from->rank, from->number, r);
            clock[r] = value > clock[r] ? value : clock[r];
        }
    }
}

enum ork_status ork_stamps_list(const struct ork_stamps *s, uint32_t rank, ork_stamps_take *take,
                                void *context)
{
    const struct events *of = &s->of[rank];
    uint32_t *clock = calloc(s->ranks, sizeof(*clock)), *all = calloc(s->ranks, sizeof(*all));
    bool goes_on = clock != NULL && all != NULL;
    enum ork_status status = goes_on ? ORK_OK : ORK_NOMEM;

    for (uint32_t i = 0; i < of->count && goes_on; i++) {
        struct ork_stamps_event event = ork_stamps_get(s, rank, i + UINT64_C(1));
        for (uint32_t k = 0; k < of->item[i].changes; k++) {
            const struct change *c = &s->change[of->item[i].first + k];
            clock[c->rank] = c->value;
        }
        memcpy(all, clock, s->ranks * sizeof(*all));
        add_start(s, &of->item[i], all);
        goes_on = take(context, &event, all);
    }
    free(clock);
    free(all);
    return status;
}

/* ---- paths ---- */

/* A path is built from its end. */
struct path {
    const struct ork_stamps *s;
    uint32_t rank; /* of the event whose end is followed */
    uint64_t value;
    struct ork_stamps_step *step;
    uint32_t count, room;
};

static bool add(struct path *p, uint32_t rank, uint64_t number, enum ork_stamps_why why)
{
    const struct ork_stamps_step *last = p->count > 0 ? &p->step[p->count - 1] : NULL;

    if (last != NULL && last->event.rank == rank && last->event.number == number)
        return true; /* it is there */
    if (!ork_vec_reserve(&p->step, &p->room, p->count + 1, sizeof(*p->step)))
        return false;
    p->step[p->count++] =
        (struct ork_stamps_step){.event = ork_stamps_get(p->s, rank, number), .why = why};
    return true;
}

/* The first event of the rank, up to `number`, that began with what is looked for. */
static uint64_t first_that_knew(const struct path *p, uint32_t rank, uint64_t number)
{
    uint32_t value = 0;

    for (uint64_t i = 1; i <= number; i++) {
        find_change(p->s, &p->s->of[rank].item[i - 1], p->rank, &value);
        if (value >= p->value)
            return i;
    }
    return 0;
}

/* A part of the collective call that knew it; NULL: none. */
static const struct part *part_that_knew(const struct path *p, uint64_t wave)
{
    const struct ork_stamps *s = p->s;
    ORK_LOWER_BOUND(low, s->parts, i, s->part[i].wave < wave);
    for (; low < s->parts && s->part[low].wave == wave; low++) {
        const struct part *part = &s->part[low];
        if (known(s, part->rank, part->event + UINT64_C(1), p->rank) >= p->value)
            return part;
    }
    return NULL;
}

/* The event of another rank from which this one learned it. */
static bool find_source(const struct path *p, uint32_t rank, uint64_t number, uint32_t *from,
                        uint64_t *mark)
{
    const struct event *e = &p->s->of[rank].item[number - 1];

    for (uint32_t i = e->sources; i != NO_SOURCE; i = p->s->source[i].next) {
        const struct source *source = &p->s->source[i];
        const struct part *part = source->is_all ? part_that_knew(p, source->number) : NULL;
        *from = part != NULL ? part->rank : source->rank;
        *mark = part != NULL ? part->event + UINT64_C(1) : source->number;
        if (source->is_all && part == NULL)
            continue;
        struct ork_stamps_event event = ork_stamps_get(p->s, *from, *mark);
        if (*from != rank && ork_stamps_component(p->s, &event, p->rank) >= p->value)
            return true;
    }
    return false;
}

/* One step back, from an event that knew it when it began. */
static bool step_back(struct path *p, uint32_t *rank, uint64_t *number)
{
    uint64_t first = first_that_knew(p, *rank, *number);
    uint32_t from;
    uint64_t mark;

    if (first == 0) { /* it knew it only by what it learned at its start */
        const struct source *source = start_with(p->s, *rank, *number, p->rank, p->value);
        if (source == NULL)
            return false;
        *rank = source->rank;
        *number = source->number;
        return add(p, *rank, *number, ORK_STAMPS_TOLD);
    }
    if (first == 1 || !find_source(p, *rank, first - 1, &from, &mark) ||
        !add(p, *rank, first - 1, ORK_STAMPS_SAME_RANK))
        return false;
    *rank = from;
    *number = mark;
    return add(p, from, mark, ORK_STAMPS_TOLD);
}

static void turn(struct path *p)
{
    for (uint32_t i = 0; i < p->count / 2; i++) {
        struct ork_stamps_step step = p->step[i];
        p->step[i] = p->step[p->count - 1 - i];
        p->step[p->count - 1 - i] = step;
    }
}

/* The event of the rank of `a` that begins when `a` is complete. */
static uint64_t completing(const struct path *p, uint32_t rank)
{
    const struct events *of = &p->s->of[rank];
    ORK_LOWER_BOUND(low, of->count, i, of->item[i].own < p->value);
    return low + UINT64_C(1);
}

/* INVARIANT: the event at (rank, number) knew the value when it began. Each step leads to an event
 * that is earlier in the graph; a file that is no such graph could lead around for ever. */
static bool build(struct path *p, const struct ork_stamps_event *a,
                  const struct ork_stamps_event *b, bool at_origin)
{
    uint32_t rank = b->rank;
    uint64_t number = !at_origin && has_to_see(a, b) ? seen_at(a, b) : b->number, limit = 0;
    bool is_later = a->access == ORK_STAMPS_BY_CALL ||
                    (is_private_store(a) && !at_origin && !is_own_order(a, b));

    for (uint32_t r = 0; r < p->s->ranks; r++)
        limit += 2 * (uint64_t)p->s->of[r].count + 2;
    if (!add(p, rank, b->number, ORK_STAMPS_SAME_RANK))
        return false;
    for (; rank != a->rank; limit--) {
        if (limit == 0 || !step_back(p, &rank, &number))
            return false;
    }
    uint64_t end = is_later ? completing(p, rank) : number;
    return end <= number && add(p, rank, end, ORK_STAMPS_SAME_RANK) &&
           add(p, a->rank, a->number, ORK_STAMPS_SAME_RANK);
}

bool ork_stamps_path(const struct ork_stamps *s, const struct ork_stamps_event *a,
                     const struct ork_stamps_event *b, bool at_origin, struct ork_stamps_step **out,
                     uint32_t *count)
{
    struct path p = {.s = s, .rank = a->rank, .value = at_origin ? a->origin : a->end};

    if (!build(&p, a, b, at_origin)) {
        free(p.step);
        return false;
    }
    turn(&p);
    *out = p.step;
    *count = p.count;
    return true;
}

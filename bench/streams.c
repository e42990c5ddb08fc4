/* SPDX-License-Identifier: BSD-3-Clause */
/* A run is a row of passes over the ranks, in an order that only looks arbitrary. In pass p a rank
 * goes on to step p * skew and up to skew - 1 steps further, so two ranks are never 2 * skew steps
 * apart. The farm has an order of its own: any worker that waits for nothing delivers, and is
 * served some time later. */
#include "bench/streams.h"

#include <stdlib.h>

enum phase { OPENING, RUNNING, CLOSING, OVER };

struct streams {
    struct program program;
    uint64_t steps; /* of each rank; of the farm: of all workers */
    enum phase phase;
    uint64_t pass;
    uint32_t at; /* place in the order of this pass */
    uint32_t stride;
    uint64_t *done; /* steps, by rank */
    /* The farm: ranks that wait for nothing, then those that wait to be served. */
    uint32_t *worker;
    uint32_t idle, delivered;
    uint64_t draws;
    struct step step;
    uint64_t messages, records;
};

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Steps of this size visit all ranks, and neighbours far from each other. */
static uint32_t stride_of(uint32_t ranks)
{
    uint32_t stride = (uint32_t)((double)ranks * 0.618) | 1;

    while (gcd(stride, ranks) != 1)
        stride += 2;
    return stride;
}

struct streams *streams_create(const struct program *program, uint64_t records)
{
    struct streams *s = calloc(1, sizeof(*s));
    bool farm = program->pattern == PATTERN_FARM;

    if (s == NULL)
        return NULL;
    s->program = *program;
    s->steps = records / pattern_records(program->pattern) / (farm ? 1 : program->ranks);
    s->steps += s->steps == 0;
    s->stride = stride_of(program->ranks);
    s->done = calloc(program->ranks, sizeof(*s->done));
    s->worker = calloc(program->ranks, sizeof(*s->worker));
    s->idle = program->ranks - 1;
    if (s->done == NULL || s->worker == NULL) {
        streams_destroy(s);
        return NULL;
    }
    for (uint32_t i = 0; i < s->idle; i++)
        s->worker[i] = i + 1;
    return s;
}

void streams_destroy(struct streams *s)
{
    if (s == NULL)
        return;
    free(s->done);
    free(s->worker);
    free(s);
}

/* The next place of this pass; at its end the next pass. */
static void go_on(struct streams *s)
{
    if (++s->at < s->program.ranks)
        return;
    s->at = 0;
    s->pass++;
}

static uint32_t here(const struct streams *s)
{
    return (uint32_t)(((uint64_t)s->at * s->stride + s->pass) % s->program.ranks);
}

static uint64_t goal(const struct streams *s, uint32_t rank)
{
    uint32_t skew = pattern_skew(s->program.pattern);
    uint64_t step = s->pass * skew + pattern_mix(s->program.seed ^ s->pass, rank) % skew;

    return step < s->steps ? step : s->steps;
}

/* False: all have made all steps. */
static bool next_step(struct streams *s, uint32_t *rank)
{
    uint64_t last = s->steps / pattern_skew(s->program.pattern) + 1;

    for (; s->pass <= last; go_on(s)) {
        *rank = here(s);
        if (s->done[*rank] < goal(s, *rank)) {
            pattern_step(&s->program, *rank, s->done[*rank]++, &s->step);
            return true;
        }
    }
    return false;
}

/* Take one of worker[first .. first + count - 1] out; the last of them takes its place. */
static uint32_t draw(struct streams *s, uint32_t first, uint32_t count)
{
    uint32_t at = first + (uint32_t)(pattern_mix(s->program.seed, s->draws++) % count);
    uint32_t worker = s->worker[at];

    s->worker[at] = s->worker[first + count - 1];
    s->worker[first + count - 1] = worker;
    return worker;
}

static bool next_of_farm(struct streams *s, uint32_t *rank)
{
    uint32_t behind = pattern_skew(PATTERN_FARM) * 16;

    if (s->pass < s->steps && s->idle > 0 && s->delivered < behind) {
        *rank = draw(s, 0, s->idle);
        s->idle--;
        s->delivered++;
        s->pass++;
        pattern_work(&s->step);
        return true;
    }
    if (s->delivered == 0)
        return false;
    /* RATIONALE: drawn to the front of those that wait, where the idle ones end. */
    uint32_t at = s->idle + (uint32_t)(pattern_mix(s->program.seed, s->draws++) % s->delivered);
    uint32_t worker = s->worker[at];
    s->worker[at] = s->worker[s->idle];
    s->worker[s->idle++] = worker;
    s->delivered--;
    *rank = 0;
    pattern_serve(worker, &s->step);
    return true;
}

static void begin(struct streams *s, enum phase phase)
{
    s->phase = phase;
    s->pass = 0;
    s->at = 0;
}

/* Once for every rank; false: that was all. */
static bool next_once(struct streams *s, uint32_t *rank)
{
    if (s->pass > 0)
        return false;
    *rank = here(s);
    go_on(s);
    return true;
}

static bool advance(struct streams *s, uint32_t *rank)
{
    bool farm = s->program.pattern == PATTERN_FARM;

    if (s->phase == OPENING) {
        if (next_once(s, rank)) {
            pattern_open(&s->program, *rank, &s->step);
            return true;
        }
        begin(s, RUNNING);
    }
    if (s->phase == RUNNING) {
        if (farm ? next_of_farm(s, rank) : next_step(s, rank))
            return true;
        begin(s, CLOSING);
    }
    if (s->phase == CLOSING) {
        if (next_once(s, rank)) {
            pattern_close(&s->step);
            return true;
        }
        begin(s, OVER);
    }
    return false;
}

bool streams_next(struct streams *s, uint32_t *rank, const struct step **step)
{
    if (!advance(s, rank))
        return false;
    s->records += s->step.count;
    for (size_t i = 0; i < s->step.count; i++)
        s->messages +=
            s->step.record[i].kind == ORK_KIND_SEND || s->step.record[i].kind == ORK_KIND_SENDRECV;
    *step = &s->step;
    return true;
}

uint64_t streams_messages(const struct streams *s)
{
    return s->messages;
}

uint64_t streams_records(const struct streams *s)
{
    return s->records;
}

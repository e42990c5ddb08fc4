/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream is decoded once to count, for each thread while the thread follows it, and for the
 * outcomes of what was posted (outcomes.h). */
#include "order/file/recorded.h"

#include "order/file/outcomes.h"

#include "common/vec.h"

#include <stdlib.h>

struct thread {
    uint64_t num;  /* choices in the stream */
    uint64_t next; /* those that the thread has made */
    bool is_cut;
    bool is_read; /* `choice` is the one after those */
    struct ork_choice choice;
    struct ork_order_reader reader;
    /* Rounds of a loop that were decoded at once, and the thread's next choice in them. */
    struct ork_order_rounds rounds;
    uint32_t at;
    uint64_t left;                                /* choices in them; 0: `choice` counts */
    struct ork_outcomes outcomes[ORK_CHOICE_MAX]; /* of what the thread posted, by kind */
};

struct ork_recorded {
    const uint8_t *stream;
    size_t size;
    struct thread *thread;
    uint32_t num_threads;
    bool is_plan;
};

/* ---- the stream ---- */

static enum ork_status read_choice(const struct ork_recorded *recorded,
                                   struct ork_order_reader *reader, struct ork_choice *choice)
{
    return ork_order_read(reader, recorded->stream, recorded->size, choice);
}

/* The choice was made so many times; once, if something was posted for it. */
typedef enum ork_status take_choice(struct ork_recorded *recorded, const struct ork_choice *choice,
                                    uint64_t times);

static bool has_outcome(const struct ork_choice *choice)
{
    return ork_outcome_kind(choice) != ORK_CHOICE_MAX;
}

static bool have_outcome(const struct ork_order_rounds *rounds)
{
    bool have = false;

    for (uint32_t i = 0; i < rounds->round; i++)
        have |= has_outcome(&rounds->choice[i]);
    return have;
}

/* Rounds of a loop, if they are what comes next. */
static inline enum ork_status take_rounds(struct ork_recorded *recorded,
                                          struct ork_order_reader *reader, take_choice *take)
{
    struct ork_order_rounds rounds;
    enum ork_status status = ORK_OK;

    while (status == ORK_OK && ork_order_decode_rounds(reader->decoder, &rounds)) {
        bool are_equal = !have_outcome(&rounds);
        uint32_t different = are_equal ? 1 : rounds.rounds;
        for (uint32_t i = 0; i < different && status == ORK_OK; i++) {
            for (uint32_t j = 0; j < rounds.round && status == ORK_OK; j++) {
                status = take(recorded, &rounds.choice[j], are_equal ? rounds.rounds : 1);
                rounds.choice[j].post += rounds.step[j];
            }
        }
    }
    return status;
}

static inline enum ork_status for_each(struct ork_recorded *recorded, take_choice *take)
{
    struct ork_order_reader reader = {.decoder = NULL};
    struct ork_choice choice;
    enum ork_status status = ORK_OK;

    while (status == ORK_OK) {
        status = read_choice(recorded, &reader, &choice);
        if (status == ORK_OK)
            status = take(recorded, &choice, 1);
        if (status == ORK_OK)
            status = take_rounds(recorded, &reader, take);
    }
    ork_order_reader_release(&reader);
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

/* ---- outcomes of posted receives ---- */

/* Is it one of those that its thread makes one after the other? */
static bool is_next(const struct ork_choice *choice)
{
    return choice->kind != ORK_CHOICE_AHEAD && choice->kind != ORK_CHOICE_OPEN;
}

static enum ork_status count(struct ork_recorded *recorded, const struct ork_choice *choice,
                             uint64_t times)
{
    uint32_t highest = choice->post_thread > choice->thread ? choice->post_thread : choice->thread;

    if (!ork_vec_reserve(&recorded->thread, &recorded->num_threads, highest + 1,
                         sizeof(*recorded->thread)))
        return ORK_NOMEM;
    struct thread *thread = &recorded->thread[choice->thread];
    thread->num += is_next(choice) ? times : 0;
    recorded->is_plan |= choice->kind == ORK_CHOICE_OPEN;
    thread->is_cut = choice->kind != ORK_CHOICE_END;
    if (!has_outcome(choice))
        return ORK_OK;
    return ork_outcomes_show(
        &recorded->thread[choice->post_thread].outcomes[ork_outcome_kind(choice)], choice);
}

static enum ork_status load(struct ork_recorded *recorded)
{
    enum ork_status status = for_each(recorded, count);

    for (uint32_t i = 0; i < recorded->num_threads; i++) {
        for (unsigned kind = 0; kind < ORK_CHOICE_MAX && status == ORK_OK; kind++)
            status = ork_outcomes_begin(&recorded->thread[i].outcomes[kind]);
    }
    return status;
}

bool ork_recorded_outcome(const struct ork_recorded *recorded, enum ork_choice_kind kind,
                          uint32_t thread, uint64_t post, int32_t *source, int32_t *tag)
{
    const struct ork_outcomes_of of = {.stream = recorded->stream,
                                       .size = recorded->size,
                                       .thread = thread,
                                       .kind = (uint8_t)kind};
    const struct ork_outcome *found = NULL;

    if (thread < recorded->num_threads)
        found = ork_outcomes_find(&recorded->thread[thread].outcomes[kind], &of, post);
    if (found == NULL)
        return false;
    *source = found->source;
    *tag = found->tag;
    return true;
}

/* ---- following ---- */

enum ork_status ork_recorded_create(const uint8_t *stream, size_t size,
                                    struct ork_recorded **recorded)
{
    enum ork_status status = ORK_NOMEM;

    *recorded = calloc(1, sizeof(**recorded));
    if (*recorded != NULL) {
        (*recorded)->stream = stream;
        (*recorded)->size = size;
        status = load(*recorded);
    }
    if (status != ORK_OK) {
        ork_recorded_destroy(*recorded);
        *recorded = NULL;
    }
    return status;
}

void ork_recorded_destroy(struct ork_recorded *recorded)
{
    if (recorded == NULL)
        return;
    for (uint32_t i = 0; i < recorded->num_threads; i++) {
        ork_order_reader_release(&recorded->thread[i].reader);
        for (unsigned kind = 0; kind < ORK_CHOICE_MAX; kind++)
            ork_outcomes_release(&recorded->thread[i].outcomes[kind]);
    }
    free(recorded->thread);
    free(recorded);
}

static const struct ork_choice *in_round(struct thread *t)
{
    t->rounds.choice[t->at].number = t->next + 1;
    return &t->rounds.choice[t->at];
}

/* Decode rounds at once, if they are what comes next. */
static bool read_rounds(const struct ork_recorded *recorded, struct thread *t)
{
    uint32_t thread = (uint32_t)(t - recorded->thread);

    if (t->reader.decoder == NULL)
        return false;
    while (ork_order_decode_rounds(t->reader.decoder, &t->rounds)) {
        if (t->rounds.choice[0].thread != thread) /* they are all of one thread */
            continue;
        t->left = (uint64_t)t->rounds.rounds * t->rounds.round;
        t->at = 0;
        return true;
    }
    return false;
}

enum ork_status ork_recorded_next(struct ork_recorded *recorded, uint32_t thread,
                                  const struct ork_choice **next)
{
    enum ork_status status = ORK_OK;

    if (thread >= recorded->num_threads ||
        recorded->thread[thread].next == recorded->thread[thread].num)
        return ORK_NOTFOUND;
    struct thread *t = &recorded->thread[thread];
    if (!t->is_read && (t->left > 0 || read_rounds(recorded, t))) {
        *next = in_round(t);
        return ORK_OK;
    }
    while (!t->is_read && status == ORK_OK) {
        status = read_choice(recorded, &t->reader, &t->choice);
        t->is_read = status == ORK_OK && t->choice.thread == thread && is_next(&t->choice);
    }
    *next = &t->choice;
    return status;
}

enum ork_status ork_recorded_read(const struct ork_recorded *recorded, uint32_t thread,
                                  ork_recorded_take *take, void *context)
{
    struct ork_order_reader reader = {.decoder = NULL};
    struct ork_choice choice;
    enum ork_status status = ORK_OK;
    bool goes_on = thread < recorded->num_threads;

    while (status == ORK_OK && goes_on) {
        status = read_choice(recorded, &reader, &choice);
        if (status == ORK_OK && choice.thread == thread)
            goes_on = take(context, &choice);
    }
    ork_order_reader_release(&reader);
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

const struct ork_choice *ork_recorded_advance(struct ork_recorded *recorded, uint32_t thread)
{
    struct thread *t = &recorded->thread[thread];

    t->next++;
    if (t->left == 0) {
        t->is_read = false;
        return NULL;
    }
    t->rounds.choice[t->at].post += t->rounds.step[t->at];
    t->at = t->at + 1 == t->rounds.round ? 0 : t->at + 1;
    return --t->left > 0 ? in_round(t) : NULL;
}

uint64_t ork_recorded_number(const struct ork_recorded *recorded, uint32_t thread)
{
    return thread < recorded->num_threads ? recorded->thread[thread].next + 1 : 1;
}

uint64_t ork_recorded_count(const struct ork_recorded *recorded, uint32_t thread)
{
    return thread < recorded->num_threads ? recorded->thread[thread].num : 0;
}

bool ork_recorded_is_cut(const struct ork_recorded *recorded, uint32_t thread)
{
    return thread >= recorded->num_threads || recorded->thread[thread].num == 0 ||
           recorded->thread[thread].is_cut;
}

bool ork_recorded_is_plan(const struct ork_recorded *recorded)
{
    return recorded->is_plan;
}

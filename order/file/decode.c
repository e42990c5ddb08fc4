/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes may be anything. A choice is read completely before something is learned of it, so that
 * it can be read again if its end is missing. */
#include "common/vec.h"
#include "order/file/cursor.h"
#include "order/file/loop.h"

#include <stdlib.h>

struct ork_order_decoder {
    struct ork_predictor predictor;
    struct ork_loop loop;
    uint32_t run; /* choices as predicted that are still to come */
    bool is_invalid;
    uint8_t *bytes; /* fed, and not decoded */
    size_t start, end, room;
    uint32_t *index; /* of the latest choice */
    size_t index_room;
    uint64_t *number; /* of choices by thread */
    uint32_t threads_room;
};

/* A choice that is being read. */
struct reading {
    struct ork_choice choice;
    struct ork_prediction from;
    uint64_t index; /* as one number */
    bool is_new;    /* its call was not known */
};

struct ork_order_decoder *ork_order_decoder_create(void)
{
    return calloc(1, sizeof(struct ork_order_decoder));
}

void ork_order_decoder_destroy(struct ork_order_decoder *decoder)
{
    if (decoder == NULL)
        return;
    free(decoder->bytes);
    free(decoder->index);
    free(decoder->number);
    free(decoder);
}

enum ork_status ork_order_decoder_feed(struct ork_order_decoder *d, const uint8_t *bytes,
                                       size_t size)
{
    size_t kept = d->end - d->start;

    if (size == 0)
        return ORK_OK;
    if (size > SIZE_MAX / 2 - kept)
        return ORK_NOMEM;
    if (size > d->room - d->end && d->start > 0) {
        memmove(d->bytes, d->bytes + d->start, kept);
        d->start = 0;
        d->end = kept;
    }
    if (size > d->room - d->end) {
        size_t room = (kept + size) + (kept + size) / 2;
        uint8_t *bigger = realloc(d->bytes, room);
        if (bigger == NULL)
            return ORK_NOMEM;
        d->bytes = bigger;
        d->room = room;
    }
    memcpy(d->bytes + d->end, bytes, size);
    d->end += size;
    return ORK_OK;
}

/* ---- fields ---- */

static __attribute__((noinline)) bool add_room_for_indices(struct ork_order_decoder *d,
                                                           size_t count)
{
    uint32_t *bigger = realloc(d->index, count * sizeof(*bigger));

    if (bigger == NULL)
        return false;
    d->index = bigger;
    d->index_room = count;
    return true;
}

static inline bool reserve_indices(struct ork_order_decoder *d, size_t count)
{
    return count <= d->index_room || add_room_for_indices(d, count);
}

static enum ork_status get_place(struct ork_cursor *in, uint32_t *place)
{
    enum ork_status status = ORK_OK;

    *place = 0;
    for (unsigned shift = 0; shift < 32 && status == ORK_OK; shift += 8) {
        uint8_t byte = 0;
        status = ork_cursor_get_byte(in, &byte);
        *place |= (uint32_t)byte << shift;
    }
    return status;
}

static enum ork_status get_new_call(struct ork_cursor *in, struct ork_choice *choice)
{
    uint32_t number = 0;
    enum ork_status status = ork_cursor_get_byte(in, &choice->kind);

    if (status == ORK_OK && choice->kind >= ORK_CHOICE_MAX)
        status = ORK_INVALID;
    if (status == ORK_OK)
        status = ork_cursor_get_u32(in, UINT16_MAX, &number);
    choice->call = (uint16_t)number;
    if (status == ORK_OK)
        status = ork_cursor_get_u32(in, UINT32_MAX, &choice->site);
    if (status == ORK_OK)
        status = get_place(in, &choice->place);
    return status;
}

/* The call as predicted, or as given. */
static enum ork_status get_call(const struct ork_predictor *p, struct ork_cursor *in, bool is_given,
                                struct reading *r)
{
    enum ork_status status = is_given ? ork_cursor_get_byte(in, &r->from.slot) : ORK_OK;

    if (status != ORK_OK)
        return status;
    if (is_given && r->from.slot == ORK_CALL_NEW) {
        status = get_new_call(in, &r->choice);
        r->from.slot = ork_predict_slot(&r->choice);
        r->is_new = true;
        return status;
    }
    const struct ork_predict_call *call = &p->call[r->from.slot];
    r->choice.kind = call->kind;
    r->choice.call = call->call;
    r->choice.site = call->site;
    r->choice.place = call->place;
    return call->is_known ? ORK_OK : ORK_INVALID;
}

static enum ork_status get_list(struct ork_order_decoder *d, struct ork_cursor *in,
                                struct reading *r)
{
    uint32_t previous = 0;
    uint32_t count;
    enum ork_status status = ork_cursor_get_u32(in, ORK_CHOICE_INDICES, &count);

    if (status != ORK_OK)
        return status;
    if (count > (size_t)(in->end - in->at)) /* so its end is missing, and no room is needed yet */
        return ORK_NOTFOUND;
    if (!reserve_indices(d, count))
        return ORK_NOMEM;
    for (uint32_t i = 0; i < count && status == ORK_OK; i++) {
        status = ork_cursor_get_near(in, previous, &d->index[i]);
        previous = d->index[i];
    }
    r->choice.count = count;
    return status;
}

/* The indices from their one number. */
static inline enum ork_status expand_index(struct ork_order_decoder *d, uint64_t number,
                                           struct ork_choice *choice)
{
    choice->count = 0;
    if (number == ORK_INDEX_LIST)
        return ORK_INVALID;
    if (!reserve_indices(d, ORK_INDEX_BITS))
        return ORK_NOMEM;
    if (number % 2 == 0) {
        uint64_t index = (number - 2) / 2;
        d->index[0] = (uint32_t)index;
        choice->count = 1;
        return index <= UINT32_MAX ? ORK_OK : ORK_INVALID;
    }
    for (uint64_t mask = number >> 1; mask != 0; mask &= mask - 1)
        d->index[choice->count++] = (uint32_t)__builtin_ctzll(mask);
    return ORK_OK;
}

static enum ork_status get_index(struct ork_order_decoder *d, struct ork_cursor *in,
                                 struct reading *r)
{
    enum ork_status status = ork_cursor_get(in, UINT64_MAX, &r->index);

    if (status != ORK_OK)
        return status;
    return r->index == ORK_INDEX_LIST ? get_list(d, in, r) : expand_index(d, r->index, &r->choice);
}

static enum ork_status get_post(struct ork_predictor *p, struct ork_cursor *in,
                                struct ork_choice *choice)
{
    uint64_t number;
    enum ork_status status = ork_cursor_get(in, UINT64_MAX, &number);

    if (status != ORK_OK)
        return status;
    if (number == ORK_POST_THREAD) {
        status = ork_cursor_get_u32(in, ORK_CHOICE_THREADS - 1, &choice->post_thread);
        return status == ORK_OK ? ork_cursor_get(in, UINT64_MAX, &choice->post) : status;
    }
    choice->post = 0;
    if (number >= ORK_POST_DELTA)
        choice->post = *ork_predict_post(p, choice->kind, choice->post_thread) +
                       ork_predict_unzigzag(number - ORK_POST_DELTA);
    return ORK_OK;
}

/* ---- choices ---- */

/* The choice of this thread in the call of r->from.slot as predicted; without its indices. */
static void predict(struct ork_predictor *p, struct reading *r)
{
    ork_predict_outcome(p, r->choice.thread, &r->from);
    const struct ork_predict_values *values = r->from.values;
    r->choice.polls = values->polls;
    r->choice.source = *r->from.source;
    r->choice.tag = ork_predict_tag(r->choice.kind, values);
    r->choice.post_thread = values->post_thread;
    r->choice.post = ork_predict_ordinal(p, r->choice.kind, values);
    r->index = values->index ^ ORK_INDEX_EMPTY;
}

static enum ork_status get_values(struct ork_order_decoder *d, struct ork_cursor *in,
                                  unsigned given, struct reading *r)
{
    struct ork_choice *choice = &r->choice;
    uint32_t number;
    enum ork_status status = ORK_OK;

    if (given & ORK_GIVEN_POLLS)
        status = ork_cursor_get(in, UINT64_MAX, &choice->polls);
    if (status == ORK_OK && given & ORK_GIVEN_SOURCE) {
        status = ork_cursor_get_near(in, 0, &number);
        choice->source = (int32_t)number;
    }
    if (status == ORK_OK && given & ORK_GIVEN_TAG) {
        status = ork_cursor_get_near(in, (uint32_t)choice->tag, &number);
        choice->tag = (int32_t)number;
    }
    if (status == ORK_OK)
        status = given & ORK_GIVEN_INDEX ? get_index(d, in, r) : expand_index(d, r->index, choice);
    if (status == ORK_OK && given & ORK_GIVEN_POST)
        status = get_post(&d->predictor, in, choice);
    return status;
}

/* The choice after this operation. */
static enum ork_status get_choice(struct ork_order_decoder *d, struct ork_cursor *in,
                                  uint8_t operation, struct reading *r)
{
    struct ork_predictor *p = &d->predictor;
    unsigned given = operation & ORK_GIVEN ? operation & ~(unsigned)ORK_GIVEN : 0;
    enum ork_status status = ORK_OK;

    r->choice.thread = p->thread;
    if (given & ORK_GIVEN_THREAD)
        status = ork_cursor_get_u32(in, ORK_CHOICE_THREADS - 1, &r->choice.thread);
    if (status != ORK_OK)
        return status;
    ork_predict_next(p, r->choice.thread, &r->from);
    status = get_call(p, in, given & ORK_GIVEN_CALL, r);
    if (status != ORK_OK)
        return status;
    predict(p, r);
    if (!(operation & ORK_GIVEN) && operation >= ORK_ONLY_SOURCE)
        r->choice.source = operation - ORK_ONLY_SOURCE;
    else if (!(operation & ORK_GIVEN) && operation >= ORK_ONLY_INDEX)
        r->index = 2 * (uint64_t)(operation - ORK_ONLY_INDEX) + 2;
    return get_values(d, in, given, r);
}

static enum ork_status get_run(struct ork_cursor *in, uint8_t operation, uint32_t *run)
{
    enum ork_status status;

    if (operation != ORK_RUN_LONG) {
        *run = (uint32_t)(operation - ORK_RUN + 1);
        return ORK_OK;
    }
    status = ork_cursor_get_u32(in, ORK_RUN_MAX - ORK_RUN_SHORTEST_LONG, run);
    *run += ORK_RUN_SHORTEST_LONG;
    return status;
}

/* Counts the choices of each thread. */
static inline enum ork_status count(struct ork_order_decoder *d, struct ork_choice *choice)
{
    if (!ork_vec_reserve(&d->number, &d->threads_room, choice->thread + 1, sizeof(*d->number)))
        return ORK_NOMEM;
    d->number[choice->thread] +=
        choice->kind != ORK_CHOICE_AHEAD && choice->kind != ORK_CHOICE_OPEN;
    choice->number = d->number[choice->thread];
    return ORK_OK;
}

/* The length of the next run, if a run comes next. */
static enum ork_status begin_run(struct ork_order_decoder *d)
{
    struct ork_cursor in = {d->bytes + d->start, d->bytes + d->end};
    uint8_t operation = ORK_RUN;
    uint32_t run;
    enum ork_status status = ork_cursor_get_byte(&in, &operation);

    if (status != ORK_OK || operation >= ORK_ONLY_INDEX)
        return status;
    status = get_run(&in, operation, &run);
    if (status != ORK_OK)
        return status;
    d->run = run;
    d->start = (size_t)(in.at - d->bytes);
    return ORK_OK;
}

static bool has_only_polls(uint8_t operation)
{
    return operation == (ORK_GIVEN | ORK_GIVEN_POLLS);
}

/* The next choice of the loop has other polls: with them, it is a run of one. */
static enum ork_status begin_polls(struct ork_order_decoder *d)
{
    struct ork_cursor in = {d->bytes + d->start + 1, d->bytes + d->end};
    uint64_t polls;
    enum ork_status status = ork_cursor_get(&in, UINT64_MAX, &polls);

    if (status != ORK_OK)
        return status;
    ork_loop_set_polls(&d->loop, polls);
    d->run = 1;
    d->start = (size_t)(in.at - d->bytes);
    return ORK_OK;
}

/* The next choice of a loop: in place, because a replay spends its time here. */
static inline enum ork_status decode_of_loop(struct ork_order_decoder *d, struct ork_choice *choice)
{
    const struct ork_loop_choice *next = &d->loop.choice[d->loop.at];

    ork_loop_get(next, choice);
    enum ork_status status = expand_index(d, next->index, choice);
    if (status == ORK_OK)
        status = count(d, choice);
    if (status != ORK_OK)
        return status;
    ork_loop_next(&d->loop);
    d->run--;
    choice->index = d->index;
    return ORK_OK;
}

static void learn(struct ork_order_decoder *d, const struct reading *r, uint8_t operation)
{
    struct ork_predictor *p = &d->predictor;

    if (r->is_new)
        ork_predict_learn_call(p, &r->choice, r->from.slot);
    ork_predict_learn(p, &r->choice, &r->from, r->index);
    if (d->run == 0 && !has_only_polls(operation))
        return;
    d->run -= d->run > 0;
    ork_loop_note(&d->loop, &r->choice, r->index, r->from.slot);
}

static enum ork_status decode_by_tables(struct ork_order_decoder *d, struct ork_choice *choice)
{
    struct ork_cursor in = {d->bytes + d->start, d->bytes + d->end};
    struct reading r = {0};
    uint8_t operation = ORK_RUN;
    enum ork_status status = d->run > 0 ? ORK_OK : ork_cursor_get_byte(&in, &operation);

    if (status == ORK_OK)
        status = get_choice(d, &in, operation, &r);
    if (status == ORK_OK)
        status = count(d, &r.choice);
    if (status != ORK_OK)
        return status;
    learn(d, &r, operation);
    d->start = (size_t)(in.at - d->bytes);
    r.choice.index = d->index;
    *choice = r.choice;
    return ORK_OK;
}

/* RATIONALE: apart from decode_of_loop(), so that a loop pays nothing for it. */
static __attribute__((noinline)) enum ork_status decode_other(struct ork_order_decoder *d,
                                                              struct ork_choice *choice)
{
    enum ork_status status = ORK_OK;

    if (d->is_invalid || d->bytes == NULL)
        return d->is_invalid ? ORK_INVALID : ORK_NOTFOUND;
    if (d->run == 0)
        status = begin_run(d);
    if (status == ORK_OK && d->run == 0 && !has_only_polls(d->bytes[d->start]))
        ork_loop_leave(&d->loop, &d->predictor);
    else if (status == ORK_OK && d->run == 0 && d->loop.round > 0)
        status = begin_polls(d);
    if (status == ORK_OK && d->loop.round > 0)
        status = decode_of_loop(d, choice);
    else if (status == ORK_OK)
        status = decode_by_tables(d, choice);
    d->is_invalid = status == ORK_INVALID;
    return status;
}

/* RATIONALE: a choice of a loop is valid, because it was so in the round before. */
enum ork_status ork_order_decode(struct ork_order_decoder *d, struct ork_choice *choice)
{
    if (d->run > 0 && d->loop.round > 0)
        return decode_of_loop(d, choice);
    return decode_other(d, choice);
}

bool ork_order_decode_rounds(struct ork_order_decoder *d, struct ork_order_rounds *to)
{
    if (d->is_invalid || !ork_loop_rounds(&d->loop, d->run, to))
        return false;
    d->run -= to->rounds * to->round;
    d->number[to->choice[0].thread] += to->rounds * to->round;
    ork_loop_skip(&d->loop, to->rounds);
    return true;
}

/* The polls before the next choice of the loop. False: what comes next is something else, or
 * rounds, or not there yet. */
static inline bool get_polls(struct ork_order_decoder *d, uint64_t *polls)
{
    struct ork_cursor in = {d->bytes + d->start, d->bytes + d->end};
    uint8_t operation;

    if (d->run > 0) {
        if (d->loop.at == 0 && d->run >= 2 * d->loop.round)
            return false;
        *polls = d->loop.choice[d->loop.at].polls;
        d->run--;
        return true;
    }
    if (ork_cursor_get_byte(&in, &operation) != ORK_OK)
        return false;
    if (has_only_polls(operation)) {
        if (ork_cursor_get(&in, UINT64_MAX, polls) != ORK_OK)
            return false;
        ork_loop_set_polls(&d->loop, *polls);
    } else if (operation < ORK_RUN_LONG) {
        *polls = d->loop.choice[d->loop.at].polls;
        d->run = operation - ORK_RUN;
    } else {
        return false;
    }
    d->start = (size_t)(in.at - d->bytes);
    return true;
}

bool ork_order_decode_series(struct ork_order_decoder *d, struct ork_order_series *to)
{
    to->num = 0;
    if (d->is_invalid || d->loop.round == 0 || d->bytes == NULL || !ork_loop_series(&d->loop, to))
        return false;
    while (to->num < ORK_ORDER_SERIES_MAX && get_polls(d, &to->polls[to->num])) {
        ork_loop_next(&d->loop);
        to->num++;
    }
    d->number[to->choice[0].thread] += to->num;
    return to->num > 0;
}
